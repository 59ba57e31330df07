import Foundation
import Synchronization

/// The store of a child context: the parent context, including its unsaved changes.
///
/// The store copies rows from the parent's objects on the parent's queue, and turns the child's saves into unsaved
/// changes of the parent. New objects of the parent get permanent keys before the child sees them, so that both
/// contexts identify an object by the same key.
final class ParentContextStore: PersistentStore {
    let parent: ManagedObjectContext
    let identifier: UUID
    let url: URL?
    let sources: [ObjectIDSource]
    /// The version of the rows that are copied; what the child reads or saves later has a newer one.
    private let version = Atomic<Int32>(1)

    /// - Throws: `StoreError` with `noStore`.
    init(_ parent: ManagedObjectContext) throws(StoreError) {
        self.parent = parent
        // Not by the parent's own method, which belongs to the parent's queue.
        let store: any PersistentStore
        if let parentStore = parent.parentStore {
            store = parentStore
        } else {
            store = try parent.persistentStoreCoordinator.requireStore()
        }
        (identifier, url, sources) = (store.identifier, store.url, store.sources)
    }

    var metadata: [String: StoredValue] { parent.persistentStoreCoordinator.metadata }
    var statistics: StoreStatistics { StoreStatistics() }
    func resetStatistics() {}
    func checkpoint() throws(StoreError) { try savedStore().checkpoint() }
    func close() {}

