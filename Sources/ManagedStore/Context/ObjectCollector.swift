import CSystem
import Foundation

/// Turns fetched rows into the context's objects, in slices if required, and merges unsaved changes into the result.
///
/// It is not generic over the objects' class: code compiled for any class would look up its types for each object.
struct ObjectCollector {
    private let context: ManagedObjectContext
    private let fetch: ResolvedFetch
    private let rows: FetchedRows
    /// The class of all objects; nil if they are of several entities.
    private let sameType: ManagedObject.Type?
    /// Whether a registered object may be of another entity than the row with its key, as happens when another process
    /// changes the file.
    private let isHierarchy: Bool
    /// Whether making the objects runs code of their classes.
    private let runsInitializers: Bool
    /// Registered objects found to be of another entity, to be forgotten after the registry's lock is released.
    private var strays: [ManagedObject] = []
    private let count: Int
    private var next = 0
    /// The position of the next row, if the rows are in the order of their pages.
    private var place = (page: 0, index: 0)
    /// The objects made so far, in the order of the rows.
    private(set) var objects: [ManagedObject] = []

    init(_ context: ManagedObjectContext, _ fetch: ResolvedFetch, _ rows: FetchedRows) {
        self.context = context
        self.fetch = fetch
        self.rows = rows
        sameType = Self.sameType(fetch)
        isHierarchy = Self.isHierarchy(fetch)
        runsInitializers =
            sameType.map { StoredProperties.areThere(in: $0) }
            ?? rows.pages.contains { StoredProperties.areThere(in: $0.entity.managedObjectClass) }
        count = rows.count
        objects.reserveCapacity(count)
        context.take(rows)
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

    mutating func collectAll() {
        collect(count)
    }

    /// Registers the next `count` rows. Each becomes the object that the context has for its key, or a new one.
    mutating func collect(_ count: Int) {
        let slice = next..<min(next + count, self.count)
        next = slice.upperBound
        if runsInitializers { collectApart(slice) } else { collect(slice) }
        for stray in strays { context.forgetStray(stray) }
        strays = []
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
            // Rows in a sorted order lie all over the pages, and their keys all over the table. Waiting for one cache
            // line after another would take longer than the work itself.
            if position + 24 < order.endIndex {
                csystem_prefetch(rows.reference(order[position + 24]).row.address)
            }
            table.prefetch(from: position, to: order.endIndex) { rows.reference(order[$0]).row.key }
            let reference = rows.reference(order[position])
            objects.append(object(reference, in: &table))
        }
    }

    /// Registers the next rows in the order of their pages.
    private mutating func collectInPlace(_ count: Int, _ table: inout ObjectTable) {
        var left = count
        while left > 0 {
            let page = rows.pages[place.page]
            let end = min(place.index + left, page.count)
            left -= end - place.index
            // Neighbouring keys share chunks of the table, which the processor then has in its cache anyway.
            let areNeighbours = page.hasNeighbours
            for index in place.index..<end {
                if !areNeighbours { table.prefetch(from: index, to: end) { page.row($0).key } }
                objects.append(object(RowReference(page.row(index)), in: &table))
            }
            place = end == page.count ? (place.page + 1, 0) : (place.page, end)
        }
    }

    /// Registers rows of classes whose objects must not be made while the registry is locked.
    private mutating func collectApart(_ slice: Range<Int>) {
        for position in slice { objects.append(objectApart(reference(at: position))) }
    }

    private mutating func reference(at position: Int) -> RowReference {
        if let order = rows.order { return rows.reference(order[position]) }
        while place.index == rows.pages[place.page].count { place = (place.page + 1, 0) }
        defer { place.index += 1 }
        let page = rows.pages[place.page]
        return RowReference(page.row(place.index))
    }

    private mutating func objectApart(_ reference: RowReference) -> ManagedObject {
        let known = context.registry.object(root, reference.row.key)
        if let known, known.entityIndex == reference.entityIndex {
            refill(known, reference)
            return known
        }
        let object = newObject(reference)
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

    /// Gives a known object the fetched values if it is a fault, or if the fetch refreshes objects and it has no
    /// unsaved changes.
    private func refill(_ object: ManagedObject, _ fresh: RowReference) {
        guard object.isFault || (fetch.refreshes && !object.hasChanges) else { return }
        if object.row.version > fresh.row.version, !object.state.contains(.isHollow) { return }
        object.leaveRow()
        object.adopt(fresh.page.takeUnretainedValue(), fresh.row)
        object.state.subtract([.isHollow, .isWritable])
    }
}

extension [ManagedObject] {
    /// Returns the same array, typed by the class of all its objects. O(1): arrays of references differ only in their
    /// static type.
    func asserting<Object: ManagedObject>(_ type: Object.Type) -> [Object] {
        assert(allSatisfy { $0 is Object }, "an object of another class than \(type)")
        return unsafeBitCast(self, to: [Object].self)
    }
}
