import CSystem
import Foundation

/// Turns fetched rows into the context's objects, some at a time if need be, and brings unsaved changes in.
///
/// It knows nothing of the objects' class: what is compiled for any class would look its types up for each object.
struct ObjectCollector {
    private let context: ManagedObjectContext
    private var fetch: ResolvedFetch
    private let rows: FetchedRows
    /// The class of all objects; nil when they are of several entities.
    private let sameType: ManagedObject.Type?
    /// Whether a registered object may be of another entity than the row with its key: another process may have changed
    /// the file.
    private let isHierarchy: Bool
    /// Whether making the objects runs code of their classes; nil as long as that is not known.
    private var runsInitializers: Bool?
    /// Registered objects that turned out to be of another entity, to be forgotten once the registry's lock is
    /// released.
    private var strays: [ManagedObject] = []
    private let count: Int
    private var next = 0
    /// Where the next row is when the rows are in no other order than their pages'.
    private var place = (page: 0, index: 0)
    private var objects: [ManagedObject] = []

    init(_ context: ManagedObjectContext, _ fetch: ResolvedFetch, _ rows: FetchedRows) {
        self.context = context
        self.fetch = fetch
        self.rows = rows
        sameType = Self.sameType(fetch)
        isHierarchy = Self.isHierarchy(fetch)
        count = rows.count
        objects.reserveCapacity(count)
        context.take(rows)
    }

    /// Brings unsaved changes into objects that were made already.
    init(_ context: ManagedObjectContext, _ fetch: ResolvedFetch, collected objects: [ManagedObject]) {
        self.context = context
        self.fetch = fetch
        self.objects = objects
        rows = FetchedRows()
        sameType = Self.sameType(fetch)
        isHierarchy = Self.isHierarchy(fetch)
        count = 0
    }

    private static func isHierarchy(_ fetch: ResolvedFetch) -> Bool {
        fetch.plan.source.model.hierarchy.families[fetch.plan.source.rootIndex].count > 1
    }

    private static func sameType(_ fetch: ResolvedFetch) -> ManagedObject.Type? {
        fetch.plan.entities.count > 1 ? nil : fetch.plan.source.entity.managedObjectClass
    }

    var isDone: Bool { next == count }

    /// Makes all objects again, because those made so far have left the context.
    mutating func startOver() {
        (next, place) = (0, (0, 0))
        objects.removeAll(keepingCapacity: true)
        collectAll()
    }

    /// Takes into account what has changed since the fetch began in objects that the order, or the condition, looks at:
    /// what was saved or merged, of which `changed` knows, and what is unsaved.
    mutating func minds(_ changed: ChangedKeys?) {
        let affected = context.keepingErrors(otherwise: []) { () throws(StoreError) in
            try context.affected(by: fetch.plan)
        }
        fetch.affected.formUnion(affected)
        let roots = fetch.plan.sort.flatMap(\.path).map { context.model.hierarchy.roots[$0.destination] }
        guard roots.contains(where: { changed?.keys(of: $0).isEmpty == false }) else { return }
        let order = ObjectOrder(fetch.plan)
        let related = order.related(to: objects)
        withExtendedLifetime(related) { objects.sort(by: order.isBefore) }
    }

    mutating func collectAll() {
        collect(count)
    }

    /// Registers the next `count` rows: each becomes the object that the context has for its key, or a new one.
    mutating func collect(_ count: Int) {
        let end = min(next + count, self.count)
        while next < end {
            if runsInitializers == nil { runsInitializers = StoredProperties.areThere(in: classes) }
            let slice = next..<(runsInitializers == nil ? min(next + Self.rowsApart, end) : end)
            next = slice.upperBound
            if runsInitializers == false { collect(slice) } else { collectApart(slice) }
        }
        for stray in strays { context.forgetStray(stray) }
        strays = []
    }

    /// After so many rows the classes are looked at again, which most likely are known by then.
    private static let rowsApart = 32

    private var classes: [ManagedObject.Type] {
        sameType.map { [$0] } ?? rows.pages.map(\.entity.managedObjectClass)
    }

    private mutating func collect(_ slice: Range<Int>) {
        context.registry.withTable(root) { table in
            if let order = rows.order {
                collect(order[slice], table: &table)
            } else {
                collectInPlace(slice.count, &table)
            }
        }
    }

    private var root: Int { fetch.plan.source.rootIndex }

    private mutating func collect(_ order: ArraySlice<UInt32>, table: inout ObjectTable) {
        for position in order.indices {
            // Rows in a sorted order lie all over the pages, and their keys all over the table: waiting for one line
            // after another would take longer than the work.
            if position + 16 < order.endIndex {
                csystem_prefetch(rows.reference(order[position + 16]).row.address)
                table.prefetch(rows.reference(order[position + 8]).row.key)
            }
            let reference = rows.reference(order[position])
            objects.append(object(reference, in: &table))
        }
    }

    /// Page after page.
    private mutating func collectInPlace(_ count: Int, _ table: inout ObjectTable) {
        var left = count
        while left > 0 {
            let page = rows.pages[place.page]
            let end = min(place.index + left, page.count)
            left -= end - place.index
            for index in place.index..<end {
                if index + 8 < end { table.prefetch(page.row(index + 8).key) }
                objects.append(object(RowReference(page, page.row(index)), in: &table))
            }
            place = end == page.count ? (place.page + 1, 0) : (place.page, end)
        }
    }

    /// For classes whose objects must not be made with the registry locked.
    private mutating func collectApart(_ slice: Range<Int>) {
        for position in slice { objects.append(objectApart(reference(at: position))) }
    }

