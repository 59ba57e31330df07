import Foundation
import Locking
import TestSupport
import Testing

@testable import BenchHarness
@testable import BenchReport

/// The search for the highest rate of several drivers, with trials that take no time.
@Suite struct FindMaxTests {
    /// A trial keeps its limits up to a rate, takes longer the higher the rate, and is contaminated at one rate.
    private struct TrialExecutor: RepetitionExecutor {
        let highest: [String: Double]
        let drivers = Locked<[String]>([])

        func execute(
            _ job: RepetitionJob, onEvent: @escaping @Sendable (RepetitionEvent) -> Void
        ) throws -> String? {
            let phase = job.scenario.phases[job.phases.lowerBound]
            guard let work = phase.work.as(LoadWork.self), let rate = work.pace.rate?.perSecond else {
                return "had no rate"
            }
            var row = job.row(for: phase)
            (row.verified, row.ratePerSecond, row.throughput) = (true, rate, rate)
            (row.durationNanoseconds, row.latencyP50) = (1_000_000_000, Int(rate * 1_000))
            row.latencyP99 = Int(rate * 2_000)
            row.contaminated = rate == 200
            row.judge(missed: rate <= highest[job.driver, default: 0] ? [] : ["all.p50_ms is too long"])
            onEvent(.started(job.phases.lowerBound))
            onEvent(.finished(PhaseReport(row: row)))
            drivers.withLock { $0.append(job.driver) }
            return nil
        }
    }

    /// A load of one worker that reads.
    private static var scenario: Scenario {
        var scenario = FakeDriver.scenario
        scenario.entity.attributes[0].unique = true
        let work = LoadWork(source: .mix(MixSpec(operations: [.read: 1])), workers: 1, pace: PaceSpec(operations: 1))
        scenario.phases = [Phase(name: "load", from: .seeded, work: .load(work))]
        return scenario
    }

    private func search(_ executor: TrialExecutor, in directory: TemporaryDirectory? = nil) throws -> [FoundRate] {
        let directory = try directory ?? TemporaryDirectory()
        let request = RunRequest(
            scenario: Self.scenario, drivers: [FakeDriver(name: "a"), FakeDriver(name: "b")],
            output: directory.file("out.csv"), storeParent: directory.url)
        let run = Run(request, executor: executor, interruption: Interruption()) { _ in }
        var found: [FoundRate] = []
        _ = try run.findMax(RateSearchRequest(trialSeconds: 1, startPerSecond: 100)) { found.append($0) }
        return found
    }

    /// A shard whose operations are slow above a rate.
    private struct ShardExecutor: RepetitionExecutor {
        let highest: Double

        func execute(
            _ job: RepetitionJob, onEvent: @escaping @Sendable (RepetitionEvent) -> Void
        ) throws -> String? {
            let phase = job.scenario.phases[job.phases.lowerBound]
            guard let work = phase.work.as(LoadWork.self), let rate = work.pace.rate?.perSecond else {
                return "had no rate"
            }
            var row = job.row(for: phase)
            (row.verified, row.ratePerSecond, row.operations) = (true, rate / 2, 10)
            row.durationNanoseconds = 1_000_000_000
            var figures = OperationFigures()
            let time = rate <= highest ? 1_000_000 : 100_000_000
            for _ in 0..<10 { figures.record(response: time, service: time, isMissing: false) }
            var report = PhaseReport(row: row)
            report.operations = [.read: figures]
            onEvent(.started(job.phases.lowerBound))
            onEvent(.finished(report))
            return nil
        }
    }

