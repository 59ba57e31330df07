import Foundation
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct ShardMergeTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Writes the results of a shard whose operations took these times.
    private func write(
        _ shard: Shard, _ times: [Int], load: String = "l", name: String? = nil,
        change: (inout ResultRow) -> Void = { _ in }, manifest changeManifest: (inout Manifest) -> Void = { _ in },
        log changeLog: (inout HistogramLog) -> Void = { _ in }
    ) throws -> URL {
        let url = directory.file(name ?? "shard-\(shard.index).csv")
        var figures = OperationFigures()
        for time in times { figures.record(response: time, service: time / 2, isMissing: false) }
        figures.errors = shard.index
        var row = ResultRow()
        (row.run, row.scenario, row.driver, row.phase) = ("\(shard.index)", "made-up", "managed", "run")
        (row.repetition, row.status, row.verified) = (1, .ok, true)
        (row.operations, row.errors, row.ratePerSecond) = (times.count, shard.index, 25)
        row.durationNanoseconds = 1_000_000_000 + shard.index
        (row.cpu, row.residentPeakBytes) = (7, 100)
        change(&row)
        var manifest = ComparisonFixture.manifest()
        manifest.run = row.run
        manifest.status = Manifest.ok
        manifest.shard = ShardFacts(index: shard.index, count: shard.count, load: load)
        changeManifest(&manifest)
        try RecordedRun(url: url, rows: [row], manifest: manifest).write(to: url)
        var log = HistogramLog(started: 1_000)
        for entry in LoadHistograms.entries(.init(row), [.read: figures], start: 0, length: 1) { log.append(entry) }
        changeLog(&log)
        try log.write(to: HistogramLog.url(beside: url))
        return url
    }

    private func times(_ shard: Shard) -> [Int] {
        var random = SplitMix64(state: UInt64(shard.index))
        return (0..<500 * (shard.index + 1)).map { _ in Int(exp(random.unit() * 20)) }
    }

    @Test func thePercentilesAreThoseOfAllValuesTogether() throws {
        let shards = ShardTests.shards(3)
        let files = try shards.map { try write($0, times($0)) }
        let output = directory.file("load.csv")
        try ShardMerge(contentsOf: files.reversed()).write(to: output)
        let merged = try RecordedRun(contentsOf: output)
        let row = try #require(merged.rows.first)
        let all = shards.flatMap(times).reduce(into: LatencyHistogram()) { $0.record($1) }
        #expect(merged.rows.count == 1 && row.verified == true && row.run == "l")
        #expect(row.latencyP50 == all.percentile(50, unbounded: 3))
        #expect(row.latencyP99 == all.percentile(99, unbounded: 3))
        #expect(row.latencyP999 == all.percentile(99.9, unbounded: 3) && row.latencyMin == all.min)
        // Three operations failed, which is slower than any time.
        #expect(row.latencyMax == nil && row.errors == 3)
        #expect(row.operations == all.count && row.ratePerSecond == 75 && row.cpu == 21 && row.residentPeakBytes == 300)
        #expect(row.durationNanoseconds == 1_000_000_002)
        #expect(merged.manifest?.shards?.map(\.index) == [0, 1, 2] && merged.manifest?.shard == nil)
        let log = try LoadHistograms(HistogramLog(contentsOf: HistogramLog.url(beside: output)))
        #expect(log.loads[.init(row)]?[.read]?.response == all)
    }

    @Test func shardsWithoutRowsAreRefused() throws {
        let files = try ShardTests.shards(2).map { try write($0, [1, 2, 3]) }
        for file in files {
            let run = try RecordedRun(contentsOf: file)
            try RecordedRun(url: file, rows: [], manifest: run.manifest).write(to: file)
        }
        let error = #expect(throws: RunError.self) { try ShardMerge(contentsOf: files) }
        #expect(error?.description.hasSuffix("shard-0.csv: no rows; expected the results of a run") == true)
    }

    @Test func oneShardWithAWrongResultMakesTheLoadWrong() throws {
        let shards = ShardTests.shards(2)
        let files = try shards.map { shard in
            try write(shard, [1, 2, 3]) { row in
                if shard.index == 1 { (row.status, row.verified, row.error) = (.failed, false, "an update was lost") }
            }
        }
        let row = try ShardMerge(contentsOf: files).merged().rows[0]
        #expect(row.status == .failed && row.verified == false && row.error == "shard 1: an update was lost")
    }

    private func interval(_ index: Int, _ operations: Int) -> LoadInterval? {
        var (sample, figures) = (LoadSample(), OperationFigures())
        (sample.seconds, sample.intervalSeconds) = (Double(index + 1), 1)
        for _ in 0..<operations { figures.record(response: 5, service: 5, isMissing: false) }
        sample.figures = figures
        return LoadInterval(sample)
    }

    @Test func theWorstOfTheShardsIsThatOfTheLoad() throws {
        let files = try ShardTests.shards(3).map { shard in
            try write(shard, [1, 2, 3]) { $0.status = [.ok, .interrupted, .failed][shard.index] }
        }
        let merged = try ShardMerge(contentsOf: files).merged()
        #expect(merged.rows[0].status == .failed && merged.manifest?.status == "failed")
    }

    @Test func whatAStoppedShardLacksIsInterrupted() throws {
        let shards = ShardTests.shards(2)
        let stopped = try write(
            shards[0], [1], change: { $0.phase = "before" }, manifest: { $0.status = "interrupted" })
        let last = try write(shards[1], [1, 2, 3])
        let missing = refusal([stopped, last])
        #expect(missing?.contains("has 0 rows of managed, before, repetition 1") == true, "\(missing ?? "")")
        let other = try write(shards[1], [1], name: "killed.csv", manifest: { $0.status = "running" })
        let merge = try ShardMerge(contentsOf: [stopped, other])
        let merged = try merge.merged()
        #expect(merged.rows.map(\.phase) == ["before", "run"])
        #expect(
            merged.rows.allSatisfy { $0.status == .interrupted && $0.operations == nil && $0.scenario == "made-up" })
        #expect(merge.isStopped && merged.manifest?.status == "interrupted")
    }

    @Test func driftIsThatOfTheSum() throws {
        let key = LoadHistograms.Key(driver: "managed", phase: "run", repetition: 1)
        let files = try ShardTests.shards(2).map { shard in
            // One shard does ever less, and the other one as much more.
            try write(
                shard, [1, 2, 3], change: { $0.drift = "throughput -50 %" },
                log: { log in
                    for index in 0..<40 {
                        let count = shard.index == 0 ? 100 - index : 100 + index
                        if let interval = interval(index, count) { log.append(interval.entry(key, start: 0)) }
                    }
                })
        }
        #expect(try ShardMerge(contentsOf: files).merged().rows.map(\.drift) == ["none"])
        let output = directory.file("load.csv")
        try ShardMerge(contentsOf: files).write(to: output)
        #expect(try LoadHistograms(HistogramLog(contentsOf: HistogramLog.url(beside: output))).intervals.isEmpty)
    }

    @Test func driftOfOlderResultsIsThatOfEachShard() throws {
        let files = try ShardTests.shards(2).map { shard in
            try write(shard, [1, 2, 3], change: { $0.drift = shard.index == 0 ? "none" : "throughput -50 %" })
        }
        let drift = try ShardMerge(contentsOf: files).merged().rows.map(\.drift)
        #expect(drift == ["shard 0: none; shard 1: throughput -50 %"])
    }

    /// A third of 400 has no end.
    @Test func theRateIsThatOfTheScenario() throws {
        let pace = PaceSpec(durationSeconds: 1, rate: RateSpec(perSecond: 400))
        let work = LoadWork(source: .mix(MixSpec(operations: [.read: 1])), workers: 1, pace: pace)
        let files = try ShardTests.shards(3).map { shard in
            try write(
                shard, [1, 2, 3], change: { $0.ratePerSecond = 133.333 },
                manifest: { $0.scenario?.phases = [Phase(name: "run", from: .seeded, work: .load(work))] })
        }
        #expect(try ShardMerge(contentsOf: files).merged().rows.map(\.ratePerSecond) == [400])
    }

    @Test func timesGoByTheClockOfTheMeetingPlace() throws {
        let started = Date(timeIntervalSince1970: 1_000)
        let files = try ShardTests.shards(2).map { shard in
            // The second machine is an hour behind.
            let offset = Double(shard.index) * 3_600
            return try write(
                shard, [1, 2, 3],
                manifest: { manifest in
                    manifest.started = started - offset
                    manifest.ended = started + 9 - offset
                    manifest.shard?.timeOfDayOffset = Int(offset * 1e9)
                }, log: { $0.started -= offset })
        }
        let output = directory.file("load.csv")
        try ShardMerge(contentsOf: files).write(to: output)
        let manifest = try #require(try RecordedRun(contentsOf: output).manifest)
        #expect(manifest.started == started && manifest.ended == started + 9)
        let log = try HistogramLog(contentsOf: HistogramLog.url(beside: output))
        #expect(log.started == 1_000 && log.entries.allSatisfy { $0.length == 1 })
    }

    private func refusal(_ files: [URL]) -> String? {
        #expect(throws: RunError.self) { try ShardMerge(contentsOf: files).merged() }?.description
    }

    @Test func aMissingShardIsNamed() throws {
        let files = try [0, 2].map { try write(#require(Shard(index: $0, count: 4)), [1]) }
        #expect(refusal(files) == "shards 1, 3 are missing; expected the CSVs of all 4 shards of the load")
    }

    @Test func aShardGivenTwiceIsNamed() throws {
        let shard = try #require(Shard(index: 0, count: 2))
        let files = [try write(shard, [1]), try write(shard, [1], name: "again.csv")]
        #expect(refusal(files)?.hasSuffix("are both shard 0/2") == true)
    }

    @Test func shardsOfOtherLoadsAreNamed() throws {
        let shards = ShardTests.shards(2)
        let files = [try write(shards[0], [1]), try write(shards[1], [1], load: "m")]
        #expect(refusal(files)?.contains("is of the load m of 2") == true)
    }

    @Test func shardsOfOtherScenariosAreNamed() throws {
        let shards = ShardTests.shards(2)
        let files = [try write(shards[0], [1]), try write(shards[1], [1], manifest: { $0.scenario?.records += 1 })]
        #expect(refusal(files)?.contains("different scenarios") == true)
    }

    @Test func resultsOfNoShardAreNamed() throws {
        let file = try write(.whole, [1], manifest: { $0.shard = nil })
        #expect(refusal([file])?.contains("has no shard in its manifest") == true)
    }

    @Test func aMissingRowIsNamed() throws {
        let shards = ShardTests.shards(2)
        let files = [try write(shards[0], [1]), try write(shards[1], [1], change: { $0.repetition = 2 })]
        #expect(refusal(files)?.contains("has 0 rows of managed, run, repetition 1") == true)
    }
}
