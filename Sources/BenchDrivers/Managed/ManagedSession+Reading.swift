import BenchHarness
import ManagedStore

extension ManagedSession: GettingSession {
    func prepareGets(_ ordinals: [Int]) {
        for ordinal in ordinals where ids[ordinal] == nil {
            ids[ordinal] = coordinator.objectID(ofRecord: ordinal, in: mapping.description)
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
