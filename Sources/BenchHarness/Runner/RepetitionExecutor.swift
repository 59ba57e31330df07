import Foundation

/// Has a repetition done, somewhere.
protocol RepetitionExecutor {
    /// Does `job` and hands over what happens, in order.
    ///
    /// - Returns: What ended the repetition before its time, in words; nil when it came to its end.
    func execute(_ job: RepetitionJob, onEvent: @escaping @Sendable (RepetitionEvent) -> Void) throws -> String?
}

/// Does repetitions in this process.
struct InProcessExecutor: RepetitionExecutor {
    let drivers: [any StoreDriver]
    let instruments: Instruments
    let interruption: Interruption

    func execute(_ job: RepetitionJob, onEvent: @escaping @Sendable (RepetitionEvent) -> Void) throws -> String? {
        guard let driver = drivers.first(where: { $0.name == job.driver }) else {
            return "knows no driver \(job.driver)"
        }
        let interruption = interruption
        var runner = RepetitionRunner(
            job, driver: driver, instruments: instruments, isInterrupted: { interruption.isRequested }, emit: onEvent)
        try runner.run()
        return nil
    }
}

/// Does each job in a fresh process: `command`, which calls ``RepetitionWorker``.
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
                unreadable = unreadable ?? "told something that cannot be read: \(JSONFile.reason(error))"
            }
        }
        return child.wait { interruption.watch(nil) } ?? unreadable
    }
}

/// The process that a run starts for a repetition: reads a job from standard input, does it, and reports over a
/// pipe.
public struct RepetitionWorker {
    private let drivers: [any StoreDriver]

    /// Creates a worker that can drive `drivers`.
    public init(drivers: [any StoreDriver]) {
        self.drivers = drivers
    }

    /// Does the job.
    public func run() throws {
        let job = try JSONDecoder().decode(RepetitionJob.self, from: FileHandle.standardInput.readDataToEndOfFile())
        ChildProcess.dieWithParent(job.parent)
        let channel = EventChannel(FileHandle(fileDescriptor: ChildProcess.channel, closeOnDealloc: false))
        let executor = InProcessExecutor(drivers: drivers, instruments: .platform, interruption: Interruption())
        let failure = try executor.execute(job) { channel.send($0) } ?? channel.failure
        if let failure { throw RunError(.process, "the process for a repetition \(failure)") }
    }
}

/// Writes events as lines of JSON, and remembers what could not be written: a phase whose end is not
/// reported must not pass.
///
/// Unchecked because the lock guards what changes.
final class EventChannel: @unchecked Sendable {
    private let lock = NSLock()
    private let file: FileHandle
    private var firstFailure: String?

    init(_ file: FileHandle) {
        self.file = file
    }

    /// Why an event could not be told; nil as long as all were.
    var failure: String? { lock.withLock { firstFailure } }

    func send(_ event: RepetitionEvent) {
        lock.withLock {
            do {
                try file.write(contentsOf: JSONEncoder().encode(event) + Data("\n".utf8))
            } catch {
                firstFailure = firstFailure ?? "cannot tell how a phase went: \(Self.reason(error))"
            }
        }
    }

    private static func reason(_ error: any Error) -> String {
        guard case EncodingError.invalidValue(let value, let context) = error else { return "\(error)" }
        return "\(context.codingPath.map(\.stringValue).joined(separator: ".")) is \(value)"
    }
}
