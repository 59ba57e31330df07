import BenchHarness
import Foundation
import ManagedStore

/// A worker of a load: it has its own context on the shared coordinator, fetches by key, changes objects and saves
/// them.
final class ManagedLoadWorker<Mapping: ObjectMapping>: LoadWorker {
    private let mapping: Mapping
    private let stored: StoredObjects
    private let identity: RecordIdentity
    private let names: [String]
    private var key: String { names[identity.attribute] }
    /// Makes the scenario's own changes.
    private let change: @Sendable (Mapping.Object) -> Void
    private let context: ManagedObjectContext

    init(
        _ work: LoadWork, _ mapping: Mapping, of entity: EntitySpec, _ stored: StoredObjects,
        _ coordinator: PersistentStoreCoordinator
    ) throws {
        self.mapping = mapping
        self.stored = stored
        identity = try RecordIdentity(of: entity)
        change = try mapping.change(work.saves?.set ?? [])
        names = entity.attributes.map(\.name)
        context = ManagedObjectContext(coordinator: coordinator)
        context.mergePolicy = .named(work.policy)
        context.undoManager = nil
    }

    func perform(_ operation: LoadOperation, reading: inout LoadReading) throws -> LoadOutcome {
        do {
            return try attempt(operation, &reading)
        } catch {
            context.rollback()
            switch (error as? StoreError)?.code {
            case .mergeConflict: return .conflict
            case .busy: return .busy
            default: throw error
            }
        }
    }

    func close() { context.reset() }

    private func attempt(_ operation: LoadOperation, _ reading: inout LoadReading) throws -> LoadOutcome {
        let reads = try fetch(operation.reads)
        mapping.read(reads, into: &reading)
        if let scan = operation.scan { mapping.read(try fetch(from: scan), into: &reading) }
        for values in operation.inserted {
            _ = try mapping.make(values, named: names, in: context, find)
        }
        // The objects that were read are changed: another fetch would be another operation.
        let changes = operation.changes == operation.reads ? reads : try fetch(operation.changes)
        let deletes = try fetch(Array(operation.deletes))
        guard
            reads.count == operation.reads.count, changes.count == operation.changes.count,
            deletes.count == operation.deletes.count
        else {
            context.rollback()
            return .missing
        }
        try apply(operation, to: changes)
        for object in deletes { context.delete(object) }
        if operation.writes { try context.save() }
        return .done
    }

    private func apply(_ operation: LoadOperation, to objects: [Mapping.Object]) throws {
        switch operation.change {
        case .set:
            for object in objects { change(object) }
        case .attributes(let attributes, _):
            // By indices: in code for any class of objects, a pair of sequences looks its types up whenever it is made.
            for place in objects.indices where place < operation.assigned.count {
                let values = operation.assigned[place]
                for index in attributes.indices where index < values.count {
                    let attribute = attributes[index]
                    try mapping.assign(values[index], to: attribute, named: names[attribute], of: objects[place], find)
                }
            }
        }
    }

    /// Finds the object that a record leads to.
    private func find(_ number: Int64, _ place: Int) throws -> ManagedObject? {
        try stored.object(number, place, in: context)
    }

    /// Returns the records with these ordinals, in their order, without the missing ones.
    private func fetch(_ ordinals: [Int]) throws -> [Mapping.Object] {
        guard let first = ordinals.first else { return [] }
        if ordinals.count == 1 { return try fetch(.compare(key, .equal, identity.key(of: first))) }
        return try fetch(.in(key, ordinals.map { identity.key(of: $0) }), isSorted: true)
    }

    private func fetch(from scan: Range<Int>) throws -> [Mapping.Object] {
        try fetch(
            .compare(key, .greaterOrEqual, identity.key(of: scan.lowerBound)), isSorted: true, limit: scan.count)
    }

    private func fetch(
        _ predicate: FetchPredicate, isSorted: Bool = false, limit: Int = 0
    ) throws -> [Mapping.Object] {
        var request = FetchRequest<Mapping.Object>(entity: mapping.description, predicate: predicate)
        request.fetchLimit = limit
        if isSorted { request.sortDescriptors = [FetchSortDescriptor(key: key, ascending: true)] }
        request.includesPendingChanges = false
        // The context holds for a while what relationships led to, also to records of the entity itself. Other workers
        // may have changed it.
        request.shouldRefreshRefetchedObjects = true
        return try context.fetch(request)
    }
}

extension MergePolicy {
    /// Returns the policy that a scenario names.
    fileprivate static func named(_ policy: ConflictPolicy) -> MergePolicy {
        switch policy {
        case .error: .error
        case .objectTrump: .mergeByPropertyObjectTrump
        case .storeTrump: .mergeByPropertyStoreTrump
        case .overwrite: .overwrite
        }
    }
}