    @Test func shardsTryTheSameRatesAndFindThatOfAllOfThem() throws {
        let directory = try TemporaryDirectory()
        let meeting = directory.file("meeting")
        try FileManager.default.createDirectory(at: meeting, withIntermediateDirectories: false)
        let found = Locked<[Int: FoundRate]>([:])
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            var request = RunRequest(
                scenario: Self.scenario, drivers: [FakeDriver(name: "a")], output: directory.file("shard-\(index).csv"),
                storeParent: directory.url)
            request.sharing = Shard(index: index, count: 2).map {
                SharedRunRequest(shard: $0, meeting: .folder(meeting.path), arrivalSeconds: 60)
            }
            let executor = ShardExecutor(highest: [300, 1_000][index])
            let run = Run(request, executor: executor, interruption: Interruption()) { _ in }
            let search = RateSearchRequest(
                limits: ["all": LimitSpec(milliseconds: ["p99_ms": 50])], trialSeconds: 1, startPerSecond: 100)
            do {
                _ = try run.findMax(search) { rate in found.withLock { $0[index] = rate } }
            } catch {
                Issue.record(error)
            }
        }
        let rates = [0, 1].map { found.value[$0] }
        #expect(rates.allSatisfy { $0?.isConfirmed == true && (270...300).contains($0?.rate ?? 0) })
        let tried = rates.map { $0?.rows.map(\.ratePerSecond) }
        #expect(tried[0] == tried[1] && rates[0]?.rows.first?.operations == 20)
        let merged = try RecordedRun(contentsOf: directory.file("shard-0-merged.csv"))
        #expect(merged.rows.map(\.missedLimits).contains(nil) && merged.rows.contains { $0.missedLimits != nil })
        #expect(merged.manifest?.foundRates?.map(\.ratePerSecond) == [rates[0]?.rate])
    }

    @Test func driversTakeTurnsTrialByTrial() throws {
        let executor = TrialExecutor(highest: ["a": 300, "b": 300])
        let found = try search(executor)
        #expect(found.map(\.driver) == ["a", "b"] && found.map(\.isConfirmed) == [true, true])
        let order = executor.drivers.value
        for start in stride(from: 0, to: order.count, by: 2) {
            #expect(Set(order[start..<(start + 2)]) == ["a", "b"])
        }
        // In random order within each turn.
        #expect(Set(stride(from: 0, to: order.count, by: 2).map { order[$0] }).count == 2)
    }

    @Test func aDriverThatIsDoneLeavesTheRestToTheOther() throws {
        let found = try search(TrialExecutor(highest: ["a": 120, "b": 100_000]))
        #expect(found[0].trials.count < found[1].trials.count)
        for (rate, highest) in zip(found, [120, 100_000]) {
            let kept = try #require(rate.rate)
            #expect(kept <= Double(highest) && kept * 1.1 >= Double(highest))
            #expect(rate.missedLimits == ["all.p50_ms is too long"])
        }
    }

    @Test func theTablesShowTheCurveAndTheContaminatedTrials() throws {
        let found = try search(TrialExecutor(highest: ["a": 210, "b": 0]))
        let table = FoundRateTable(found)
        let lines = table.text(isColoured: false).split(separator: "\n")
        let kept = try #require(lines.first { $0.contains(" a ") })
        // Two trials at first, and one at the end.
        #expect(kept.contains("200/s") && kept.hasSuffix("3"), "\(kept)")
        #expect(try #require(lines.first { $0.contains(" b ") }).contains("none"))
        let curve = table.curves(isColoured: false).split(separator: "\n")
        #expect(curve.contains { $0.contains("3 of 3") && $0.contains("200.0 µs") }, "\(curve)")
        #expect(curve.contains { $0.contains("0 of 2") && $0.contains("400.0 µs") }, "\(curve)")
    }

    @Test func aReportDrawsTheTrialsAndTheRateThatWasFound() throws {
        let directory = try TemporaryDirectory()
        let found = try search(TrialExecutor(highest: ["a": 210, "b": 0]), in: directory)
        let kept = try #require(found[0].rate)
        let run = try RecordedRun(contentsOf: directory.file("out.csv"))
        #expect(run.manifest?.foundRates?.map(\.ratePerSecond) == [kept, nil])
        #expect(run.manifest?.foundRates?.map(\.isConfirmed) == [true, false])
        let page = Report(runs: [run]).html
        let lines = ReportFixture.tags("g", in: page).filter { $0["data-stat"] == "found_rate" }
        #expect(lines.map { $0["data-driver"] } == ["a"])
        #expect(lines.map { $0["data-value"] } == [ReportText.raw(kept)])
        #expect(page.contains("highest rate that kept the limits: none"))
    }

    @Test func aSearchThatWasStoppedIsNotConfirmed() {
        var row = ResultRow()
        (row.ratePerSecond, row.verified) = (100, true)
        let found = FoundRate(
            driver: "a", phase: "load", rate: 100, isConfirmed: false, missedRate: nil,
            trials: [RateTrial(row: row, seconds: 1)])
        #expect(FoundRateTable([found]).text(isColoured: false).contains("100/s, not confirmed"))
    }
}
