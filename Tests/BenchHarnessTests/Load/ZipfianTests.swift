import Foundation
import Testing

@testable import BenchHarness

/// The distributions, held against YCSB's definitions of them.
@Suite struct ZipfianTests {
    private static let draws = 400_000

    private func counts(_ items: Int, _ next: (inout SplitMix64) -> Int) -> [Int] {
        var random = SplitMix64(state: 7)
        var counts = [Int](repeating: 0, count: items)
        for _ in 0..<Self.draws { counts[next(&random)] += 1 }
        return counts
    }

    @Test func sumIsThatOfTheDefinition() {
        #expect(abs(Zipfian(items: 1_000).zeta - 7.728_953_217_284_729) < 1e-9)
    }

    /// Gray's method draws the two most popular exactly, the others approximately.
    @Test func twoMostPopularComeUpInZipfsProportion() {
        let zipfian = Zipfian(items: 1_000)
        let counts = counts(1_000) { zipfian.next(using: &$0) }
        let first = Double(Self.draws) / zipfian.zeta
        #expect(abs(Double(counts[0]) / first - 1) < 0.02)
        #expect(abs(Double(counts[1]) / (first * pow(0.5, 0.99)) - 1) < 0.03)
    }

    @Test func popularityFallsAsThePowerOfTheRank() {
        let zipfian = Zipfian(items: 1_000)
        let counts = counts(1_000) { zipfian.next(using: &$0) }
        for ranks in [2..<10, 10..<100, 100..<1_000] {
            let wanted = ranks.reduce(0) { $0 + pow(Double($1 + 1), -0.99) } / zipfian.zeta * Double(Self.draws)
            let found = Double(counts[ranks].reduce(0, +))
            #expect(abs(found / wanted - 1) < 0.12, "ranks \(ranks): \(found) for \(wanted)")
        }
    }

    @Test func growingGivesTheSumOfABeginningWithAll() {
        var grown = Zipfian(items: 10)
        grown.grow(to: 5_000)
        #expect(abs(grown.zeta - Zipfian(items: 5_000).zeta) < 1e-9)
        #expect(grown.items == 5_000)
    }

    /// Computed with an implementation of the definition in another language.
    @Test(arguments: [
        (0, 6_284_781_860_667_377_211), (1, 8_517_097_267_634_966_620), (1_000, 5_952_875_239_596_136_740),
    ])
    func scramblingHashIsFNV(value: Int, hash: Int) {
        #expect(ScrambledZipfian.hash(value) == hash)
    }

    @Test func scramblingSpreadsThePopularOverAllRecords() {
        let scrambled = ScrambledZipfian(items: 1_000)
        let counts = counts(1_000) { scrambled.next(using: &$0) }
        let popular = counts.indices.sorted { counts[$0] > counts[$1] }
        // The most popular of ten thousand million draws one in 26.5 by itself, and its share of the rest besides.
        let share = Double(counts[popular[0]]) / Double(Self.draws)
        #expect(share > 1 / 26.47 && share < 1.3 / 26.47)
        #expect(popular[0] == ScrambledZipfian.hash(0) % 1_000)
        #expect(counts.filter { $0 > 0 }.count > 990)
    }
}
