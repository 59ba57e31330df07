import Testing

@testable import BenchHarness

@Suite struct LatencyHistogramTests {
    @Test func emptyHistogramKnowsNothing() {
        let histogram = LatencyHistogram()
        histogram._checkInvariants()
        #expect(histogram.percentile(50) == nil)
        #expect(histogram.min == nil && histogram.max == nil)
    }

    @Test func smallValuesAreExact() {
        var histogram = LatencyHistogram()
        for value in 1...1_000 { histogram.record(value) }
        histogram._checkInvariants()
        #expect(histogram.percentile(50) == 500)
        #expect(histogram.percentile(90) == 900)
        #expect(histogram.percentile(99.9) == 999)
        #expect(histogram.percentile(100) == 1_000)
        #expect(histogram.percentile(0) == 1)
    }

    @Test func largeValuesKeepThreeDigits() throws {
        var random = SplitMix64(state: 7)
        for _ in 0..<100 {
            let value = Int(random.next() >> UInt64.random(in: 1...50, using: &random))
            var histogram = LatencyHistogram()
            histogram.record(value)
            histogram.record(value)
            histogram._checkInvariants()
            let index = LatencyHistogram.index(of: value)
            let highest = LatencyHistogram.highestValue(at: index)
            #expect(highest >= value)
            #expect(Double(highest - value) <= Double(value) / 1_000)
            #expect(histogram.percentile(50) == value)
        }
    }

    @Test func extremesOfTheRangeAreCounted() {
        var histogram = LatencyHistogram()
        for value in [-5, 0, Int.max] { histogram.record(value) }
        histogram._checkInvariants()
        #expect(histogram.min == 0)
        #expect(histogram.max == Int.max)
        #expect(histogram.percentile(100) == Int.max)
    }
}
