/// The faults that the context reads together as soon as one of them is used: those of its page that have not been
/// read.
struct FaultBatch {
    private let context: ManagedObjectContext
    private let used: ManagedObject

    init(of used: ManagedObject, in context: ManagedObjectContext) {
        self.context = context
        self.used = used
    }

    /// Reads the rows of the batch from the store, all at once. Returns false if the store has no row for the fault in
    /// use.
    ///
    /// This bypasses the cache: a fetch promises the store's current values. The batch's other objects stay faults that
    /// hold their values. An object whose row is missing detects that when it is read itself.
    func load() throws(StoreError) -> Bool {
        let objects = objects()
        let prefetches = used.page.prefetches
        let rows = try context.readAnew(objects.map(\.row.key), of: used.entityIndex)
        for object in objects {
            guard let row = rows[object.row.key] else { continue }
            context.adoptCommitted(row.reference, object)
            object.state.remove(.isHollow)
        }
        if !prefetches.isEmpty { try prefetch(prefetches, for: objects.filter { !$0.state.contains(.isHollow) }) }
        return !used.state.contains(.isHollow)
    }

    /// Reads the related objects that the fetch asked for.
    private func prefetch(_ prefetches: [PrefetchBranch], for objects: [ManagedObject]) throws(StoreError) {
        var prefetcher = try Prefetcher(context)
        context.prefetched.hold(try prefetcher.read(prefetches, of: objects), prefetches, for: objects)
    }

    /// Returns the faults of the batch that have not been read, starting with the one in use.
    private func objects() -> [ManagedObject] {
        let page = used.page
        return [used]
            + (0..<page.count).compactMap { index in
                let row = page.row(index)
                guard row != used.row, let other = context.registry.object(page.rootIndex, row.key),
                    other.row == row, other.state.contains(.isHollow), !other.hasChanges
                else { return nil }
                return other
            }
    }
}
