import Testing

@testable import BenchHarness

@Suite struct BinomialIntervalTests {
    /// The figures of R's binom.test.
    @Test(arguments: [
        (0, 20, 0.0, 0.1684), (20, 20, 0.8316, 1.0), (5, 10, 0.1871, 0.8129), (95, 100, 0.8872, 0.9836),
    ])
    func knownIntervals(hits: Int, trials: Int, low: Double, high: Double) {
        let bounds = BinomialInterval(hits, of: trials).bounds
        #expect(abs(bounds.lowerBound - low) < 0.0001)
        #expect(abs(bounds.upperBound - high) < 0.0001)
    }
}
