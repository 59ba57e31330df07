import Foundation
import Testing

@testable import BenchHarness

/// Reference values are SciPy 1.17.1's: `wilcoxon(differences, method=…)`.
@Suite struct SignedRankTests {
    @Test(arguments: [
        ([6.0, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75], 96.0, 0.041259765625),
        // With ties: method=PermutationMethod(n_resamples=inf).
        ([1, -1, 2, 2, 0, 3, -3, 4, 4, 5], 38, 0.07421875),
    ])
    func exactValuesAgreeWithReferenceValues(differences: [Double], statistic: Double, p: Double) throws {
        let test = try #require(SignedRank(differences: differences))
        #expect(test.isExact)
        #expect(test.statistic == statistic)
        #expect(abs(test.p - p) < 1e-14)
    }

    /// `method="approx", correction=True`.
    @Test func largeSamplesAgreeWithTheNormalApproximation() throws {
        let differences = (0..<60).map { Double($0 * 37 % 101 - 40) / 4 }
        let plain = try #require(SignedRank(differences: differences))
        #expect(!plain.isExact)
        #expect(abs(plain.p - 0.022858234652659223) < 1e-14)
        let tiedDifferences = (0..<70).map { Double($0 * 7 % 12 - 4) }
        let tied = try #require(SignedRank(differences: tiedDifferences))
        #expect(!tied.isExact)
        #expect(abs(tied.p - 0.0015232728167089906) < 1e-14)
    }

    /// The largest smaller rank sum that is significant at 0.05, two-sided, for 5 to 50 differences; -1 where there is
    /// none: Wilcoxon and Wilcox, "Some Rapid Approximate Statistical Procedures" (1964).
    @Test func criticalValuesAgreeWithThePublishedTable() throws {
        let critical = [
            -1, 0, 2, 3, 5, 8, 10, 13, 17, 21, 25, 29, 34, 40, 46, 52, 58, 65, 73, 81, 89, 98, 107, 116, 126, 137, 147,
            159, 170, 182, 195, 208, 221, 235, 249, 264, 279, 294, 310, 327, 343, 361, 378, 396, 415, 434,
        ]
        for (index, value) in critical.enumerated() {
            if value >= 0 { #expect(try p(index + 5, rankSum: value) <= 0.05) }
            #expect(try p(index + 5, rankSum: value + 1) > 0.05)
        }
    }

    /// Of so many differences without ties whose positive ones have this rank sum.
    private func p(_ count: Int, rankSum: Int) throws -> Double {
        var rest = rankSum
        let differences = (1...count).reversed().map { rank in
            let isPositive = rank <= rest
            if isPositive { rest -= rank }
            return Double(isPositive ? rank : -rank)
        }
        let test = try #require(SignedRank(differences: differences))
        #expect(test.statistic == Double(rankSum))
        return test.p
    }

    @Test func tiedDifferencesAgreeWithGoingThroughEverySign() throws {
        var random = SplitMix64(state: 8)
        for _ in 0..<40 {
            let count = Int.random(in: 1...10, using: &random)
            let differences = (0..<count).map { _ in Double(Int.random(in: -4...4, using: &random)) }
            let test = try #require(SignedRank(differences: differences))
            #expect(abs(test.p - enumeratedP(differences.filter { $0 != 0 })) < 1e-12, "\(differences)")
        }
    }

    private func enumeratedP(_ differences: [Double]) -> Double {
        let sizes = differences.map(abs)
        let ranks = sizes.map { size in
            Double(sizes.filter { $0 < size }.count) + Double(sizes.filter { $0 == size }.count + 1) / 2
        }
        let sum = differences.indices.reduce(0) { $0 + (differences[$1] > 0 ? ranks[$1] : 0) }
        let all = (0..<1 << ranks.count).map { signs in
            ranks.indices.reduce(0) { $0 + (signs >> $1 & 1 == 1 ? ranks[$1] : 0) }
        }
        let tails = (all.filter { $0 <= sum }.count, all.filter { $0 >= sum }.count)
        return min(1, 2 * Double(min(tails.0, tails.1)) / Double(all.count))
    }

    @Test func signsAndScaleDoNotMatter() throws {
        let differences = [0.4, -1.2, 3.3, 0.7, 2.5, -0.1, 0.9, 5]
        let p = try #require(SignedRank(differences: differences)).p
        #expect(SignedRank(differences: differences.map { -$0 })?.p == p)
        #expect(SignedRank(differences: differences.map { $0 * 8 })?.p == p)
    }

    @Test func differencesThatAreAllZeroHaveAPOfOne() {
        #expect(SignedRank(differences: [0, 0, 0])?.p == 1)
        #expect(SignedRank(differences: []) == nil)
        #expect(SignedRank(differences: [1, .nan]) == nil)
    }

    @Test func smallestPIsThatOfOneSign() throws {
        for count in 1...12 {
            let test = try #require(SignedRank(differences: (1...count).map(Double.init)))
            #expect(test.p == SignedRank.smallestP(count))
        }
        #expect(SignedRank.countNeeded(tests: 1, alpha: 0.05) == 6)
        #expect(SignedRank.countNeeded(tests: 10, alpha: 0.05) == 9)
        #expect(SignedRank.countNeeded(tests: 1, alpha: 0) == nil)
    }
}
