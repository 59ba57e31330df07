/// The order of a fetch request among objects in memory: exactly that in which the store returns them.
struct ObjectOrder {
    private let keys: [SortKey]
    /// For each key, the to-one relationships that lead to the object with the value; empty if there are none at all.
    private let paths: [[ResolvedRelationship]]

    init(_ plan: FetchPlan) {
        keys = plan.sort.map { plan.key($0) }
        paths = plan.sortFollowsRelationships ? plan.sort.map(\.path) : []
    }

    func isBefore(_ left: ManagedObject, _ right: ManagedObject) -> Bool {
        if !keys.isEmpty {
            read(left)
            read(right)
        }
        let order = compare(left, right)
        return order == 0 ? Self.rank(left) < Self.rank(right) : order < 0
    }

    private func compare(_ left: ManagedObject, _ right: ManagedObject) -> Int {
        if paths.isEmpty { return RowSorter.compare(reference(left), reference(right), keys) }
        for index in keys.indices {
            let order = compare(left, right, index)
            if order != 0 { return order }
        }
        return 0
    }

    /// By one key alone.
    private func compare(_ left: ManagedObject, _ right: ManagedObject, _ index: Int) -> Int {
        if paths.isEmpty { return RowSorter.compare(reference(left), reference(right), keys[index]) }
        let (left, right) = (object(from: left, index), object(from: right, index))
        return withExtendedLifetime((left, right)) {
            keys[index].compare(left.map(reference), right.map(reference))
        }
    }

    /// The object that has the value of a key.
    private func object(from object: ManagedObject, _ index: Int) -> ManagedObject? {
        if paths.isEmpty || paths[index].isEmpty { return object }
        return object.managedObjectContext?.object(from: object, through: paths[index])
    }

    @inline(__always) private func reference(_ object: ManagedObject) -> RowReference {
        object.rowReference
    }

    /// Sees to it that a fault of the context has values to be compared by.
    @inline(__always) private func read(_ object: ManagedObject) {
        if object.state.contains(.isHollow), !object.state.contains(.isGone) { object.fireFault() }
    }

    /// Whether an object's unsaved changes are known to leave its sort keys as they were.
    func keepsKeys(_ object: ManagedObject) -> Bool {
        guard paths.isEmpty, object.hasChanges, let committed = object.committedRow else { return false }
        return keys.allSatisfy { RowPage.areEqual(committed, object.rowReference, $0.field) }
    }

    /// Whether the first key holds both equal.
    func isEqualByFirstKey(_ left: ManagedObject, _ right: ManagedObject) -> Bool {
        compare(left, right, 0) == 0
    }

    /// What the first key orders an object by.
    func firstValue(of object: ManagedObject) -> StoredValue {
        read(object)
        return self.object(from: object, 0).map { $0.page.value(of: keys[0].field, of: $0.row) } ?? .null
    }

    /// Reads what the order looks at beyond `objects`, all at once. To be held for as long as these are compared.
    func related(to objects: [ManagedObject]) -> [ManagedObject] {
        guard !paths.isEmpty, let context = objects.first?.managedObjectContext else { return [] }
        return paths.flatMap { context.readRelated(to: objects, through: $0) }
    }

    func isSorted(_ objects: [some ManagedObject]) -> Bool {
        zip(objects, objects.dropFirst()).allSatisfy { isBefore($0, $1) }
    }

    /// Puts `others` into `objects`, which is in order. O(k log n + n).
    func merge<Object: ManagedObject>(_ others: [Object], into objects: [Object]) -> [Object] {
        guard !others.isEmpty else { return objects }
        let held = related(to: isWorthReading(others.count, objects.count) ? others + objects : others)
        defer { withExtendedLifetime(held) {} }
        var merged: [Object] = []
        merged.reserveCapacity(objects.count + others.count)
        var start = 0
        for other in others.sorted(by: isBefore) {
            let end = insertionIndex(of: other, in: objects, from: start)
            merged += objects[start..<end]
            merged.append(other)
            start = end
        }
        return merged + objects[start...]
    }

    /// Whether putting `count` objects among `all` looks at so many that all may as well be read.
    private func isWorthReading(_ count: Int, _ all: Int) -> Bool {
        count * (Int.bitWidth - all.leadingZeroBitCount) >= all
    }

    /// The index of the first of `objects` that does not come before `object`.
    func insertionIndex<Object: ManagedObject>(of object: Object, in objects: [Object], from start: Int = 0) -> Int {
        objects[start...].partitionPoint { !isBefore($0, object) }
    }

    /// Saved objects in the order of their keys, then new ones in the order in which they were made.
    private static func rank(_ object: ManagedObject) -> UInt64 {
        let key = object.row.key
        return key < 0 ? 1 << 63 | UInt64(-key) : UInt64(key)
    }
}
