/// Changed, or deleted, objects in the order in which they came. Any of them may be taken out again: n of them in O(n).
///
/// An object that is taken out is looked for from the end, where recent changes are. When that has gone on for too
/// long, the positions of all are noted, and one that goes leaves a gap, until the objects are asked for.
struct PendingObjects {
    private var members: ContiguousArray<ManagedObject> = []
    private var gaps: Set<Int> = []
    /// Where each object is; nil as long as looking is cheap.
    private var positions: [ObjectIdentifier: Int]?
    /// How many of `members`, gaps included, the last objects-did-change has told of.
    private var reported = 0
    /// How many objects were looked at since the positions were last noted.
    private var looks = 0
    /// How many objects were looked at, and how many positions noted, in all.
    private(set) var steps = 0

    /// How often all may be looked at before their positions are noted, and how many there must be for that.
    private static let patience = 8
    private static let many = 256

    var isEmpty: Bool { members.count == gaps.count }
    var count: Int { members.count - gaps.count }

    /// The objects. Closes the gaps.
    var all: ContiguousArray<ManagedObject> {
        mutating get {
            closeGaps()
            return members
        }
    }

    /// Those that no objects-did-change has told of.
    var unreported: ContiguousArray<ManagedObject>.SubSequence {
        mutating get {
            closeGaps()
            return members[reported...]
        }
    }

    mutating func noteReported() {
        reported = members.count
    }

    /// Appends an object that is not there.
    mutating func append(_ object: ManagedObject) {
        positions?[ObjectIdentifier(object)] = members.count
        members.append(object)
    }

    /// Takes an object out.
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

    /// Takes out all that do not meet a condition any more.
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
