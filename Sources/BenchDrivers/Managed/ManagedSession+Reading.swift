import BenchHarness
import ManagedStore

extension ManagedSession: GettingSession {
    func prepareGets(_ ordinals: [Int]) {
        for ordinal in ordinals where ids[ordinal] == nil {
            ids[ordinal] = stored.id(ofRecord: ordinal, configuration.schema.focus, coordinator)
        }
    }

    func get(_ ordinal: Int) throws -> any FetchedRecords {
        guard let id = ids[ordinal] else { throw DriverError(.invalidRequest, "get needs prepareGets") }
        return try context.performAndWait { FetchedObjects(mapping, try objects(with: id), in: context) }
    }

    /// Returns the object with an ID; none if it is not there.
    private func objects(with id: ManagedObjectID) throws -> [Mapping.Object] {
        do throws(StoreError) {
            return [try context.existingObject(with: id, as: Mapping.Object.self)]
        } catch {
            guard error.code == .objectNotFound else { throw error }
            return []
        }
    }
}

extension ManagedSession: PagingSession {
    func page(_ work: FetchWork, offset: Int) throws -> any FetchedRecords {
        var request = request(work)
        request.fetchOffset = offset
        return try context.performAndWait { FetchedObjects(mapping, try context.fetch(request), in: context) }
    }
}

extension ManagedSession: AggregatingSession {
    func aggregate(_ work: AggregateWork) throws -> [AggregatedGroup] {
        // No attribute has a name without a letter.
        let value = "_"
        var request = request(filter: work.filter)
        request.propertiesToFetch = [
            work.attribute.map { .function(work.function.expression, $0, as: value) } ?? .count(as: value)
        ]
        if let group = work.groupBy {
            request.propertiesToFetch.append(.property(group))
            request.propertiesToGroupBy = [group]
        }
        return try context.performAndWait {
            try context.fetchDictionaries(request).map { found in
                AggregatedGroup(
                    group: FieldValue(work.groupBy.flatMap { found[$0] } ?? .null),
                    value: FieldValue(found[value] ?? .null))
            }
        }
    }
}

extension AggregateWork.Function {
    fileprivate var expression: FetchExpression.Function {
        switch self {
        case .count: .count
        case .sum: .sum
        case .average: .average
        case .minimum: .min
        case .maximum: .max
        }
    }
}
