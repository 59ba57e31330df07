import Foundation

/// The IDs of many objects in a few bytes each, as notifications carry them.
///
/// The collection is iterated without building a `Set`; `contains` takes logarithmic time.
public struct ObjectIDSet: Sendable, RandomAccessCollection {
    struct Group: Sendable {
        let source: ObjectIDSource
        /// In ascending order without duplicates.
        var keys: [Int64]
    }

    private(set) var groups: [Group] = []
    /// The number of IDs.
    public private(set) var count = 0

    /// An empty set.
    public init() {}

    /// Makes a set of the IDs in `ids` without duplicates.
    public init(_ ids: some Sequence<ManagedObjectID>) {
        // Equal sources need not be identical, and there are few different ones.
        var bySource: [(source: ObjectIDSource, keys: [Int64])] = []
        var current = 0
        for id in ids {
            if bySource.isEmpty || bySource[current].source !== id.source {
                let known = bySource.firstIndex { $0.source === id.source || $0.source.isEqual(to: id.source) }
                current = known ?? bySource.count
                if known == nil { bySource.append((id.source, [])) }
            }
            bySource[current].keys.append(id.key)
        }
        for (source, keys) in bySource { insert(keys, of: source) }
    }

    mutating func formUnion(_ other: ObjectIDSet) {
        for group in other.groups { insert(group.keys, of: group.source) }
    }

    mutating func insert(_ keys: [Int64], of source: ObjectIDSource) {
        guard !keys.isEmpty else { return }
        if let index = groups.firstIndex(where: { $0.source.isEqual(to: source) }) {
            count -= groups[index].keys.count
            groups[index].keys = Self.sortedUnique(groups[index].keys + keys)
            count += groups[index].keys.count
        } else {
            let unique = Self.sortedUnique(keys)
            groups.append(Group(source: source, keys: unique))
            count += unique.count
        }
    }

    mutating func insert(_ keys: KeysByEntity, _ sources: [ObjectIDSource]) {
        for group in keys.groups { insert(group.keys, of: sources[group.entity]) }
    }

    static func sortedUnique(_ keys: [Int64]) -> [Int64] {
        if DistinctKeys.areInOrder(keys) { return keys }
        var unique: [Int64] = []
        for key in keys.sorted() where unique.last != key { unique.append(key) }
        return unique
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of IDs.
    public var endIndex: Int { count }

    /// Returns the ID at `position`. Entities are in no particular order.
    public subscript(position: Int) -> ManagedObjectID {
        var offset = position
        for group in groups {
            if offset < group.keys.count { return ManagedObjectID(source: group.source, key: group.keys[offset]) }
            offset -= group.keys.count
        }
        fatalError("position \(position) is out of range; there are \(count) IDs")
    }

    /// Whether the set contains `id`.
    public func contains(_ id: ManagedObjectID) -> Bool {
        guard let group = groups.first(where: { $0.source.isEqual(to: id.source) }) else { return false }
        return group.keys.containsSorted(id.key)
    }
}

extension [Int64] {
    /// Whether these keys, which are in ascending order, contain `key`. O(log n).
    func containsSorted(_ key: Int64) -> Bool {
        let place = partitionPoint { $0 >= key }
        return place < count && self[place] == key
    }
}
