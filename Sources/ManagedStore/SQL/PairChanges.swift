/// The pairs of one join table that a save removes and adds, each once and in ascending order, so that saves lock them
/// in one order, and an index takes neighbours one after the other.
///
/// The removals come first. Of several changes of one pair, the last decides whether the pair is added.
struct PairChanges {
    /// The keys of the objects at both ends.
    struct Pair: Comparable {
        let first: Int64
        let second: Int64

        static func < (one: Pair, other: Pair) -> Bool { (one.first, one.second) < (other.first, other.second) }
    }

    /// The relationship's number in the model.
    let join: Int
    private(set) var removed: [Pair] = []
    private(set) var added: [Pair] = []

    /// Returns the changes of a save by join table, without the pairs of objects that were discarded before the save.
    static func all(_ links: [LinkChange], _ keys: PermanentKeys) -> [PairChanges] {
        if links.isEmpty { return [] }
        return links.groups(by: \.join).sorted { $0.key < $1.key }.map { PairChanges($0.key, $0.elements, keys) }
    }

    private init(_ join: Int, _ links: [LinkChange], _ keys: PermanentKeys) {
        self.join = join
        let changes = links.map { link in
            (pair: Pair(first: keys.permanent(link.first), second: keys.permanent(link.second)), link.isAdded)
        }
        // Changes of one pair stay in their order.
        let sorted = changes.filter { $0.pair.first != 0 && $0.pair.second != 0 }.sorted { $0.pair < $1.pair }
        for (index, (pair, isAdded)) in sorted.enumerated() {
            let isLast = index + 1 == sorted.count || sorted[index + 1].pair != pair
            if isAdded, isLast { added.append(pair) }
            if !isAdded, removed.last != pair { removed.append(pair) }
        }
    }
}
