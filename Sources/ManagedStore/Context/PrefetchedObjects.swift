/// The related objects that fetches read in advance.
///
/// Objects hold references to related objects, not the objects themselves. The context therefore holds what it
/// prefetched, in a group for each fetch, as long as an object of that fetch is in use. It looks for unused groups at
/// each fetch.
struct PrefetchedObjects {
    private struct Group {
        let branches: [PrefetchBranch]
        let objects: [[ManagedObject]]
        /// The root entity and the keys of the objects that were fetched.
        let root: Int
        let keys: [Int64]
        /// The index of the first key whose object may be in use.
        var first = 0

        /// The root entity with the first key whose object may be in use; each group has one.
        var place: ObjectReference { ObjectReference(entity: root, key: keys[first]) }

        /// Advances to the first key whose object may be in use, and returns that object; nil for none.
        ///
        /// An object that another group holds is no evidence of use: two groups that lead to each other would stay for
        /// ever.
        mutating func firstInUse(_ table: ObjectTable) -> ManagedObject? {
            while first < keys.count {
                if let object = table.object(keys[first]), !object.state.contains(.isPrefetched) { return object }
                first += 1
            }
            return nil
        }
    }

    /// By their numbers, in the order in which they were read.
    private var groups: [Int: Group] = [:]
    /// The numbers of the groups by the root entity and the key of the first object that may be in use.
    private var numbers: [ObjectReference: [Int]] = [:]
    private var nextNumber = 0

    var isEmpty: Bool { groups.isEmpty }

    /// Holds `objects`, which `branches` lead to from the objects of a fetch.
    ///
    /// They replace those of an earlier fetch of the same objects. A list that is fetched again and again thus needs
    /// the memory of one fetch.
    mutating func hold(_ objects: [[ManagedObject]], _ branches: [PrefetchBranch], for fetched: [ManagedObject]) {
        guard let root = fetched.first?.rootIndex else { return }
        let group = Group(branches: branches, objects: objects, root: root, keys: fetched.keys)
        for key in group.keys { removeGroups(ObjectReference(entity: root, key: key), branches) }
        if objects.allSatisfy(\.isEmpty) { return }
        Self.mark(group, isHeld: true)
        add(group, nextNumber)
        nextNumber += 1
    }

    private mutating func add(_ group: Group, _ number: Int) {
        groups[number] = group
        numbers[group.place, default: []].append(number)
    }

    /// Releases the groups of the same branches whose first object that may be in use is at `place`.
    private mutating func removeGroups(_ place: ObjectReference, _ branches: [PrefetchBranch]) {
        guard let there = numbers[place] else { return }
        let replaced = there.filter { groups[$0]?.branches == branches }
        for number in replaced {
            if let group = groups.removeValue(forKey: number) { Self.mark(group, isHeld: false) }
        }
        numbers[place] = replaced.count == there.count ? nil : there.filter { !replaced.contains($0) }
    }

    /// Releases the groups of fetches of which no object is in use.
    mutating func releaseUnused(_ registry: ObjectRegistry) {
        let before = groups.sorted { $0.key < $1.key }
        (groups, numbers) = ([:], [:])
        for (number, group) in before {
            var group = group
            // Returned, so that its last reference does not go while the registry is locked. Others are held here.
            let used = registry.withTable(group.root) { group.firstInUse($0) }
            if used != nil { add(group, number) } else { Self.mark(group, isHeld: false) }
        }
    }

    private static func mark(_ group: Group, isHeld: Bool) {
        for objects in group.objects {
            objects.forEachUncounted { object in
                if isHeld { object.state.insert(.isPrefetched) } else { object.state.remove(.isPrefetched) }
            }
        }
    }

    mutating func removeAll() {
        for group in groups.values { Self.mark(group, isHeld: false) }
        self = PrefetchedObjects()
    }
}

extension ManagedObjectContext {
    /// Releases related objects that earlier fetches read in advance and whose results are no longer in use.
    func releaseUnusedPrefetches() {
        if !prefetched.isEmpty { prefetched.releaseUnused(registry) }
    }
}
