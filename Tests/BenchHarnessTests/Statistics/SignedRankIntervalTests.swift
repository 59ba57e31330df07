import Foundation
import Testing

@testable import BenchHarness

@Suite struct SignedRankIntervalTests {
    /// Hamilton's depression scale before and after treatment: R's example of `wilcox.test`, from Hollander and Wolfe
    /// (1973), whose V is 40, p 0.03906, estimate 0.46 and interval 0.010 to 0.786.
    private static let depression = zip(
        [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30],
        [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    ).map { $0 - $1 }

    @Test func publishedExampleIsReproduced() throws {
        let test = try #require(SignedRank(differences: Self.depression))
        #expect(test.statistic == 40)
        #expect(test.p == 0.0390625)
        let centre = try #require(SignedRank.pseudoMedian(ofDifferences: Self.depression))
        #expect(abs(centre - 0.46) < 1e-9)
        let interval = try #require(SignedRank.interval(ofDifferences: Self.depression, confidence: 0.95))
        #expect(abs(interval.lowerBound - 0.010) < 1e-9)
        #expect(abs(interval.upperBound - 0.786) < 1e-9)
    }

    /// Every choice of signs of symmetric differences is as likely: the share whose interval holds 0 is the confidence.
    @Test(arguments: [(6, 0.95), (7, 0.95), (8, 0.99), (10, 0.9), (11, 0.95)])
    func intervalHoldsTheCentreAsOftenAsItSays(count: Int, confidence: Double) throws {
        // No two sums of these are equal, so that no mean of two is 0.
        let sizes = (0..<count).map { Double(1 << $0) + 0.5 }
        var held = 0
        var heldByNext = 0
        for signs in 0..<1 << count {
            let differences = sizes.indices.map { signs >> $0 & 1 == 1 ? sizes[$0] : -sizes[$0] }
            let interval = try #require(SignedRank.interval(ofDifferences: differences, confidence: confidence))
            if interval.contains(0) { held += 1 }
            if interval.lowerBound < 0, next(inside: interval, differences).contains(0) { heldByNext += 1 }
        }
        #expect(Double(held) >= confidence * Double(1 << count))
        #expect(Double(heldByNext) < confidence * Double(1 << count), "a narrower interval would do")
    }

    /// The interval one average further in.
    private func next(inside interval: ClosedRange<Double>, _ differences: [Double]) -> ClosedRange<Double> {
        let averages = differences.indices.flatMap { i in
            differences.indices.filter { $0 >= i }.map { (differences[i] + differences[$0]) / 2 }
        }.sorted()
        let (lower, upper) = (averages.firstIndex(of: interval.lowerBound), averages.lastIndex(of: interval.upperBound))
        return averages[(lower ?? 0) + 1]...averages[(upper ?? 0) - 1]
    }

    @Test func tooFewDifferencesHaveNoInterval() {
        #expect(SignedRank.interval(ofDifferences: [1, 2, 3, 4, 5], confidence: 0.95) == nil)
        #expect(SignedRank.interval(ofDifferences: [1, 2, 3, 4, 5, 6], confidence: 0.95) == 1...6)
        #expect(SignedRank.interval(ofDifferences: [1, 2, 3, 4, 5, 6, 7], confidence: 0.99) == nil)
        #expect(SignedRank.interval(ofDifferences: [], confidence: 0.95) == nil)
        #expect(SignedRank.pseudoMedian(ofDifferences: []) == nil)
    }

    @Test func zerosAreKept() {
        #expect(SignedRank.pseudoMedian(ofDifferences: [0, 0, 0, 0, 9]) == 0)
        #expect(SignedRank.interval(ofDifferences: [Double](repeating: 0, count: 8), confidence: 0.95) == 0...0)
    }

    @Test func largeSamplesNarrowTheInterval() throws {
        let values = (0..<200).map { Double($0 * 73 % 200) }
        let small = try #require(SignedRank.interval(ofDifferences: Array(values[..<50]), confidence: 0.95))
        let large = try #require(SignedRank.interval(ofDifferences: values, confidence: 0.95))
        #expect(large.contains(99.5))
        #expect(large.upperBound - large.lowerBound < small.upperBound - small.lowerBound)
    }

    /// One driver's times have a second mode, 30 % above the first, so that the differences are not symmetric, as the
    /// test assumes. The worst case is one in which the centre itself lies between two modes.
    @Test(arguments: [6, 8, 12], [0.1, 0.3, 0.5])
    func theCentreIsHeldAlmostAsOftenIfOneSideHasTwoModes(count: Int, share: Double) throws {
        var random = SplitMix64(state: UInt64(count))
        let mode = log(1.3)
        let centre = Self.centre(ofModes: mode, share: share, deviation: 0.02)
        let held = try (0..<2_000).count { _ in
            let differences = (0..<count).map { _ in
                (random.unit() < share ? mode : 0) + 0.02 * (random.nextNormal() - random.nextNormal())
            }
            let interval = SignedRank.interval(ofDifferences: differences, confidence: 0.95)
            return try #require(interval).contains(centre)
        }
        #expect((0.85...0.99).contains(Double(held) / 2_000), "\(held)")
    }

    /// Returns the median of the means of two differences: these lie around no mode, one half and one, and vary as one
    /// side does.
    private static func centre(ofModes mode: Double, share: Double, deviation: Double) -> Double {
        let weights = [(1 - share) * (1 - share), 2 * share * (1 - share), share * share]
        var (low, high) = (-1.0, 1.0)
        while high - low > 1e-9 {
            let middle = (low + high) / 2
            let below = weights.enumerated().reduce(0) { sum, part in
                sum + part.element
                    * NormalDistribution.cumulative((middle - Double(part.offset) * mode / 2) / deviation)
            }
            if below < 0.5 { low = middle } else { high = middle }
        }
        return low
    }
}
