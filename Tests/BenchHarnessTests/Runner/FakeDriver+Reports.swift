import Foundation
import Locking
import TestSupport

@testable import BenchHarness

extension FakeDriver {
    /// Runs phases once, on a new store of ten records, and returns the reports on them.
    func reports(_ phases: [Phase], of scenario: Scenario = Self.scenario) throws -> [PhaseReport] {
        let directory = try TemporaryDirectory()
        var scenario = scenario
        scenario.phases = phases
        let job = RepetitionJob(
            run: "r", scenario: scenario, driver: name, repetition: 1, phases: scenario.phases.indices,
            directory: directory.path, parent: 0)
        let reports = Locked<[PhaseReport]>([])
        let probe = FakeProbe(log: log)
        let instruments = Instruments(clock: clock, probe: probe, stalls: probe)
        var runner = RepetitionRunner(job, driver: self, instruments: instruments) { event in
            if case .finished(let report) = event { reports.withLock { $0.append(report) } }
        }
        try runner.run()
        return reports.value
    }
}
