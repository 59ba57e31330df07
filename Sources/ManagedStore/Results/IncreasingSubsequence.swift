/// Determines which members of a sequence can stay in place while the others move.
enum IncreasingSubsequence {
    /// A member: its previous position, and the weight of keeping it in place.
    struct Member {
        let position: Int
        let weight: Int
    }

    /// Returns the indices of the heaviest subsequence of members whose positions, all distinct, ascend. O(k log k).
    ///
    /// The classic search for the longest increasing subsequence (Fredman, 1975) with weights: for each member, the
    /// heaviest subsequence that ends with it extends the heaviest one that ends at a lower position, found in a tree
    /// of prefix maxima (Fenwick, 1994).
    static func heaviest(_ members: [Member]) -> Set<Int> {
        if zip(members, members.dropFirst()).allSatisfy({ $0.position < $1.position }) { return Set(members.indices) }
        let ranks = ranks(members)
        var ends = PrefixMaxima(count: members.count)
        var totals: [Int] = []
        var previous: [Int?] = []
        for (index, member) in members.enumerated() {
            let before = ends.heaviest(below: ranks[index])
            totals.append(member.weight + (before.map { totals[$0] } ?? 0))
            previous.append(before)
            ends.note(index, totals[index], at: ranks[index])
        }
        var kept: Set<Int> = []
        var next = ends.heaviest(below: members.count)
        while let index = next {
            kept.insert(index)
            next = previous[index]
        }
        return kept
    }

    /// Returns the rank of each member by position.
    private static func ranks(_ members: [Member]) -> [Int] {
        var ranks = [Int](repeating: 0, count: members.count)
        let sorted = members.indices.sorted { members[$0].position < members[$1].position }
        for (rank, index) in sorted.enumerated() { ranks[index] = rank }
        return ranks
    }

    /// Finds the heaviest entry below a rank.
    private struct PrefixMaxima {
        private var entries: [(index: Int, total: Int)?]

        init(count: Int) { entries = Array(repeating: nil, count: count + 1) }

        mutating func note(_ index: Int, _ total: Int, at rank: Int) {
            var node = rank + 1
            while node < entries.count {
                if (entries[node]?.total ?? 0) < total { entries[node] = (index, total) }
                node += node & -node
            }
        }

        func heaviest(below rank: Int) -> Int? {
            var (node, best) = (rank, nil as (index: Int, total: Int)?)
            while node > 0 {
                if let entry = entries[node], entry.total > (best?.total ?? 0) { best = entry }
                node -= node & -node
            }
            return best?.index
        }
    }
}