    func rows(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows {
        try control.checkCancellation()
        return try readParent { parent throws(StoreError) in try self.copies(of: try parent.objects(plan, control)) }
    }

    func keys(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FoundKeys {
        let isMixed = plan.entities.count > 1
        return try readParent { parent throws(StoreError) in
            var found = FoundKeys()
            for object in try parent.objects(plan, control) {
                if isMixed {
                    found.append(object.row.key, of: object.entityIndex)
                } else {
                    found.append(object.row.key)
                }
            }
            return found
        }
    }

    func dictionaries(_ plan: DictionaryPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows {
        let rows = try rows(plan.rows, control)
        return try readParent { parent throws(StoreError) in
            try DictionaryEvaluator(plan: plan, control: control, navigator: ContextNavigator(context: parent))
                .evaluate(rows)
        }
    }

    func count(_ plan: FetchPlan) throws(StoreError) -> Int {
        try readParent { parent throws(StoreError) in try parent.objects(plan, .uncontrolled).count }
    }

    func rows(withKeys keys: [Int64], of entity: Int) throws(StoreError) -> FetchedRows {
        let plan = FetchPlan(
            source: sources[entity], includesSubentities: false, predicate: .keys(ObjectIDSet.sortedUnique(keys)))
        return try rows(plan, .uncontrolled)
    }

    func relatedRows(to owner: Int64, by relationship: ResolvedRelationship) throws(StoreError) -> RelatedRows {
        let id = ManagedObjectID(source: sources[relationship.entity], key: owner)
        return try readParent { parent throws(StoreError) in
            guard let object = try parent.objectIfThere(id) else { return RelatedRows() }
            let related = try parent.readRelated(to: object, by: relationship).filter { !$0.isDeleted }
            return RelatedRows(
                rows: try self.copies(of: related),
                order: relationship.isOrdered ? related.indices.map { Int64($0) + 1 } : [])
        }
    }

    func relatedLists(
        to owners: RelatedOwners, by relationship: ResolvedRelationship
    ) throws(StoreError) -> RelatedLists {
        let plan = FetchPlan(source: sources[relationship.entity], predicate: .keys(owners.keys))
        return try readParent { parent throws(StoreError) in
            let objects = try parent.objects(plan, .uncontrolled)
            var prefetcher = try Prefetcher(parent)
            let read = try prefetcher.read([PrefetchBranch(relationship: relationship)], of: objects)
            var (members, pairs) = ([ManagedObject](), [RelatedLists.Pair]())
            for object in objects {
                let related = try parent.readRelated(to: object, by: relationship).filter { !$0.isDeleted }
                members += related
                for (place, member) in related.enumerated() {
                    pairs.append(
                        .init(owner: object.row.key, member: member.row.key, number: Int64(place) + 1))
                }
            }
            return try withExtendedLifetime(read) { () throws(StoreError) in
                var lists = RelatedLists()
                lists.append(try self.copies(of: Array(Set(members))), pairs)
                return lists
            }
        }
    }

    func reserveKeys(_ count: Int, of entity: Int) throws(StoreError) -> Int64 {
        try savedStore().reserveKeys(count, of: entity)
    }

    func update(_ plan: BatchUpdatePlan) throws(StoreError) -> BatchOutcome { try savedStore().update(plan) }

    func delete(_ plan: FetchPlan, wantsKeys: Bool) throws(StoreError) -> BatchOutcome {
        try savedStore().delete(plan, wantsKeys: wantsKeys)
    }

    /// Returns the store below all contexts. Callable from any thread.
    ///
    /// - Throws: `StoreError` with `noStore`, also if the coordinator's store is another one than before.
    func savedStore() throws(StoreError) -> any PersistentStore {
        try parent.persistentStoreCoordinator.requireStore(identifier)
    }

    func commit(_ changes: ChangeSet) throws(StoreError) -> PermanentKeys {
        let keys = try PermanentKeys(changes, reserveKeys(_:of:))
        try onParent { parent throws(StoreError) in try ParentChanges(parent, changes, keys).apply() }
        version.wrappingAdd(2, ordering: .relaxed)
        return keys
    }

    /// Runs `body`, which changes nothing, where the parent may be used.
    ///
    /// - Throws: what `body` throws, and the errors that properties of the parent's objects could not throw.
    private func readParent<Result>(
        _ body: (ManagedObjectContext) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try onParent { parent throws(StoreError) in
            try parent.throwingKeptErrors { () throws(StoreError) in try body(parent) }
        }
    }

    /// Runs `body` where the parent may be used, after its new objects got permanent keys.
    private func onParent<Result>(
        _ body: (ManagedObjectContext) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let parent = parent
        let result = parent.runAndWait { () -> Swift.Result<Result, StoreError> in
            do throws(StoreError) {
                try parent.obtainPermanentIDs(for: parent.pending.inserted.filter { $0.isInserted && $0.row.key < 0 })
                return .success(try body(parent))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Copies the objects' rows, including unsaved values.
    private func copies(of objects: [ManagedObject]) throws(StoreError) -> FetchedRows {
        try parent.reload(objects.filter { $0.state.contains(.isHollow) })
        let version = version.load(ordering: .relaxed)
        var builder = FetchedRowsBuilder()
        for object in objects where !object.state.contains(.isGone) {
            let page = builder.page(for: object.page.source)
            let row = builder.appended(to: page, key: object.row.key)
            page.copyRow(object.rowReference, to: row)
            row.version = version
        }
        return builder.finish()
    }
}

extension ManagedObjectContext {
    /// Runs `body` where the context may be used, and waits for it.
    func runAndWait<Result>(_ body: () throws -> Result) rethrows -> Result {
        if executor.queue == nil {
            checkQueue()
            return try body()
        }
        return try performAndWait(body)
    }

    /// Returns the objects that `plan` asks for, with unsaved changes taken into account.
    fileprivate func objects(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> [ManagedObject] {
        try FetchExecutor(self, try ResolvedFetch(plan, in: self), control).objects()
    }

    /// Returns the object with `id`, with its values loaded; nil if it does not exist or is to be deleted.
    func objectIfThere(_ id: ManagedObjectID) throws(StoreError) -> ManagedObject? {
        let object = object(with: id)
        if object.state.contains(.isHollow), try !load(object) { return nil }
        return object.state.isDisjoint(with: [.isGone, .deleted]) ? object : nil
    }
}
