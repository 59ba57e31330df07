import Foundation
import Testing

@testable import BenchHarness

@Suite struct SampleRatioTests {
    /// Example 4.1 of Hollander and Wolfe (1999): the shift is -0.305, and the interval of 96 % -0.76 to 0.15.
    @Test func publishedExampleIsReproduced() throws {
        let atTerm = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
        let earlier = [1.15, 0.88, 0.90, 0.74, 1.21]
        let ratio = try #require(SampleRatio(base: atTerm.map { exp($0) }, new: earlier.map { exp($0) }))
        let interval = try #require(ratio.interval)
        #expect(abs(log(ratio.ratio) + 0.305) < 1e-12)
        #expect(abs(log(interval.lowerBound) + 0.76) < 1e-12 && abs(log(interval.upperBound) - 0.15) < 1e-12)
    }

    /// The same in Python, with NumPy 2.4.6: the distribution of U counted by its recursion.
    @Test func figuresAgreeWithReferenceValues() throws {
        try expect(
            SampleRatio(base: [10, 11, 12, 10.5], new: [13, 15, 14, 12.5]), (1.25, 1.0416666666666667...1.5),
            within: 1e-12)
        try expect(
            SampleRatio(
                base: [100, 101, 99, 102, 103, 98, 97, 104], new: [110, 111, 109, 108, 112, 113, 107, 106],
                confidence: 0.99), (1.089554364348694, 1.0485436893203886...1.1326530612244892), within: 1e-12)
        let base = (0..<40).map { Double(1000 + $0 * 37 % 53) }
        let new = (0..<36).map { Double(1030 + $0 * 29 % 47) }
        try expect(
            SampleRatio(base: base, new: new), (1.0267639049590636, 1.0195121951219508...1.0337512054001927),
            within: 1e-12)
    }

    @Test func manyValuesHaveTheIntervalOfTheNormalApproximation() throws {
        let base = (0..<60).map { Double(1000 + $0 * 37 % 53) }
        let new = (0..<60).map { Double(1030 + $0 * 29 % 47) }
        try expect(
            SampleRatio(base: base, new: new), (1.026868536392715, 1.0212765957446808...1.0324803149606296),
            within: 1e-12)
    }

    private func expect(
        _ ratio: SampleRatio?, _ expected: (Double, ClosedRange<Double>), within tolerance: Double,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let ratio = try #require(ratio, sourceLocation: sourceLocation)
        let own = try #require(ratio.interval, sourceLocation: sourceLocation)
        #expect(abs(ratio.ratio - expected.0) < tolerance, sourceLocation: sourceLocation)
        #expect(abs(own.lowerBound - expected.1.lowerBound) < tolerance, sourceLocation: sourceLocation)
        #expect(abs(own.upperBound - expected.1.upperBound) < tolerance, sourceLocation: sourceLocation)
    }

