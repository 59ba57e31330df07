import Foundation
import Locking

/// Runs a repetition in some process.
protocol RepetitionExecutor {
    /// Runs `job` and reports its events, in order.
    ///
    /// - Returns: What ended the repetition prematurely, in words; nil if it completed.
    func execute(_ job: RepetitionJob, onEvent: @escaping @Sendable (RepetitionEvent) -> Void) throws -> String?
}

/// Runs repetitions in this process.
package struct InProcessExecutor: RepetitionExecutor {
    let drivers: [any StoreDriver]
    let instruments: Instruments
    let interruption: Interruption
    /// The program and arguments of a process that inspects a store; empty to inspect in this process.
    var inspectorCommand: [String] = []

    package init(
        drivers: [any StoreDriver], instruments: Instruments, interruption: Interruption,
        inspectorCommand: [String] = []
    ) {
        self.drivers = drivers
        self.instruments = instruments
        self.interruption = interruption
        self.inspectorCommand = inspectorCommand
    }

    package func execute(
        _ job: RepetitionJob, onEvent: @escaping @Sendable (RepetitionEvent) -> Void
    ) throws -> String? {
        guard let driver = drivers.first(where: { $0.name == job.driver }) else {
            return "has no driver \(job.driver)"
        }
        let interruption = interruption
        var runner = RepetitionRunner(
            job, driver: driver, instruments: instruments, inspectorCommand: inspectorCommand,
            isInterrupted: { interruption.isRequested }, emit: onEvent)
        try runner.run()
        return nil
    }
}

/// Runs each job in a new process: `command`, which calls ``RepetitionWorker``.
struct ChildProcessExecutor: RepetitionExecutor {
    let command: [String]
    let interruption: Interruption

    func execute(_ job: RepetitionJob, onEvent: @escaping @Sendable (RepetitionEvent) -> Void) throws -> String? {
        let child = try ChildProcess(command, input: JSONEncoder().encode(job))
        interruption.watch(child.id)
        let decoder = JSONDecoder()
        var unreadable: String?
        child.forEachLine { line in
            do {
                onEvent(try decoder.decode(RepetitionEvent.self, from: line))
            } catch {
                unreadable = unreadable ?? "sent an unreadable report: \(JSONFile.reason(error))"
            }
        }
        return child.wait { interruption.forget(child.id) } ?? unreadable
    }
}

/// The process that a run starts for a repetition: it reads a job from standard input, runs it, and reports over a
/// pipe.
public struct RepetitionWorker {
    private let drivers: [any StoreDriver]
    private let inspectorCommand: [String]

    /// Creates a worker.
    ///
    /// - Parameters:
    ///   - drivers: The drivers that it can drive.
    ///   - inspectorCommand: The program and arguments of a process that runs an ``InspectionWorker``; empty to inspect
    ///     stores in this process.
    public init(drivers: [any StoreDriver], inspectorCommand: [String] = []) {
        self.drivers = drivers
        self.inspectorCommand = inspectorCommand
    }

    /// Runs the job.
    public func run() throws {
        let job = try ChildProcess.job(RepetitionJob.self)
        ChildProcess.dieWithParent(job.parent)
        let channel = EventChannel(ChildProcess.channelToParent())
        let executor = InProcessExecutor(
            drivers: drivers, instruments: .platform, interruption: Interruption(), inspectorCommand: inspectorCommand)
        let failure = try executor.execute(job) { channel.send($0) } ?? channel.failure
        if let failure { throw RunError(.process, "the process for a repetition \(failure)") }
    }
}

/// Writes events as lines of JSON, and keeps the first failure: a phase without a report of its end must not pass.
///
/// Unchecked because the lock guards the state.
package final class EventChannel: Sendable {
    private let file: FileHandle
    /// The lock is held during a write, so that lines of several threads do not mix.
    private let firstFailure = Locked<String?>(nil)

    package init(_ file: FileHandle) {
        self.file = file
    }

    /// The reason why an event could not be sent; nil if all were.
    package var failure: String? { firstFailure.value }

    package func send(_ event: RepetitionEvent) {
        firstFailure.withLock { firstFailure in
            do {
                try file.write(contentsOf: JSONEncoder().encode(event) + Data("\n".utf8))
            } catch {
                firstFailure = firstFailure ?? "cannot send the report of a phase: \(Self.reason(error))"
            }
        }
    }

    private static func reason(_ error: any Error) -> String {
        guard case EncodingError.invalidValue(let value, let context) = error else { return "\(error)" }
        return "\(context.codingPath.map(\.stringValue).joined(separator: ".")) is \(value)"
    }
}
