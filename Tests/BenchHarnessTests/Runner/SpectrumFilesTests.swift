import Foundation
import Locking
import TestSupport
import Testing

@testable import BenchHarness

/// The files of percentiles that a run leaves.
@Suite struct SpectrumFilesTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private var file: URL { folder.file("out-fake-seed.hgrm") }

    private func run(
        _ statuses: [ResultRow.Status], warmups: Int = 0, operations: Int = 2, replaces: Bool = false
    ) throws {
        var scenario = FakeDriver.scenario
        (scenario.repetitions, scenario.warmups) = (statuses.count - warmups, warmups)
        let request = RunRequest(
            scenario: scenario, drivers: [FakeDriver()], output: folder.file("out.csv"), replacesOutput: replaces,
            storeParent: folder.url)
        let executor = LatencyExecutor(statuses: statuses, operations: operations, file: file)
        _ = try Run(request, executor: executor, interruption: Interruption()) { _ in }.run()
    }

    @Test func theRepetitionsOfAPhaseAreMerged() throws {
        try run([.ok, .ok, .ok])
        #expect(try PercentileSpectrum(contentsOf: file).count == 6)
        #expect(try folder.names() == ["out-fake-seed.hgrm", "out.csv", "out.manifest.json"])
    }

    @Test func whatFailedAndWarmupsDoNotCount() throws {
        try run([.ok, .ok, .failed, .interrupted, .ok], warmups: 1)
        #expect(try PercentileSpectrum(contentsOf: file).count == 4)
    }

    @Test func aPhaseOfOneOperationHasNone() throws {
        try run([.ok], operations: 1)
        #expect(try folder.names() == ["out.csv", "out.manifest.json"])
    }

    @Test func existingFilesAreKeptUnlessReplaced() throws {
        try folder.write("mine", to: "out-fake-seed.hgrm")
        #expect(throws: RunError.self) { try run([.ok]) }
        #expect(try folder.names() == ["out-fake-seed.hgrm"])
        try run([.failed], replaces: true)
        #expect(try folder.names() == ["out.csv", "out.manifest.json"])
    }

    @Test func twoDriversAndPhasesDoNotShareAFile() throws {
        var scenario = FakeDriver.scenario
        scenario.phases[0].name = "tuned-seed"
        scenario.phases[1].name = "seed"
        let request = RunRequest(
            scenario: scenario, drivers: [FakeDriver(), FakeDriver(name: "fake-tuned")], output: folder.file("out.csv"),
            storeParent: folder.url)
        let error = #expect(throws: RunError.self) {
            try Run(request, interruption: Interruption()) { _ in }.run()
        }
        #expect(error?.description.contains("out-fake-tuned-seed.hgrm") == true)
        #expect(try folder.names().isEmpty)
    }

    /// The fake store's update changes nothing, which is right when there is nothing to change.
    @Test(
        arguments: [([], 3), ([AttributeChange(attribute: "n", operation: .add(1))], nil)]
            as [([AttributeChange], Int?)])
    func latenciesOfAPhaseThatFailedItsVerificationAreNotReported(set: [AttributeChange], count: Int?) throws {
        var scenario = FakeDriver.scenario
        scenario.phases[1].work = .update(UpdateWork(mode: .chunked, set: set))
        let driver = FakeDriver()
        let job = RepetitionJob(
            run: "r", scenario: scenario, driver: driver.name, repetition: 1, phases: scenario.phases.indices,
            directory: folder.path, parent: 0)
        let probe = FakeProbe(log: driver.log)
        let reports = Locked<[PhaseReport]>([])
        var runner = RepetitionRunner(
            job, driver: driver, instruments: Instruments(clock: driver.clock, probe: probe, stalls: probe),
            emit: { if case .finished(let report) = $0 { reports.withLock { $0.append(report) } } })
        try runner.run()
        #expect(reports.value.map(\.latencies?.count) == [nil, count, nil])
    }
}

/// Ends the first phase of each repetition with the next status, and looks whether the file is whole each time.
private final class LatencyExecutor: RepetitionExecutor {
    private var statuses: [ResultRow.Status]
    private let operations: Int
    private let file: URL

    init(statuses: [ResultRow.Status], operations: Int, file: URL) {
        self.statuses = statuses
        self.operations = operations
        self.file = file
    }

    func execute(_ job: RepetitionJob, onEvent: @escaping @Sendable (RepetitionEvent) -> Void) throws -> String? {
        if FileManager.default.fileExists(atPath: file.path) { _ = try PercentileSpectrum(contentsOf: file) }
        let phase = job.scenario.phases[0]
        var latencies = LatencyHistogram()
        for operation in 0..<operations { latencies.record(1_000 * (operation + 1)) }
        onEvent(.started(0))
        onEvent(
            .finished(PhaseReport(row: job.row(for: phase, status: statuses.removeFirst()), latencies: latencies)))
        return nil
    }
}
