import Foundation

/// Torture with the loads of a scenario that write with a ledger.
package struct LoadTorture: TortureTask {
    package init() {}

    package var scenario: Scenario? { nil }

    package func summary(of scenario: Scenario) -> String {
        TortureRequest.phases(of: scenario).map(\.name).joined(separator: ", ")
    }

    /// A driver tortures its store with the phases that it supports.
    package func reasonUnsupported(by driver: any StoreDriver, in scenario: Scenario) -> String? {
        let phases = TortureRequest.phases(of: scenario)
        let reasons = phases.compactMap { $0.reasonUnsupported(by: driver, in: scenario.schema) }
        return reasons.count == phases.count ? reasons.first.map { "\(phases[0].name): \($0)" } : nil
    }

    package func groups(of scenario: Scenario, for driver: any StoreDriver) -> [TortureGroup] {
        TortureGroup.all(of: scenario, for: driver)
    }

    package func subject(
        _ job: TortureJob, _ group: TortureGroup, driver: any StoreDriver
    ) throws -> any TorturedSubject {
        try TorturedStore(job, group, driver: driver)
    }

    package func workers(of job: TortureJob) -> Int { job.work?.workers ?? 0 }

    package func read(_ journal: String, of job: TortureJob, end: Int, goesOn: Bool) throws -> JournalReading {
        try JournalReading(journal, end: end, goesOn: goesOn, repeating: job.view.entity.repeatingAttributes)
    }

    package func run(_ job: TortureJob, _ driver: any StoreDriver, _ channel: TortureChannel) throws {
        guard let work = job.work else { throw RunError(.process, "phase \(job.phase) is not a load") }
        let session = try driver.open(job.configuration).offering((any LoadingSession).self)
        let watching = work.isWatched ? try session.offering((any WatchingSession).self) : nil
        let monitor = LoadMonitor()
        try watching?.prepareLoad(work, monitor: monitor)
        let clock = MonotonicClock()
        let engine = LoadEngine(
            work, scenario: job.view, session: session, clock: clock, lane: LoadLane(number: job.lane)
        ) { worker, index in
            let journal = try LoadJournal(URL(fileURLWithPath: job.journal(of: index)))
            return JournalingWorker(worker, journal: journal, clock: clock, onAcknowledged: channel.acknowledged)
        }
        let probe = LoadProbe(probe: Instruments.platform.probe, directory: job.configuration.directory)
        let start = clock.now()
        engine.makeWorkers()
        engine.run(sampling: { _ in }, probe: probe)
        try watching?.endLoad()
        let (figures, _) = engine.results(seconds: Double(clock.now() - start) / 1e9)
        for failure in figures.failures + monitor.observations.failures { channel.send(problem: failure) }
        try session.close()
    }
}
