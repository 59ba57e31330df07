import Testing

@testable import BenchHarness

@Suite struct SampleSummaryTests {
    @Test func nothingHasNoSummary() {
        #expect(SampleSummary([]) == nil)
    }

    @Test func oneValueHasNoSpread() throws {
        let summary = try #require(SampleSummary([3]))
        #expect(summary.median == 3)
        #expect(summary.medianAbsoluteDeviation == 0)
        #expect(summary.interquartileRange == 0)
    }

    /// `numpy.median`, `scipy.stats.median_abs_deviation` and `scipy.stats.iqr` of the same numbers.
    @Test func figuresAgreeWithReferenceValues() throws {
        let summary = try #require(SampleSummary([12, 7, 3, 14, 6, 11]))
        #expect(summary.min == 3)
        #expect(summary.max == 14)
        #expect(summary.median == 9)
        #expect(summary.medianAbsoluteDeviation == 3)
        #expect(summary.interquartileRange == 5.5)
    }

    @Test func quantilesInterpolate() {
        #expect(SampleSummary.quantile(0.25, ofSorted: [1, 2, 3, 4]) == 1.75)
        #expect(SampleSummary.quantile(1, ofSorted: [1, 2, 3, 4]) == 4)
    }
}
