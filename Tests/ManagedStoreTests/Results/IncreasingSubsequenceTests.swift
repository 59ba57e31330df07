import TestSupport
import Testing

@testable import ManagedStore

@Suite struct IncreasingSubsequenceTests {
    private func heaviest(_ members: [(Int, Int)]) -> Set<Int> {
        IncreasingSubsequence.heaviest(members.map { .init(position: $0.0, weight: $0.1) })
    }

    @Test func whatAscendsStaysWhole() {
        #expect(heaviest([]) == [])
        #expect(heaviest([(1, 1), (4, 1), (9, 1)]) == [0, 1, 2])
    }

    @Test func theLongestStaysAndTheHeavierOfTwoThatAreAsLong() {
        #expect(heaviest([(3, 1), (1, 1), (2, 1)]) == [1, 2])
        #expect(heaviest([(2, 1), (1, 5)]) == [1])
        #expect(heaviest([(2, 5), (1, 1)]) == [0])
        #expect(heaviest([(9, 9), (1, 1), (2, 1), (3, 1)]) == [0])
    }

    @Test func nothingIsHeavierThanWhatIsFound() {
        var random = SeededGenerator(seed: 7)
        for count in 0..<10 {
            for _ in 0..<40 {
                let members = Array(0..<count).shuffled(using: &random).map {
                    IncreasingSubsequence.Member(position: $0 * 3, weight: Int.random(in: 1...4, using: &random))
                }
                let found = IncreasingSubsequence.heaviest(members)
                let kept = found.sorted().map { members[$0] }
                #expect(zip(kept, kept.dropFirst()).allSatisfy { $0.position < $1.position })
                #expect(kept.reduce(0) { $0 + $1.weight } == weightOfHeaviest(members))
            }
        }
    }

    /// By trying all.
    private func weightOfHeaviest(_ members: [IncreasingSubsequence.Member]) -> Int {
        (0..<(1 << members.count)).map { choice in
            let chosen = members.indices.filter { choice >> $0 & 1 == 1 }.map { members[$0] }
            let ascends = zip(chosen, chosen.dropFirst()).allSatisfy { $0.position < $1.position }
            return ascends ? chosen.reduce(0) { $0 + $1.weight } : 0
        }.max() ?? 0
    }
}
