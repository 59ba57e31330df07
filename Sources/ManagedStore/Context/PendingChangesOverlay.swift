/// Merges a context's unsaved changes into the objects that the store has for a fetch. The result is what the fetch
/// would find after a save of these changes.
///
/// The result leaves out rows that cannot be read, and the context keeps the error: use the overlay within
/// ``ManagedObjectContext/throwingKeptErrors(_:)``.
struct PendingChangesOverlay {
    private let context: ManagedObjectContext
    private var fetch: ResolvedFetch
    /// The result so far, in the order of the fetch.
    private var objects: [ManagedObject]
    /// The keys of objects whose rows the fetch may have read before a save or merge.
    private var changed: Set<Int64> = []

    init(_ context: ManagedObjectContext, _ fetch: ResolvedFetch, _ objects: [ManagedObject]) {
        self.context = context
        self.fetch = fetch
        self.objects = objects
    }

    /// Takes changes since the start of the fetch into account: saved or merged changes, which `changed` holds, and
    /// unsaved changes of related objects that the order or the condition depends on.
    mutating func note(_ changed: ChangedKeys) {
        self.changed = changed.keys(of: fetch.plan.source.rootIndex)
        let affected = context.keepingErrors(otherwise: []) { () throws(StoreError) in
            try AffectedObjects(context).keys(of: fetch.plan)
        }
        fetch.affected.formUnion(affected)
        let roots = fetch.plan.sort.flatMap(\.path).map { context.model.hierarchy.roots[$0.destination] }
        guard roots.contains(where: { !changed.keys(of: $0).isEmpty }) else { return }
        let order = ObjectOrder(fetch.plan)
        let related = order.related(to: objects)
        withExtendedLifetime(related) { objects.sort(by: order.isBefore) }
    }

    /// Returns the objects, after limit and offset.
    ///
    /// - Throws: `StoreError` with `invalidRequest` if a regular expression of the predicate takes too many steps.
    mutating func finish() throws(StoreError) -> [ManagedObject] {
        if !changed.isEmpty { replaceChanged() }
        let hasPendingChanges = fetch.includesPendingChanges && !context.pending.isEmpty
        if hasPendingChanges { mergePendingChanges() }
        if hasPendingChanges || fetch.mindsPendingChanges || !changed.isEmpty { limit() }
        try fetch.plan.predicate?.checkPatterns()
        return objects
    }

    /// Reads the rows that changed during the fetch from the store again.
    private mutating func replaceChanged() {
        objects.removeAll { changed.contains($0.row.key) }
        let keys = changed.sorted()
        for entity in fetch.plan.entities {
            merge(objects(withKeys: keys, of: entity).filter(matches))
        }
    }

    private mutating func mergePendingChanges() {
        let affected = affectedObjects()
        objects.removeAll { $0.hasChanges || fetch.affected.contains($0.row.key) }
        let unsaved = (context.pending.inserted.lazy.filter(\.isInserted).map { $0 } + context.pending.updated.all)
            .filter { fetch.plan.includes($0.entityIndex) }
        merge((unsaved + affected).filter(matches))
    }

    /// Returns the objects without own changes whose related objects have changes.
    private func affectedObjects() -> [ManagedObject] {
        let keys = fetch.affected.filter { $0 > 0 }.sorted()
        if keys.isEmpty { return [] }
        return fetch.plan.entities.flatMap { objects(withKeys: keys, of: $0) }.filter { !$0.hasChanges }
    }

    /// Returns the objects of an entity with `keys` that the store has, with the store's current values.
    private func objects(withKeys keys: [Int64], of entity: Int) -> [ManagedObject] {
        let rows = context.keepingErrors(otherwise: FetchedRows()) { () throws(StoreError) in
            try context.read { store throws(StoreError) in try store.rows(withKeys: keys, of: entity) }
        }
        var collector = ObjectCollector(context, fetch, rows)
        collector.collectAll()
        return collector.objects
    }

    /// Applies limit and offset where the store did not.
    private mutating func limit() {
        var slice = objects[...]
        if fetch.mindsPendingChanges { slice = slice.dropFirst(fetch.plan.offset) }
        objects = fetch.plan.limit > 0 ? Array(slice.prefix(fetch.plan.limit)) : Array(slice)
    }

    private func matches(_ object: ManagedObject) -> Bool {
        if object.state.contains(.isHollow) { object.fireFault() }
        return fetch.plan.predicate?.matches(
            object.rowReference, fetch.plan.source.entity.layout, ContextNavigator(context: context))
            ?? true
    }

    /// Merges `others`, which may be in any order, into the ordered objects.
    private mutating func merge(_ others: [ManagedObject]) {
        objects = ObjectOrder(fetch.plan).merge(others, into: objects).objects
    }
}
