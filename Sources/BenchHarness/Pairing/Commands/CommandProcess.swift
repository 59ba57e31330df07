import CSystem
import Dispatch
import Foundation
import Locking
import Processes

/// A command that runs once, in a session of its own.
struct CommandProcess {
    /// What one run came to.
    struct Ending: Sendable {
        /// The time by the clock, in nanoseconds.
        var duration = 0
        /// What the process used, and those that it has waited for.
        var usage = ResultRow.Usage()
        /// What was wrong; nil if the command succeeded.
        var problem: String?
    }

    /// What all runs of a turn have in common.
    struct Setting {
        /// Where output and errors go.
        let output: Int32
        let errors: Int32
        /// The least peak of memory that the kernel tells of a command, in bytes: a program takes over that of the
        /// process from which it was started. Nil if it is unknown.
        let leastPeak = CommandProcess.leastPeakNow
    }

    /// By this variable, the processes of one command are known from all others.
    static let mark = "BENCH_RUN_ID"

    let id: pid_t
    private let interruption: Interruption
    private let start: Int
    private let setting: Setting
    private static let clock = MonotonicClock()
    /// By so much the peak of two processes that do the same may differ, in bytes.
    private static let peakTolerance = 256 << 10

    /// Starts a command.
    ///
    /// - Parameters:
    ///   - command: The path of the program, and its arguments.
    ///   - tag: The value of ``mark``.
    init(_ command: [String], tag: String, in setting: Setting, interruption: Interruption) throws(RunError) {
        (self.setting, self.interruption) = (setting, interruption)
        let arguments = command.map { strdup($0) } + [nil]
        let mark = strdup("\(Self.mark)=\(tag)")
        defer { for text in arguments + [mark] { free(text) } }
        start = Self.clock.now()
        let environment = ChildProcess.inherited(besides: [Self.mark: tag]) + [mark, nil]
        id = csystem_start(command[0], arguments, environment, setting.output, setting.errors)
        guard id > 0 else {
            throw RunError(.process, "cannot start \(command[0]): \(String(cString: strerror(errno)))")
        }
        interruption.watch(id)
    }

    /// Waits for the end of the command, and ends what it has left in its session.
    ///
    /// - Parameters:
    ///   - seconds: How long it may take; it is ended then.
    ///   - inspect: Looks at what it has left, before that is ended; returns what is wrong with it.
    /// - Throws: `Interrupted` if the run was stopped.
    func end(within seconds: Double, inspect: () -> String? = { nil }) throws -> Ending {
        let watch = Watch(id, seconds: seconds)
        ProcessEnd.await(id)
        var ending = Ending(duration: Self.clock.now() - start)
        let isLate = watch.end()
        let left = inspect()
        kill(-id, SIGKILL)
        interruption.forget(id)
        var (status, usage) = (Int32(0), rusage())
        while wait4(id, &status, 0, &usage) < 0 && errno == EINTR {}
        if interruption.isRequested { throw Interrupted() }
        ending.usage = ResultRow.Usage(usage)
        if ending.usage.residentPeakBytes ?? 0 <= (setting.leastPeak ?? 0) + Self.peakTolerance {
            ending.usage.residentPeakBytes = nil
        }
        ending.problem =
            isLate
            ? "did not end within \(Figure.duration(seconds * 1e9))"
            : ChildProcess.problem(ProcessEnd(status: status)) ?? left
        return ending
    }

    /// See ``Setting/leastPeak``.
    private static var leastPeakNow: Int? {
        let id = csystem_start_nothing()
        guard id > 0 else { return nil }
        var usage = rusage()
        while wait4(id, nil, 0, &usage) < 0 && errno == EINTR {}
        return ResultRow.Usage(usage).residentPeakBytes
    }
}

/// Ends a process whose time is over.
private final class Watch {
    private struct State {
        var isOver = false
        var isLate = false
    }

    private let state = Locked(State())
    private let timer: any DispatchSourceTimer

    init(_ process: pid_t, seconds: Double) {
        timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + seconds)
        timer.setEventHandler { [state] in
            state.withLock { state in
                // The number of a process that was waited for may be another's.
                guard !state.isOver else { return }
                state.isLate = true
                kill(-process, SIGKILL)
            }
        }
        timer.resume()
    }

    /// Stops watching.
    ///
    /// - Returns: Whether the time was over.
    func end() -> Bool {
        timer.cancel()
        return state.withLock { state in
            state.isOver = true
            return state.isLate
        }
    }
}

extension PairedCommands {
    /// The metrics that results have of commands.
    package static let metrics: [Metric] = {
        var row = ResultRow()
        row.usage = ResultRow.Usage(rusage())
        return Metric.all.filter { $0.value(row) != nil }
    }()
}

extension ResultRow.Usage {
    /// What the kernel tells of a process that was waited for.
    fileprivate init(_ usage: rusage) {
        self.init()
        let nanoseconds = { (time: timeval) in Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_usec) * 1_000 }
        (cpuUser, cpuSystem) = (nanoseconds(usage.ru_utime), nanoseconds(usage.ru_stime))
        cpu = nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime)
        (switchesVoluntary, switchesInvoluntary) = (Int(usage.ru_nvcsw), Int(usage.ru_nivcsw))
        (faultsMinor, faultsMajor) = (Int(usage.ru_minflt), Int(usage.ru_majflt))
        #if os(Linux)
            residentPeakBytes = Int(usage.ru_maxrss) * 1_024
        #else
            residentPeakBytes = Int(usage.ru_maxrss)
        #endif
    }
}
