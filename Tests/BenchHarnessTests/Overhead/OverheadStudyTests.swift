import Foundation
import Testing

@testable import BenchHarness
@testable import BenchInstrument

@Suite struct OverheadStudyTests {
    private let known = KnownWork(phaseNanoseconds: 1_000_000, operationNanoseconds: 1_000, allocatedBytes: 1_000_000)

    private func row(
        _ driver: String, _ phase: String, nanoseconds: Int, memory: Int = 0, operations: Int = 1
    ) -> ResultRow {
        var row = ResultRow()
        (row.driver, row.phase, row.verified, row.operations) = (driver, phase, true, operations)
        (row.durationNanoseconds, row.residentPeakDelta) = (nanoseconds, memory)
        return row
    }

    private func study(_ rows: [ResultRow]) throws -> OverheadStudy {
        var scenario = FakeDriver.scenario
        scenario.phases = [
            Phase(name: "seed", from: .empty, work: .seed(SeedWork())),
            Phase(
                name: "merge", from: .seeded,
                work: .merge(
                    MergeWork(
                        writers: 2, savesPerWriter: 5, insertsPerSave: 0, changesPerSave: 1, deletesPerSave: 0, set: [])
                )),
        ]
        let manifest = ComparisonFixture.manifest(scenario: scenario)
        return try OverheadStudy(
            RecordedRun(url: URL(fileURLWithPath: "known.csv"), rows: rows, manifest: manifest), known: known)
    }

    @Test func whatIsReportedIsHeldAgainstWhatIsKnown() throws {
        let study = try study([
            row("nothing", "seed", nanoseconds: 700, memory: 4_096),
            row("waits", "seed", nanoseconds: 1_000_500),
            row("allocates", "seed", nanoseconds: 9, memory: 1_008_192),
        ])
        let seed = study.phases[0]
        #expect(seed.nothing?.median == 700 && seed.perOperation == 700)
        #expect(seed.waited == 1_000_000 && seed.excess?.median == 500 && seed.excessShare == 0.0005)
        #expect(seed.memoryOfNothing?.median == 4_096 && seed.memoryExcess?.median == 8_192)
    }

    @Test func operationsOfSeveralThreadsAreAtOnce() throws {
        let merge = try study([
            row("nothing", "merge", nanoseconds: 5_000, operations: 10),
            row("waits", "merge", nanoseconds: 6_000, operations: 10),
        ]).phases[1]
        #expect(merge.operations == 10 && merge.lanes == 2)
        #expect(merge.perOperation == 1_000)
        #expect(merge.waited == 5_000 && merge.excess?.median == 1_000)
    }

    @Test func whatWasNotMeasuredIsMissing() throws {
        let seed = try study([row("nothing", "seed", nanoseconds: 700)]).phases[0]
        #expect(seed.excess == nil && seed.memoryExcess == nil && seed.excessShare == nil)
    }

    @Test func whatWentWrongIsAProblem() throws {
        var wrong = row("nothing", "seed", nanoseconds: 700)
        (wrong.verified, wrong.status, wrong.error) = (false, .failed, "it holds nothing")
        let study = try study([wrong])
        #expect(study.problems.count == 1 && study.problems[0].contains("it holds nothing"))
        #expect(study.phases[0].nothing == nil)
    }
}