    @Test func scaleOfBothSidesDoesNotMatter() throws {
        let (base, new) = ([1.5, 1.1, 1.3, 1.9, 1.2], [1.7, 1.4, 2.1, 1.6, 1.8])
        let plain = try #require(SampleRatio(base: base, new: new))
        let scaled = try #require(SampleRatio(base: base.map { $0 * 1e9 }, new: new.map { $0 * 1e9 }))
        let (own, other) = try (#require(plain.interval), #require(scaled.interval))
        #expect(abs(plain.ratio - scaled.ratio) < 1e-12)
        #expect(abs(own.lowerBound - other.lowerBound) < 1e-12 && abs(own.upperBound - other.upperBound) < 1e-12)
    }

    @Test func swappingTheSidesInvertsTheRatio() throws {
        let (base, new) = ([1.5, 1.1, 1.3, 1.9, 1.2], [1.7, 1.4, 2.1, 1.6])
        let forward = try #require(SampleRatio(base: base, new: new))
        let backward = try #require(SampleRatio(base: new, new: base))
        let (own, other) = try (#require(forward.interval), #require(backward.interval))
        #expect(abs(forward.ratio * backward.ratio - 1) < 1e-12)
        #expect(abs(own.lowerBound * other.upperBound - 1) < 1e-12)
    }

    /// Equal values too: that one repetition does not vary says nothing.
    @Test(arguments: [[2.0], [2, 2], [2, 2, 2], [1.9, 2, 2.1]])
    func fewerThanFourValuesHaveNoInterval(values: [Double]) throws {
        let ratio = try #require(SampleRatio(base: values, new: Array(repeating: 3, count: values.count)))
        #expect(abs(ratio.ratio - 1.5) < 1e-12 && ratio.interval == nil)
    }

    @Test func valuesThatDoNotVaryHaveAPointForAnInterval() throws {
        let interval = try #require(SampleRatio(base: [2, 2, 2, 2], new: [3, 3, 3, 3])?.interval)
        #expect(interval.lowerBound == interval.upperBound && abs(interval.lowerBound - 1.5) < 1e-12)
    }

    @Test(arguments: [[], [0], [-1], [.nan], [.infinity], [1, 0]] as [[Double]])
    func valuesThatHaveNoRatioAreRefused(values: [Double]) {
        #expect(SampleRatio(base: values, new: [1]) == nil)
        #expect(SampleRatio(base: [1], new: values) == nil)
    }

    @Test func theIntervalLeavesOutOneIfTheTestDoes() throws {
        var random = SplitMix64(state: 9)
        for _ in 0..<300 {
            let sides = [0, 0.02].map { shift in (0..<6).map { _ in exp(shift + 0.02 * random.nextNormal()) } }
            let interval = try #require(SampleRatio(base: sides[0], new: sides[1])?.interval)
            let p = try #require(MannWhitney(sides[0], sides[1])).p
            #expect(interval.contains(1) == (p > 0.05))
        }
    }

    /// Values of a distribution with two modes, of which the second is 30 % above the first; each varies by 2 %.
    private static func values(_ count: Int, _ share: Double, _ random: inout SplitMix64) -> [Double] {
        (0..<count).map { _ in (random.unit() < share ? 1.3 : 1) * exp(0.02 * random.nextNormal()) }
    }

    /// The table of coverages in ComparingRuns.md.
    @Test(arguments: [4, 5, 7, 10, 20], [0, 0.1, 0.3, 0.5])
    func theIntervalHoldsTheRatioWhateverTheModes(count: Int, share: Double) throws {
        var random = SplitMix64(state: UInt64(count))
        let trials = 2_000
        let held = try (0..<trials).count { _ in
            let base = Self.values(count, share, &random)
            let new = Self.values(count, share, &random).map { $0 * 1.1 }
            return try #require(SampleRatio(base: base, new: new)?.interval).contains(1.1)
        }
        #expect((0.935...0.99).contains(Double(held) / Double(trials)), "\(held)")
    }

    /// The standard error of the median of logarithms, by Price and Bonett, "Distribution-Free Confidence Intervals for
    /// Difference and Ratio of Medians" (2002), of seven values at most.
    private static func errorOfMedian(_ logs: [Double]) -> Double {
        let tail = exp2(-Double(logs.count))
        return ((logs.max() ?? 0) - (logs.min() ?? 0)) / (2 * -NormalDistribution.quantile(tail))
    }

    /// Why the interval is not that of medians, which suits one mode alone.
    @Test(arguments: [(0, 0.95...0.99), (0.3, 0.75...0.83), (0.5, 0.46...0.55)])
    func anIntervalOfMediansMissesTheRatioOfTwoModes(share: Double, expected: ClosedRange<Double>) throws {
        var random = SplitMix64(state: 7)
        let held = try (0..<2_000).count { _ in
            let sides = (0..<2).map { _ in Self.values(7, share, &random).map { log($0) } }
            let medians = try sides.map { try #require(SampleSummary($0)).median }
            let errors = sides.map(Self.errorOfMedian)
            let reach = 1.96 * (errors[0] * errors[0] + errors[1] * errors[1]).squareRoot()
            return abs(medians[1] - medians[0]) <= reach
        }
        #expect(expected.contains(Double(held) / 2_000), "\(held)")
    }
}
