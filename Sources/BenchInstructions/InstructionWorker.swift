import BenchHarness
import Foundation

/// The process that runs under callgrind: it reads a job from standard input, has the instructions of its phases
/// counted, and reports over a pipe.
public struct InstructionWorker {
    private let drivers: [any StoreDriver]
    private let inspectorCommand: [String]

    /// Creates a worker.
    ///
    /// - Parameters:
    ///   - drivers: The drivers that it can drive.
    ///   - inspectorCommand: The program and arguments of a process that runs an ``BenchHarness/InspectionWorker``;
    ///     empty to inspect stores in this process.
    public init(drivers: [any StoreDriver], inspectorCommand: [String] = []) {
        self.drivers = drivers
        self.inspectorCommand = inspectorCommand
    }

    /// Runs the job.
    public func run() throws {
        let work = try ChildProcess.job(InstructionJob.self)
        ChildProcess.dieWithParent(work.job.parent)
        guard work.version == InstructionJob.version else {
            throw RunError(
                .process,
                "this bench counts by version \(InstructionJob.version) of the messages, the other by "
                    + "\(work.version); build both anew")
        }
        guard CallgrindCounter.isAvailable else {
            throw RunError(.process, "instructions are counted under valgrind only; start bench instructions")
        }
        let channel = EventChannel(ChildProcess.channelToParent())
        let counter = CallgrindCounter()
        let executor = InProcessExecutor(
            drivers: drivers, instruments: .counting(with: counter), interruption: Interruption(),
            inspectorCommand: inspectorCommand)
        let failure = try executor.execute(work.job) { event in
            switch event {
            case .started(let index): counter.begin(phase: index)
            // They come as often as the time allows: what they cost would count.
            case .progress, .sample: break
            case .finished: channel.send(event)
            }
        }
        if let failure = failure ?? channel.failure {
            throw RunError(.process, "the process that counts \(failure)")
        }
    }
}
