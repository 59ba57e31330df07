import Foundation
import Testing

@testable import BenchHarness

@Suite struct MedianRatioTests {
    /// The example of `ci.ratio.median2` of the R package statpsych 1.6.0, by the authors of the method.
    @Test func publishedExampleIsReproduced() throws {
        let base = [32.0, 39, 26, 35, 43, 27, 40, 37, 34, 29, 49, 42, 40]
        let new = [36.0, 44, 47, 42, 49, 39, 46, 31, 33, 48]
        try expect(MedianRatio(base: base, new: new), 1.162162, 0.927667...1.455933, within: 1e-6)
    }

    /// The same formula in Python, with NumPy 2.4.6 and SciPy 1.17.1.
    @Test func figuresAgreeWithReferenceValues() throws {
        try expect(
            MedianRatio(base: [10, 11, 12], new: [13, 15, 14, 12.5]), 1.2272727272727273,
            1.0107165281413713...1.4902282738734065, within: 1e-12)
        try expect(
            MedianRatio(
                base: [100, 101, 99, 102, 103, 98, 97, 104], new: [110, 111, 109, 108, 112, 113, 107, 106],
                confidence: 0.99), 1.0895522388059702, 1.0384237170656605...1.1431981584951019, within: 1e-12)
        let base = (0..<40).map { Double(1000 + $0 * 37 % 53) }
        let new = (0..<36).map { Double(1030 + $0 * 29 % 47) }
        try expect(
            MedianRatio(base: base, new: new), 1.0273037542662116, 1.016688222171231...1.0380301261636036,
            within: 1e-12)
    }

    private func expect(
        _ ratio: MedianRatio?, _ expected: Double, _ interval: ClosedRange<Double>, within tolerance: Double,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let ratio = try #require(ratio, sourceLocation: sourceLocation)
        let own = try #require(ratio.interval, sourceLocation: sourceLocation)
        #expect(abs(ratio.ratio - expected) < tolerance, sourceLocation: sourceLocation)
        #expect(abs(own.lowerBound - interval.lowerBound) < tolerance, sourceLocation: sourceLocation)
        #expect(abs(own.upperBound - interval.upperBound) < tolerance, sourceLocation: sourceLocation)
    }

    @Test func scaleOfBothSidesDoesNotMatter() throws {
        let (base, new) = ([1.5, 1.1, 1.3, 1.9, 1.2], [1.7, 1.4, 2.1, 1.6, 1.8])
        let plain = try #require(MedianRatio(base: base, new: new))
        let scaled = try #require(MedianRatio(base: base.map { $0 * 1e9 }, new: new.map { $0 * 1e9 }))
        let (own, other) = try (#require(plain.interval), #require(scaled.interval))
        #expect(abs(plain.ratio - scaled.ratio) < 1e-12)
        #expect(abs(own.lowerBound - other.lowerBound) < 1e-12 && abs(own.upperBound - other.upperBound) < 1e-12)
    }

    @Test func swappingTheSidesInvertsTheRatio() throws {
        let (base, new) = ([1.5, 1.1, 1.3, 1.9, 1.2], [1.7, 1.4, 2.1, 1.6])
        let forward = try #require(MedianRatio(base: base, new: new))
        let backward = try #require(MedianRatio(base: new, new: base))
        let (own, other) = try (#require(forward.interval), #require(backward.interval))
        #expect(abs(forward.ratio * backward.ratio - 1) < 1e-12)
        #expect(abs(own.lowerBound * other.upperBound - 1) < 1e-12)
    }

    @Test func fewerThanThreeValuesHaveNoInterval() throws {
        let ratio = try #require(MedianRatio(base: [1, 2], new: [2, 3, 4]))
        #expect(ratio.ratio == 2)
        #expect(ratio.interval == nil)
        #expect(MedianRatio(base: [1, 2, 3], new: [2])?.interval == nil)
    }

    @Test func valuesThatDoNotVaryHaveAPointForAnInterval() {
        #expect(MedianRatio(base: [2], new: [3])?.interval == 1.5...1.5)
        #expect(MedianRatio(base: [2, 2, 2], new: [3, 3])?.interval == 1.5...1.5)
        #expect(MedianRatio(base: [2, 2], new: [3, 3.1])?.interval == nil)
    }

    @Test(arguments: [[], [0], [-1], [.nan], [.infinity], [1, 0]] as [[Double]])
    func valuesThatHaveNoRatioAreRefused(values: [Double]) {
        #expect(MedianRatio(base: values, new: [1]) == nil)
        #expect(MedianRatio(base: [1], new: values) == nil)
    }

    @Test(arguments: [(3, 0.92...0.96), (5, 0.945...0.985), (10, 0.95...0.99)])
    func intervalHoldsTheRatioAboutAsOftenAsItSays(count: Int, expected: ClosedRange<Double>) throws {
        var random = SplitMix64(state: 3)
        var held = 0
        for _ in 0..<4_000 {
            let sides = (0..<2).map { _ in (0..<count).map { _ in exp(random.nextNormal()) } }
            let interval = try #require(MedianRatio(base: sides[0], new: sides[1])?.interval)
            if interval.contains(1) { held += 1 }
        }
        #expect(expected.contains(Double(held) / 4_000))
    }
}
