/// Changed or deleted objects in the order of their changes. Removing n of them takes O(n).
///
/// A removal searches from the end, where recent changes are. After too long a search, the table records the positions
/// of all objects; from then on, a removal leaves a gap until the objects are read.
struct PendingObjects {
    private var members: ContiguousArray<ManagedObject> = []
    private var gaps: Set<Int> = []
    /// The position of each object; nil as long as searches are short.
    private var positions: [ObjectIdentifier: Int]?
    /// The number of `members`, including gaps, that the last objects-did-change reported.
    private var reported = 0
    /// The number of objects that searches visited since the positions were last recorded.
    private var looks = 0
    /// The total number of objects visited and positions recorded.
    private(set) var steps = 0

    /// How many times searches may visit all objects before their positions are recorded, and how many objects must
    /// exist for that.
    private static let patience = 8
    private static let many = 256

    var isEmpty: Bool { members.count == gaps.count }
    var count: Int { members.count - gaps.count }

    /// The objects, after closing the gaps.
    var all: ContiguousArray<ManagedObject> {
        mutating get {
            closeGaps()
            return members
        }
    }

    /// The objects that no objects-did-change reported.
    var unreported: ContiguousArray<ManagedObject>.SubSequence {
        mutating get {
            closeGaps()
            return members[reported...]
        }
    }

    mutating func noteReported() {
        reported = members.count
    }

    /// Appends an object that is not in the list.
    mutating func append(_ object: ManagedObject) {
        positions?[ObjectIdentifier(object)] = members.count
        members.append(object)
    }

    /// Removes an object.
    mutating func remove(_ object: ManagedObject) {
        if positions == nil, members.count > Self.many, looks > Self.patience * members.count { notePositions() }
        if positions != nil {
            steps += 1
            if let position = positions?.removeValue(forKey: ObjectIdentifier(object)) { gaps.insert(position) }
            return
        }
        let position = members.lastIndex { $0 === object }
        let looked = members.count - (position ?? 0)
        looks += looked
        steps += looked
        guard let position else { return }
        members.remove(at: position)
        if position < reported { reported -= 1 }
    }

    /// Removes all objects that no longer meet a condition.
    mutating func keep(where condition: (ManagedObject) -> Bool) {
        closeGaps()
        reported = members[..<reported].count(where: condition)
        members.removeAll { !condition($0) }
    }

    private mutating func notePositions() {
        var positions: [ObjectIdentifier: Int] = [:]
        positions.reserveCapacity(members.count)
        for (position, object) in members.enumerated() { positions[ObjectIdentifier(object)] = position }
        self.positions = positions
        steps += members.count
        looks = 0
    }

    private mutating func closeGaps() {
        guard positions != nil else { return }
        positions = nil
        guard !gaps.isEmpty else { return }
        var kept: ContiguousArray<ManagedObject> = []
        kept.reserveCapacity(count)
        for (position, object) in members.enumerated() where !gaps.contains(position) { kept.append(object) }
        reported -= gaps.count { $0 < reported }
        (members, gaps) = (kept, [])
    }
}
