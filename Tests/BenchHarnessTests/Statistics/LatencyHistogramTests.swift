import Foundation
import Testing

@testable import BenchHarness

@Suite struct LatencyHistogramTests {
    @Test func emptyHistogramKnowsNothing() {
        let histogram = LatencyHistogram()
        histogram._checkInvariants()
        #expect(histogram.percentile(50) == nil)
        #expect(histogram.min == nil && histogram.max == nil)
    }

    @Test func aFullBucketStaysFull() throws {
        let full = Data("{\"min\":5,\"max\":5,\"buckets\":[5,\(UInt32.max)]}".utf8)
        var histogram = try JSONDecoder().decode(LatencyHistogram.self, from: full)
        histogram.record(5)
        histogram.record(7)
        histogram._checkInvariants()
        #expect(histogram.count == Int(UInt32.max) + 1 && histogram.max == 7)
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

    @Test func mergedHistogramsCountWhatBothCounted() {
        var random = SplitMix64(state: 11)
        var (whole, first, second) = (LatencyHistogram(), LatencyHistogram(), LatencyHistogram())
        for round in 0..<1_000 {
            let value = Int(random.next() >> UInt64.random(in: 1...60, using: &random))
            whole.record(value)
            if round % 3 == 0 { first.record(value) } else { second.record(value) }
        }
        first.merge(second)
        first._checkInvariants()
        #expect(first == whole)
        first.merge(LatencyHistogram())
        #expect(first == whole)
        var empty = LatencyHistogram()
        empty.merge(whole)
        #expect(empty == whole)
    }

    @Test(arguments: [[], [0], [Int.max], [5, 5, 900, 123_456_789]]) func histogramsSurviveBeingSent(values: [Int])
        throws
    {
        var histogram = LatencyHistogram()
        for value in values { histogram.record(value) }
        let json = try JSONEncoder().encode(histogram)
        #expect(json.count < 200)
        let again = try JSONDecoder().decode(LatencyHistogram.self, from: json)
        again._checkInvariants()
        #expect(again == histogram)
    }

    @Test(arguments: [
        "[1]", "[1,0]", "[1,-1]", "[-1,1]", "[5,1,5,1]", "[5,1,4,1]", "[99999999,1]", "[5,99999999999]", "[6,1]", "[]",
    ])
    func bucketsThatCannotBeAreRefused(buckets: String) {
        let json = Data("{\"min\":5,\"max\":5,\"buckets\":\(buckets)}".utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(LatencyHistogram.self, from: json) }
    }
}
