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
        child.forEachLine { line in
            if let event = try? decoder.decode(RepetitionEvent.self, from: line) { onEvent(event) }
        }
        return child.wait { interruption.watch(nil) }
    }
}

/// The other end of ``ChildProcessExecutor``: reads a job from standard input, does it, and tells about it over the pipe.
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
        let channel = FileHandle(fileDescriptor: ChildProcess.channel, closeOnDealloc: false)
        let lock = NSLock()
        let executor = InProcessExecutor(drivers: drivers, instruments: .platform, interruption: Interruption())
        let failure = try executor.execute(job) { event in
            guard var line = try? JSONEncoder().encode(event) else { return }
            line.append(UInt8(ascii: "\n"))
            lock.withLock { try? channel.write(contentsOf: line) }
        }
        if let failure { throw RunError(.process, "the process for a repetition \(failure)") }
    }
}
