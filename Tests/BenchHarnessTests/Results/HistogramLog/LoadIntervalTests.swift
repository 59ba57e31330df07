import Foundation
import Testing

@testable import BenchHarness

@Suite struct LoadIntervalTests {
    private static let key = LoadHistograms.Key(driver: "a, b", phase: "soak", repetition: 2)

    private static func interval(
        _ start: Double, _ times: [Int], length: Double = 1, errors: Int = 0, heap: Int? = nil
    ) throws -> LoadInterval {
        var sample = LoadSample()
        (sample.seconds, sample.intervalSeconds) = (start + length, length)
        var figures = OperationFigures()
        for time in times { figures.record(response: time, service: time, isMissing: false) }
        figures.errors = errors
        sample.figures = figures
        sample.heapBytes = heap.map { $0 + 7 }
        sample.ledgerBytes = 7
        return try #require(LoadInterval(sample))
    }

    @Test func anIntervalIsReadAsItWasWritten() throws {
        let intervals = [
            try Self.interval(0, [5, 5_000_000], errors: 2, heap: 900), try Self.interval(1, []),
        ]
        var log = HistogramLog(started: 1_000)
        for interval in intervals { log.append(interval.entry(Self.key, start: 0)) }
        let read = LoadHistograms(try HistogramLog(Data(log.text.utf8), file: "a.hlog"))
        #expect(read.intervals[Self.key] == intervals && read.intervals.count == 1 && read.loads.isEmpty)
        #expect(log.withoutIntervals.entries.isEmpty)
    }

    @Test func aLoadOfOneProcessHasNoIntervals() { #expect(LoadInterval(LoadSample()) == nil) }

    @Test func percentilesOfTheSumAreThoseOfAllOperations() throws {
        let parts = [Array(1...1_000), Array(100_000...100_020)]
        let samples = LoadSample.sum(try parts.map { [try Self.interval(0, $0, heap: 10)] })
        let all = parts.joined().reduce(into: LatencyHistogram()) { $0.record($1) }
        #expect(samples.count == 1 && samples[0].latencyP99 == all.percentile(99))
        #expect(samples[0].operations == 1_021 && samples[0].throughput == 1_021 && samples[0].heapBytes == 20)
    }

    /// One shard takes its samples ever later, and the other one ends early.
    @Test func whatHappenedAtTheSameTimeIsAddedUp() throws {
        let steady = try (0..<10).map { try Self.interval(Double($0), [1]) }
        let late = try (0..<8).map { try Self.interval(Double($0) * 1.03, [1, 1], length: 1.03) }
        let samples = LoadSample.sum([steady, late])
        #expect(samples.count == 8 && samples.allSatisfy { $0.operations == 3 })
        #expect(samples.allSatisfy { abs($0.throughput - 3 / 1.015) < 0.01 })
    }

    @Test func impossibleTimesAreLeftOut() throws {
        var wrong = [try Self.interval(0, [1]), try Self.interval(1, [1])]
        for time in [Double.nan, .infinity, -1e300] {
            wrong[1].start = time
            #expect(LoadSample.sum([wrong, wrong]).count == 1)
        }
        (wrong[0].length, wrong[1].length) = (0, .nan)
        #expect(LoadSample.sum([wrong]).isEmpty && LoadSample.sum([]).isEmpty && LoadSample.sum([[], []]).isEmpty)
    }

    /// Each shard is too noisy to tell.
    @Test func aDriftOfAllShardsIsJudgedByTheirSum() throws {
        var random = SplitMix64(state: 3)
        let shards = try (0..<8).map { _ in
            try (0..<40).map { index in
                try Self.interval(Double(index), [1], heap: 1_000_000 + index * 8_000 + random.below(900_000))
            }
        }
        let alone = try shards.map { try #require(LoadDrift(LoadSample.sum([$0]))).drifts.count }
        #expect(alone.filter { $0 > 0 }.count < 4)
        #expect(try #require(LoadDrift(LoadSample.sum(shards))).drifts.map(\.figure) == ["heap_bytes"])
    }
}
