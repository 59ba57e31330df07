import Foundation

/// The command of one side, which runs again and again.
package struct CommandSide: Sendable {
    /// The path of a program, and its arguments.
    let command: [String]
    /// What its processes are marked with. Both sides have marks of one length: that of the environment changes how a
    /// program lies in memory.
    let tag: String
    let interruption: Interruption

    package init(_ command: [String], tag: String, interruption: Interruption) {
        (self.command, self.tag, self.interruption) = (command, tag, interruption)
    }

    /// Returns the command as another launch runs it, at the same time perhaps.
    func marked(_ launch: Int) -> CommandSide {
        let number = String(format: "%04d", launch)
        return CommandSide(command, tag: tag.dropLast(4) + number, interruption: interruption)
    }

    /// What several runs, one after the other, came to.
    package struct Runs: Sendable {
        /// The means of one run.
        var turn: Turn
        /// What the last run used.
        var usage = ResultRow.Usage()
        package var problem: String?
        /// Whether the command was kept on the core that was wanted.
        var isPinned = true
    }

    /// Runs the command `count` times.
    ///
    /// - Parameters:
    ///   - core: The core to keep it on; nil for all.
    ///   - output: Takes what it writes; nil to discard that.
    ///   - seconds: How long one run may take.
    package func run(_ count: Int, on core: Int?, to output: URL?, within seconds: Double) throws -> Runs {
        let files = try Descriptors(output: output)
        defer { files.end() }
        var runs = Runs(turn: Turn(cpu: 0, duration: 0, release: 0, operations: 1))
        for _ in 0..<count {
            let (process, isPinned) = try start(on: core, files)
            runs.isPinned = runs.isPinned && isPinned
            let ending = try endingLeftovers { try process.end(within: seconds) }
            runs.turn.cpu += ending.usage.cpu ?? 0
            runs.turn.duration += ending.duration
            runs.usage = ending.usage
            runs.problem = ending.problem.map { $0 + files.lastWords }
            if ending.problem != nil { break }
        }
        let left = endLeftovers()
        runs.problem = runs.problem ?? left
        runs.turn.cpu /= count
        runs.turn.duration /= count
        return runs
    }

    private func start(on core: Int?, _ files: Descriptors) throws -> (CommandProcess, isPinned: Bool) {
        try Cores.system.pinned(to: core) {
            let start = { () throws(RunError) in
                try CommandProcess(command, tag: tag, in: files.setting, interruption: interruption)
            }
            return core == nil ? try start() : try BatchScheduling.during(start)
        }
    }
}

// MARK: - Rehearsing

extension CommandSide {
    /// What is known of a command before it takes turns.
    struct Rehearsal: Sendable {
        /// CPU time of one run, in nanoseconds.
        var cpu = 0
        /// The time by the clock of one run alone, in nanoseconds.
        var duration = 0
        /// The peak of its memory, in bytes; nil if that cannot be told from the memory of this process.
        var peak: Int?
        /// The share of the time in which it did not wait.
        var busyShare = 1.0
        /// Why it cannot take turns.
        var problem: String?
    }

    /// The first run reads what is not in the page cache yet, and does not count if there are more.
    private static let fewestRuns = 2
    private static let mostRuns = 50
    /// How long to go on at least, in nanoseconds.
    private static let shortTime = 300_000_000
    /// What took so long, in nanoseconds, is enough.
    private static let longTime = 5_000_000_000

    /// Runs the command alone, a few times if it is short.
    ///
    /// - Parameters:
    ///   - core: The core to keep it on; nil for all.
    ///   - seconds: How long one run may take.
    func rehearse(on core: Int?, within seconds: Double) throws -> Rehearsal {
        let files = try Descriptors(output: nil)
        defer { files.end() }
        let probe = SessionProbe()
        var endings: [CommandProcess.Ending] = []
        repeat {
            let process = try start(on: core, files).0
            let ending = try endingLeftovers {
                try probe.watching(process.id) { try process.end(within: seconds, inspect: endLeftovers) }
            }
            if let problem = ending.problem {
                return Rehearsal(problem: problem + files.lastWords)
            }
            endings.append(ending)
        } while !Self.isEnough(endings, probe)
        let counted = endings.count > 1 ? endings[1...] : endings[...]
        let cpu = SampleSummary(counted.map { Double($0.usage.cpu ?? 0) })?.median ?? 0
        let duration = SampleSummary(counted.map { Double($0.duration) })?.median ?? 0
        let peak = endings.compactMap(\.usage.residentPeakBytes).max()
        return Rehearsal(
            cpu: Int(cpu), duration: Int(duration), peak: peak,
            busyShare: probe.busyShare ?? 1)
    }

    private static func isEnough(_ endings: [CommandProcess.Ending], _ probe: SessionProbe) -> Bool {
        let time = endings.reduce(0) { $0 + $1.duration }
        if endings.count == mostRuns || time >= longTime { return true }
        return endings.count >= fewestRuns && time >= shortTime && probe.busyShare != nil
    }

    /// Ends processes that the command has not waited for.
    ///
    /// - Returns: Which ones there are; nil if there are none.
    private func endLeftovers() -> String? {
        var left = leftovers
        // The last processes of a pipeline may still be ending.
        for _ in 0..<2 where !left.isEmpty {
            usleep(5_000)
            left = leftovers
        }
        for process in left { kill(process.id, SIGKILL) }
        guard let first = left.first else { return nil }
        return
            "left \(first.name) running (process \(first.id)), whose CPU time is not told with its own; have it wait "
            + "for what it starts"
    }

    /// Ends what is left also if `body` is interrupted.
    private func endingLeftovers<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            _ = endLeftovers()
            throw error
        }
    }

    private var leftovers: [(id: pid_t, name: String)] {
        SessionProbe.processes(marked: "\(CommandProcess.mark)=\(tag)")
    }
}

/// Where a command writes.
private struct Descriptors {
    let setting: CommandProcess.Setting
    private let errors: ErrorTail

    init(output: URL?) throws(RunError) {
        let opened = try Self.descriptor(of: output)
        errors = try ErrorTail()
        setting = CommandProcess.Setting(output: opened, errors: errors.descriptor)
    }

    func end() {
        close(setting.output)
        errors.end()
    }

    /// The last line of the errors, to follow a problem.
    var lastWords: String { errors.lastLine.map { ": \($0)" } ?? "" }

    private static func descriptor(of file: URL?) throws(RunError) -> Int32 {
        let path = file?.path ?? "/dev/null"
        let opened = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        // Out of the way of the standard descriptors, which may be closed.
        let descriptor = opened < 0 ? -1 : fcntl(opened, F_DUPFD_CLOEXEC, 3)
        let reason = errno
        if opened >= 0 { close(opened) }
        guard descriptor >= 0 else {
            throw RunError(.process, "\(path): \(String(cString: strerror(reason)))")
        }
        return descriptor
    }
}
