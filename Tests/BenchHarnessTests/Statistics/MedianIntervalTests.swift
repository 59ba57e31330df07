import Foundation
import Testing

@testable import BenchHarness

@Suite struct MedianIntervalTests {
    /// The table of Conover, "Practical Nonparametric Statistics" (1999), A3, for a probability of 1/2.
    @Test(arguments: [(5, nil), (6, 1), (8, 1), (9, 2), (10, 2), (12, 3), (20, 6), (30, 10)] as [(Int, Int?)])
    func theBoundsAreOrderStatistics(count: Int, depth: Int?) {
        let values = (1...count).map(Double.init).reversed()
        let expected = depth.map { Double($0)...Double(count + 1 - $0) }
        #expect(MedianInterval.bounds(of: Array(values)) == expected)
    }

    @Test func theReachIsThatOfTheFartherEnd() throws {
        let reach = try #require(MedianInterval.reach(of: [90, 100, 100, 100, 100, 105]))
        #expect(abs(reach - 1 / 9) < 1e-12)
        #expect(MedianInterval.reach(of: [1, 1, 1, 1, 1]) == nil)
        #expect(MedianInterval.reach(of: [1, 1, 1, 1, 1, 0]) == nil)
    }

    /// Two modes, which are as likely as 3 to 7: the median lies in the first.
    @Test(arguments: [6, 9, 15, 30])
    func theIntervalHoldsTheMedianWhateverTheModes(count: Int) throws {
        var random = SplitMix64(state: UInt64(count))
        let median = 0.02 * NormalDistribution.quantile(0.5 / 0.7)
        let held = try (0..<2_000).count { _ in
            let values = (0..<count).map { _ in (random.unit() < 0.3 ? 0.3 : 0) + 0.02 * random.nextNormal() }
            return try #require(MedianInterval.bounds(of: values)).contains(median)
        }
        #expect(held >= 1_880, "\(held) of 2,000")
    }
}
