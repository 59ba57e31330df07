/// References in the order of their addition, each once. Every operation but reading them all takes O(1), amortized.
struct AddedReferences {
    /// As many references as are found faster one by one than in a dictionary, which most lists never need.
    private static let few = 8
    /// What takes the place of a removed reference.
    private static let gap = ObjectReference(entity: -1, key: 0)

    private var references: [ObjectReference] = []
    private var gapCount = 0
    /// The place of each reference, if there are many.
    private var places: [ObjectReference: Int]?

    var isEmpty: Bool { references.count == gapCount }

    /// All references, in the order of their addition. O(n).
    var all: [ObjectReference] { gapCount == 0 ? references : references.filter { $0 != Self.gap } }

    func contains(_ reference: ObjectReference) -> Bool {
        places.map { $0[reference] != nil } ?? references.contains(reference)
    }

    /// Appends a reference that is not there yet.
    mutating func append(_ reference: ObjectReference) {
        places?[reference] = references.count
        references.append(reference)
        if references.count > Self.few, places == nil { notePlaces() }
    }

    /// Removes a reference; returns whether it was there.
    mutating func remove(_ reference: ObjectReference) -> Bool {
        guard places != nil else {
            guard let place = references.firstIndex(of: reference) else { return false }
            references.remove(at: place)
            return true
        }
        guard let place = places?.removeValue(forKey: reference) else { return false }
        references[place] = Self.gap
        gapCount += 1
        if gapCount > references.count / 2 { replaceAll(by: all) }
        return true
    }

    mutating func removeAll() {
        self = AddedReferences()
    }

    /// Replaces each reference by another one.
    mutating func rename(_ name: (ObjectReference) -> ObjectReference) {
        if !isEmpty { replaceAll(by: all.map(name)) }
    }

    private mutating func replaceAll(by others: [ObjectReference]) {
        (references, gapCount, places) = (others, 0, nil)
        if others.count > Self.few { notePlaces() }
    }

    private mutating func notePlaces() {
        places = Dictionary(references.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Checks the invariants between calls. For tests.
    func _checkInvariants() {
        precondition(Set(all).count == all.count, "an object is added twice")
        precondition(references.count - all.count == gapCount, "the number of gaps is wrong")
        if let places { precondition(places.count == all.count, "a reference has no place") }
        for (reference, place) in places ?? [:] {
            precondition(references[place] == reference, "a reference has another place")
        }
    }
}
