/// The order of a fetch request applied to objects in memory: exactly the order of the store's results.
struct ObjectOrder {
    private let keys: [SortKey]
    /// For each key, the to-one relationships to the object with the value. Empty if no key has any.
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
        return precedes(left.row, right.row, compare(left, right))
    }

    private func compare(_ left: ManagedObject, _ right: ManagedObject) -> Int {
        if paths.isEmpty { return RowSorter.compare(reference(left), reference(right), keys) }
        for index in keys.indices {
            let order = compare(left, right, index)
            if order != 0 { return order }
        }
        return 0
    }

    /// Compares by a single key.
    private func compare(_ left: ManagedObject, _ right: ManagedObject, _ index: Int) -> Int {
        if paths.isEmpty { return RowSorter.compare(reference(left), reference(right), keys[index]) }
        let (left, right) = (object(from: left, index), object(from: right, index))
        return withExtendedLifetime((left, right)) {
            keys[index].compare(left.map(reference), right.map(reference))
        }
    }

    /// Returns the object that has the value of a key.
    private func object(from object: ManagedObject, _ index: Int) -> ManagedObject? {
        if paths.isEmpty || paths[index].isEmpty { return object }
        return object.managedObjectContext?.object(from: object, through: paths[index])
    }

    @inline(__always) private func reference(_ object: ManagedObject) -> RowReference {
        object.rowReference
    }

    /// Reads a fault of the context, so that it has values to compare.
    @inline(__always) private func read(_ object: ManagedObject) {
        if object.state.contains(.isHollow), !object.state.contains(.isGone) { object.fireFault() }
    }

    /// Whether an object's unsaved changes are known to leave its sort keys unchanged.
    func keepsKeys(_ object: ManagedObject) -> Bool {
        guard paths.isEmpty, object.hasChanges, let committed = object.committedRow else { return false }
        return keys.allSatisfy { RowPage.areEqual(committed, object.rowReference, $0.field) }
    }

    /// Whether both objects are equal by the first key.
    func isEqualByFirstKey(_ left: ManagedObject, _ right: ManagedObject) -> Bool {
        compare(left, right, 0) == 0
    }

    /// Returns an object's value for the first key.
    func firstValue(of object: ManagedObject) -> StoredValue {
        read(object)
        return self.object(from: object, 0).map { $0.page.value(of: keys[0].field, of: $0.row) } ?? .null
    }

    /// Reads the related objects that the order depends on, all at once. The caller holds them during comparisons.
    func related(to objects: [ManagedObject]) -> [ManagedObject] {
        guard !paths.isEmpty, let context = objects.first?.managedObjectContext else { return [] }
        return paths.flatMap { context.readRelated(to: objects, through: $0) }
    }

    func isSorted(_ objects: [ManagedObject]) -> Bool {
        if !paths.isEmpty { return zip(objects, objects.dropFirst()).allSatisfy { isBefore($0, $1) } }
        var (isSorted, last) = (true, nil as RowReference?)
        objects.forEachUncounted { object in
            if !keys.isEmpty { read(object) }
            let next = reference(object)
            if let last, isSorted {
                isSorted = precedes(last.row, next.row, RowSorter.compare(last, next, keys))
            }
            last = next
        }
        return isSorted
    }

    /// - Parameter order: How the rows compare by the keys.
    @inline(__always) private func precedes(_ left: RowPointer, _ right: RowPointer, _ order: Int) -> Bool {
        order == 0 ? Self.rank(left) < Self.rank(right) : order < 0
    }

    /// Merges `others` into `objects`, which is sorted. Returns their positions, too. O(k log n + n).
    func merge(
        _ others: [ManagedObject], into objects: [ManagedObject]
    ) -> (objects: [ManagedObject], positions: [Int]) {
        guard !others.isEmpty else { return (objects, []) }
        let held = related(to: isWorthReading(others.count, objects.count) ? others + objects : others)
        defer { withExtendedLifetime(held) {} }
        var (merged, positions) = ([ManagedObject](), [Int]())
        merged.reserveCapacity(objects.count + others.count)
        var start = 0
        for other in others.sorted(by: isBefore) {
            let end = insertionIndex(of: other, in: objects, from: start)
            merged += objects[start..<end]
            positions.append(merged.count)
            merged.append(other)
            start = end
        }
        merged += objects[start...]
        return (merged, positions)
    }

    /// Whether inserting `count` objects into `all` compares so many that reading all of them at once is better.
    private func isWorthReading(_ count: Int, _ all: Int) -> Bool {
        count * (Int.bitWidth - all.leadingZeroBitCount) >= all
    }

    /// Returns the index of the first of `objects` that does not come before `object`.
    func insertionIndex(of object: ManagedObject, in objects: [ManagedObject], from start: Int = 0) -> Int {
        objects[start...].partitionPoint { !isBefore($0, object) }
    }

    /// Returns the rank: saved objects by key, then new ones in the order of insertion.
    private static func rank(_ row: RowPointer) -> UInt64 {
        let key = row.key
        return key < 0 ? 1 << 63 | UInt64(-key) : UInt64(key)
    }
}
