import Foundation
import Locking

/// A process under torture: reads a job from standard input and runs it, keeping journals.
public struct TortureWorker {
    private let drivers: [any StoreDriver]

    /// Creates a worker that can drive `drivers`.
    public init(drivers: [any StoreDriver]) {
        self.drivers = drivers
    }

    /// Runs the job.
    public func run() throws {
        let job = try JSONDecoder().decode(TortureJob.self, from: FileHandle.standardInput.readDataToEndOfFile())
        ChildProcess.dieWithParent(job.parent)
        let channel = TortureChannel()
        do {
            try run(job, channel)
        } catch {
            channel.send(.problem("\(error)"))
        }
    }

    private func run(_ job: TortureJob, _ channel: TortureChannel) throws {
        guard let driver = drivers.first(where: { $0.name == job.driver }) else {
            throw RunError(.process, "this bench has no driver \(job.driver)")
        }
        channel.send(.opening)
        if job.isRelated { return try changeRelations(job, driver, channel) }
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
        for failure in figures.failures + monitor.observations.failures { channel.send(.problem(failure)) }
        try session.close()
    }

    private func changeRelations(_ job: TortureJob, _ driver: any StoreDriver, _ channel: TortureChannel) throws {
        guard let driver = driver as? any RelatedStoreDriver else {
            throw RunError(.process, "\(job.driver) has no store of related records")
        }
        let session = try driver.openRelated(
            in: URL(fileURLWithPath: job.store, isDirectory: true), options: job.scenario.store)
        let load = RelatedLoad(job: job, session: session, onAcknowledged: channel.acknowledged)
        for problem in load.run() { channel.send(.problem(problem)) }
        try session.close()
    }
}

extension TortureJob {
    /// The configuration of the store for the phase.
    var configuration: StoreConfiguration { configuration(for: view) }

    /// The configuration of the store that is seeded.
    var seeding: StoreConfiguration { configuration(for: scenario) }

    private func configuration(for view: Scenario) -> StoreConfiguration {
        StoreConfiguration(
            directory: URL(fileURLWithPath: store, isDirectory: true), schema: view.schema.focused(on: view.focus),
            options: view.store, records: RecordGenerator(entity: view.entity, seed: view.seed))
    }
}

/// The pipe to the parent.
private final class TortureChannel: Sendable {
    /// The file handle; the lock is held while a line is written.
    private let file = Locked(ChildProcess.channelToParent())
    private let hasAcknowledged = Locked(false)

    /// Sends an event as one line.
    func send(_ event: TortureEvent) {
        guard var line = try? JSONEncoder().encode(event) else { return }
        line.append(UInt8(ascii: "\n"))
        file.withLock { try? $0.write(contentsOf: line) }
    }

    /// Notes an acknowledged write; only the first is reported.
    @Sendable func acknowledged() {
        if !hasAcknowledged.exchange(true) { send(.acknowledged) }
    }
}
