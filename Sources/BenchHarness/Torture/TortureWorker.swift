import Foundation
import Locking

/// A process under torture: reads a job from standard input and runs it, keeping journals.
public struct TortureWorker {
    private let drivers: [any StoreDriver]
    private let task: any TortureTask

    /// Creates a worker that can drive `drivers`.
    public init(drivers: [any StoreDriver]) {
        self.init(drivers: drivers, task: LoadTorture())
    }

    /// Creates a worker of a program with a task of its own.
    package init(drivers: [any StoreDriver], task: any TortureTask) {
        (self.drivers, self.task) = (drivers, task)
    }

    /// Runs the job.
    public func run() throws {
        let job = try ChildProcess.job(TortureJob.self)
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
        try task.run(job, driver, channel)
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
package final class TortureChannel: Sendable {
    /// The file handle; the lock is held while a line is written.
    private let file = Locked(ChildProcess.channelToParent())
    private let hasAcknowledged = Locked(false)

    /// Reports a failure other than that of an operation.
    package func send(problem: String) { send(.problem(problem)) }

    /// Sends an event as one line.
    func send(_ event: TortureEvent) {
        guard var line = try? JSONEncoder().encode(event) else { return }
        line.append(UInt8(ascii: "\n"))
        file.withLock { try? $0.write(contentsOf: line) }
    }

    /// Notes an acknowledged write; only the first is reported.
    @Sendable package func acknowledged() {
        if !hasAcknowledged.exchange(true) { send(.acknowledged) }
    }
}