    private mutating func reference(at position: Int) -> RowReference {
        if let order = rows.order { return rows.reference(order[position]) }
        while place.index == rows.pages[place.page].count { place = (place.page + 1, 0) }
        defer { place.index += 1 }
        let page = rows.pages[place.page]
        return RowReference(page, page.row(place.index))
    }

    private mutating func objectApart(_ reference: RowReference) -> ManagedObject {
        let known = context.registry.object(root, reference.row.key)
        if let known, known.entityIndex == reference.entityIndex {
            refill(known, reference)
            return known
        }
        let object = newObject(reference)
        StoredProperties.note(object)
        let registered = context.register(object) { strays.append($0) }
        if registered !== object { refill(registered, reference) }
        return registered
    }

    @inline(__always) private mutating func object(
        _ reference: RowReference, in table: inout ObjectTable
    ) -> ManagedObject {
        let (object, isNew) = table.object(reference.row.key) { newObject(reference) }
        if isNew { return object }
        if isHierarchy, object.entityIndex != reference.entityIndex {
            strays.append(object)
            let successor = newObject(reference)
            table.insert(successor)
            return successor
        }
        refill(object, reference)
        return object
    }

    @inline(__always) private func newObject(_ reference: RowReference) -> ManagedObject {
        let type = sameType ?? reference.page._withUnsafeGuaranteedRef { $0.entity.managedObjectClass }
        return type.init(_page: reference.page.takeUnretainedValue(), row: reference.row, state: fetch.state)
    }

    /// A known object takes on the fetched values if it is a fault, or is to be refreshed and has no unsaved changes.
    private func refill(_ object: ManagedObject, _ fresh: RowReference) {
        guard object.isFault || (fetch.refreshes && !object.hasChanges) else { return }
        if object.row.version > fresh.row.version, !object.state.contains(.isHollow) { return }
        object.leaveRow()
        object.adopt(fresh.page.takeUnretainedValue(), fresh.row)
        object.state.subtract([.isHollow, .isWritable])
    }

    /// The result: what the fetch would have found had the unsaved changes been saved, limits applied after.
    ///
    /// `changed` are the keys of objects whose rows this fetch may have read before they were saved or merged. What
    /// cannot be read meanwhile is left out, and the context keeps the error: call it within
    /// ``ManagedObjectContext/throwingKeptErrors(_:)``.
    ///
    /// - Throws: `StoreError` with `invalidRequest` when a regular expression of the predicate takes too many steps.
    mutating func finished(changed: Set<Int64>) throws(StoreError) -> [ManagedObject] {
        let objects = combined(changed)
        try fetch.plan.predicate?.checkPatterns()
        return objects
    }

    private mutating func combined(_ changed: Set<Int64>) -> [ManagedObject] {
        if !changed.isEmpty { replaceChanged(changed) }
        if fetch.includesPendingChanges && !context.pending.isEmpty { return withPendingChanges() }
        return fetch.mindsPendingChanges || !changed.isEmpty ? limited() : objects
    }

    /// Asks the store again for the rows that changed while the fetch was under way.
    private mutating func replaceChanged(_ keys: Set<Int64>) {
        objects.removeAll { keys.contains($0.row.key) }
        let keys = keys.sorted()
        for entity in fetch.plan.entities {
            merge(objects(withKeys: keys, of: entity).filter(matches))
        }
    }

    private func withPendingChanges() -> [ManagedObject] {
        var result = self
        let plan = fetch.plan
        let affected = affectedObjects()
        result.objects.removeAll { $0.hasChanges || fetch.affected.contains($0.row.key) }
        let changed = (context.pending.inserted.lazy.filter(\.isInserted).map { $0 } + context.pending.updated.all)
            .filter { plan.includes($0.entityIndex) }
        result.merge((changed + affected).filter(matches))
        return result.limited()
    }

    /// Objects without changes of their own whose related objects have some.
    private func affectedObjects() -> [ManagedObject] {
        let keys = fetch.affected.filter { $0 > 0 }.sorted()
        if keys.isEmpty { return [] }
        return fetch.plan.entities.flatMap { objects(withKeys: keys, of: $0) }.filter { !$0.hasChanges }
    }

    /// Those of an entity's objects with `keys` that the store has, as it has them now.
    private func objects(withKeys keys: [Int64], of entity: Int) -> [ManagedObject] {
        let rows = context.keepingErrors(otherwise: FetchedRows()) { () throws(StoreError) in
            try context.read { store throws(StoreError) in try store.rows(withKeys: keys, of: entity) }
        }
        var collector = ObjectCollector(context, fetch, rows)
        collector.collectAll()
        return collector.objects
    }

    /// Limit and offset, where the store did not apply them.
    private func limited() -> [ManagedObject] {
        var slice = objects[...]
        if fetch.mindsPendingChanges { slice = slice.dropFirst(fetch.plan.offset) }
        return fetch.plan.limit > 0 ? Array(slice.prefix(fetch.plan.limit)) : Array(slice)
    }

    private func matches(_ object: ManagedObject) -> Bool {
        if object.state.contains(.isHollow) { object.fireFault() }
        return fetch.plan.predicate?.matches(
            object.rowReference, fetch.plan.source.entity.layout, ContextNavigator(context: context))
            ?? true
    }

    /// Merges `others`, in any order, into the ordered objects.
    private mutating func merge(_ others: [ManagedObject]) {
        objects = ObjectOrder(fetch.plan).merge(others, into: objects)
    }
}

extension [ManagedObject] {
    /// The same array, known to hold objects of one class. O(1): arrays of references differ in their static type
    /// alone.
    func asserting<Object: ManagedObject>(_ type: Object.Type) -> [Object] {
        assert(allSatisfy { $0 is Object }, "an object of another class than \(type)")
        return unsafeBitCast(self, to: [Object].self)
    }
}
