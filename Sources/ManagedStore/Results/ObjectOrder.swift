/// The order of a fetch request among objects in memory: exactly that in which the store returns them.
struct ObjectOrder {
    private let keys: [SortKey]

    init(_ plan: FetchPlan) {
        let layout = plan.source.entity.layout
        keys = plan.sort.map { SortKey($0, layout) }
    }

    func isBefore(_ left: ManagedObject, _ right: ManagedObject) -> Bool {
        if !keys.isEmpty {
            read(left)
            read(right)
        }
        let order = RowSorter.compare(RowReference(left.page, left.row), RowReference(right.page, right.row), keys)
        return order == 0 ? Self.rank(left) < Self.rank(right) : order < 0
    }

    /// Sees to it that a fault of the context has values to be compared by.
    @inline(__always) private func read(_ object: ManagedObject) {
        if object.state.contains(.isHollow), !object.state.contains(.isGone) { object.fireFault() }
    }

    /// Whether the first key holds both equal.
    func isEqualByFirstKey(_ left: ManagedObject, _ right: ManagedObject) -> Bool {
        RowSorter.compare(RowReference(left.page, left.row), RowReference(right.page, right.row), Array(keys.prefix(1)))
            == 0
    }

    func isSorted(_ objects: [some ManagedObject]) -> Bool {
        zip(objects, objects.dropFirst()).allSatisfy { isBefore($0, $1) }
    }

    /// Puts `others` into `objects`, which is in order. O(k log n + n).
    func merge<Object: ManagedObject>(_ others: [Object], into objects: [Object]) -> [Object] {
        guard !others.isEmpty else { return objects }
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

    /// The index of the first of `objects` that does not come before `object`.
    func insertionIndex<Object: ManagedObject>(of object: Object, in objects: [Object], from start: Int = 0) -> Int {
        var (low, high) = (start, objects.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(objects[middle], object) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Saved objects in the order of their keys, then new ones in the order in which they were made.
    private static func rank(_ object: ManagedObject) -> UInt64 {
        let key = object.row.key
        return key < 0 ? 1 << 63 | UInt64(-key) : UInt64(key)
    }
}
