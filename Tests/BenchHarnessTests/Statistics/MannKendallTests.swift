import Testing

@testable import BenchHarness

@Suite struct MannKendallTests {
    /// Computed from the definitions in another language: a score of 34, its variance with one tie, and the median
    /// slope.
    @Test func agreesWithReferenceValues() throws {
        let values: [Double] = [5, 7, 6, 9, 8, 8, 11, 10, 14, 12]
        let test = try #require(MannKendall(times: (0..<10).map(Double.init), values: values))
        #expect(abs(test.p - 0.0030417443199009337) < 1e-9)
        #expect(abs(test.slope - 0.8) < 1e-12)
    }

    @Test func levelSeriesHasNoTrend() throws {
        let flat = try #require(MannKendall(times: (0..<20).map(Double.init), values: Array(repeating: 3, count: 20)))
        #expect(flat.p == 1 && flat.slope == 0)
    }

    @Test func fewValuesSayNothing() {
        #expect(MannKendall(times: [0, 1, 2], values: [1, 2, 3]) == nil)
    }
}
