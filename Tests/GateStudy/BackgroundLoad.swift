import Foundation
import Processes

/// What else the machine does meanwhile: on every core a thread that goes over a few megabytes of memory.
enum BackgroundLoad: String, CaseIterable {
    case none
    /// Without a pause.
    case steady
    /// 20 ms of work, 20 ms of rest, all cores at once.
    case periodic
    /// Work and rest of 1 to 100 ms each, every core for itself.
    case random
    /// What others do, such as compilers: the study adds nothing. It is for machines that are not quiet.
    case outside

    /// Whether the study starts it.
    var isOwn: Bool { self != .none && self != .outside }

    /// Does `body` under the load, which is a process of its own: `bench ab` tells the work of others from its own.
    /// `program` is that of the study.
    func during<Value>(program: String, _ body: () throws -> Value) throws -> Value {
        guard isOwn else { return try body() }
        let (process, input) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["load", rawValue]
        process.standardInput = input
        try process.run()
        defer {
            try? input.fileHandleForWriting.close()
            process.awaitEnd()
        }
        return try body()
    }

    /// Works on all cores until standard input ends: when the process that reads the verdicts says so, or is no more.
    func work() {
        for core in 0..<ProcessInfo.processInfo.activeProcessorCount {
            Thread.detachNewThread { work(seed: UInt64(core)) }
        }
        _ = try? FileHandle.standardInput.readToEnd()
    }

    private func work(seed: UInt64) {
        var memory = [UInt64](repeating: seed, count: 1 << 19)
        var random = SystemRandomNumberGenerator()
        while true {
            let milliseconds =
                switch self {
                case .none, .outside, .steady, .periodic: (work: 20, rest: 20)
                case .random:
                    (work: Int.random(in: 1...100, using: &random), rest: Int.random(in: 1...100, using: &random))
                }
            let end = DispatchTime.now() + .milliseconds(milliseconds.work)
            while DispatchTime.now() < end {
                for index in memory.indices { memory[index] &+= UInt64(index) }
            }
            if self != .steady { usleep(UInt32(milliseconds.rest) * 1_000) }
        }
    }
}
