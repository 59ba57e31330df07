import Foundation

/// Fetching rows as they are touched: keys first, and a batch of rows when one of its objects is read.
extension ManagedObjectContext {
    /// The objects that a fetch finds, those that the context does not know yet as faults in batches of `size`.
    ///
    /// A batch is a page with a row for each of its objects, all of one entity, that holds the key alone.
    func fetchInBatches<Object: ManagedObject>(
        _ fetch: ResolvedFetch, of size: Int
    ) throws(StoreError) -> [Object] {
        let store = try requireStore()
        let found = try store.keys(fetch.storePlan, FetchControl())
        if fetch.refreshes { try renewKnown(found, of: fetch.plan.source) }
        var batches = FaultBatches(self, size: min(size, RowPage.rows, Swift.max(found.count, 1)))
        let objects = batches.objects(found, of: fetch.plan.source, among: store.sources)
        var collector = ObjectCollector(self, fetch, collected: objects)
        return try collector.finished(changed: []).asserting(Object.self)
    }

    /// Gives known objects without unsaved changes the values that the store has now.
    private func renewKnown(_ found: FoundKeys, of source: ObjectIDSource) throws(StoreError) {
        let known = found.keys.compactMap { registry.object(source.rootIndex, $0) }
        try reload(known.filter { !$0.hasChanges && !$0.state.contains(.isHollow) }, anew: true)
    }

    /// Those who share a batch with a fault and have not been read either, itself among them.
    private func batch(of object: ManagedObject) -> [ManagedObject] {
        let page = object.page
        return [object]
            + (0..<page.count).compactMap { index in
                let row = page.row(index)
                guard row != object.row, let other = registry.object(page.rootIndex, row.key), other.row == row,
                    other.state.contains(.isHollow), !other.hasChanges
                else { return nil }
                return other
            }
    }

    /// Reads the rows of a fault's batch from the store, all at once; false if there is none for the fault itself.
    ///
    /// Not from the cache: a fetch promises what the store has. The others stay faults that need no reading; one whose
    /// row is gone will find out when it is read itself.
    func loadBatch(of object: ManagedObject) throws(StoreError) -> Bool {
        let objects = batch(of: object)
        let rows = try readAnew(objects.map(\.row.key), of: object.entityIndex)
        for object in objects {
            guard let row = rows[object.row.key] else { continue }
            adoptCommitted(row.reference, object)
            object.state.remove(.isHollow)
        }
        return !object.state.contains(.isHollow)
    }
}

/// Makes faults for keys, many to a page.
private struct FaultBatches {
    private let context: ManagedObjectContext
    private let size: Int
    /// The page that is being filled, by the position of the entity.
    private var open: [Int: RowPage] = [:]
    /// Registered objects that turned out to be of another entity, to be forgotten once the registry's lock is
    /// released.
    private var strays: [ManagedObject] = []

    init(_ context: ManagedObjectContext, size: Int) {
        self.context = context
        self.size = size
    }

    /// The objects with the keys that were found, in their order.
    mutating func objects(
        _ found: FoundKeys, of source: ObjectIDSource, among sources: [ObjectIDSource]
    ) -> [ManagedObject] {
        var objects: [ManagedObject] = []
        objects.reserveCapacity(found.count)
        defer { forgetStrays() }
        let (registry, root) = (context.registry, source.rootIndex)
        func own(_ index: Int) -> ObjectIDSource {
            found.entities.isEmpty ? source : sources[Int(found.entities[index])]
        }
        let entities = found.entities.isEmpty ? [source] : Set(found.entities).map { sources[Int($0)] }
        if StoredProperties.areThere(in: entities.lazy.map(\.entity.managedObjectClass)) == false {
            registry.withTable(root) { table in
                for (index, key) in found.keys.enumerated() {
                    let (object, isNew) = object(key, of: own(index), known: table.object(key))
                    if isNew { table.insert(object) }
                    objects.append(object)
                }
            }
        } else {
            for (index, key) in found.keys.enumerated() {
                let (object, isNew) = object(key, of: own(index), known: registry.object(root, key))
                StoredProperties.note(object)
                objects.append(isNew ? context.register(object) { strays.append($0) } : object)
            }
        }
        return objects
    }

    private mutating func object(
        _ key: Int64, of source: ObjectIDSource, known: ManagedObject?
    ) -> (object: ManagedObject, isNew: Bool) {
        if let known, known.entityIndex == source.entityIndex {
            if known.state.contains(.isHollow), !known.hasChanges { join(known) }
            return (known, false)
        }
        if let known { strays.append(known) }
        let page = page(source)
        let object = source.entity.managedObjectClass.init(
            _page: page, row: page.appendRow(key: key), state: [.isFault, .isHollow, .registered])
        return (object, true)
    }

    private mutating func forgetStrays() {
        for stray in strays { context.forgetStray(stray) }
        strays = []
    }

    /// Moves a fault that was not read yet to this batch.
    private mutating func join(_ known: ManagedObject) {
        let page = page(known.page.source)
        known.leaveRow()
        known.adopt(page, page.appendRow(key: known.row.key))
    }

    private mutating func page(_ source: ObjectIDSource) -> RowPage {
        if let page = open[source.entityIndex], !page.isFull { return page }
        let page = RowPage(writable: source, capacity: size)
        page.registry = context.registry
        page.isBatch = true
        open[source.entityIndex] = page
        return page
    }
}
