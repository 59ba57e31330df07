/// Makes faults for keys, many in a page.
///
/// A batch is a page of rows that hold keys only, one for each of its objects, all of one entity.
struct FaultBatchBuilder {
    private let context: ManagedObjectContext
    private let size: Int
    /// The relationships that are read together with a batch.
    private let prefetches: [PrefetchBranch]
    /// The page being filled, by the position of the entity.
    private var open: [Int: RowPage] = [:]
    /// Registered objects found to be of another entity, to be forgotten after the registry's lock is released.
    private var strays: [ManagedObject] = []

    init(_ context: ManagedObjectContext, size: Int, _ prefetches: [PrefetchBranch]) {
        self.context = context
        self.size = size
        self.prefetches = prefetches
    }

    /// Returns the objects with the keys that were found, in their order.
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
        if !entities.contains(where: { StoredProperties.areThere(in: $0.entity.managedObjectClass) }) {
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
        page.prefetches = prefetches
        open[source.entityIndex] = page
        return page
    }
}
