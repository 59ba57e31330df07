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

    private var groups: [Group] = []

    var isEmpty: Bool { groups.isEmpty }

    /// Holds `objects`, which `branches` lead to from the objects of a fetch.
    ///
    /// They replace those of an earlier fetch of the same objects. A list that is fetched again and again thus needs
    /// the memory of one fetch.
    mutating func hold(_ objects: [[ManagedObject]], _ branches: [PrefetchBranch], for fetched: [ManagedObject]) {
        guard let root = fetched.first?.rootIndex else { return }
        let group = Group(branches: branches, objects: objects, root: root, keys: fetched.keys)
        for old in groups where Self.replaces(group, old) { Self.mark(old, isHeld: false) }
        groups.removeAll { Self.replaces(group, $0) }
        if objects.allSatisfy(\.isEmpty) { return }
        Self.mark(group, isHeld: true)
        groups.append(group)
    }

    private static func replaces(_ new: Group, _ old: Group) -> Bool {
        old.root == new.root && old.branches == new.branches && new.keys.contains(old.keys[old.first])
    }

    /// Releases the groups of fetches of which no object is in use.
    mutating func releaseUnused(_ registry: ObjectRegistry) {
        var kept: [Group] = []
        for var group in groups {
            // Returned, so that its last reference does not go while the registry is locked. Others are held here.
            let used = registry.withTable(group.root) { group.firstInUse($0) }
            if used != nil { kept.append(group) } else { Self.mark(group, isHeld: false) }
        }
        groups = kept
    }

    private static func mark(_ group: Group, isHeld: Bool) {
        for objects in group.objects {
            objects.forEachUncounted { object in
                if isHeld { object.state.insert(.isPrefetched) } else { object.state.remove(.isPrefetched) }
            }
        }
    }

    mutating func removeAll() {
        for group in groups { Self.mark(group, isHeld: false) }
        groups = []
    }
}

extension ManagedObjectContext {
    /// Releases related objects that earlier fetches read in advance and whose results are no longer in use.
    func releaseUnusedPrefetches() {
        if !prefetched.isEmpty { prefetched.releaseUnused(registry) }
    }
}
