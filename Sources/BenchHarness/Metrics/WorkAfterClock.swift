import Foundation

/// Finds work that goes on after the clock has stopped: CPU time of the process, and children that it left running.
///
/// Only a process that does nothing besides the phase can tell.
struct WorkAfterClock: Sendable {
    private static let polls = 2_000

    /// Drains the session's queue, then waits until no other thread has work to do, two seconds at most.
    ///
    /// - Returns: The CPU time since `end`, which was read when the clock stopped; nil if it is unknown.
    func wait(for session: any StoreSession, since end: Int?) -> Int? {
        session.queue.sync {}
        for _ in 0..<Self.polls {
            guard areOthersBusy else { break }
            usleep(1_000)
        }
        return end.map { max(ProcessorClock().now() - $0, 0) }
    }

    /// Whether a thread besides this one runs, or waits for a processor or for storage. On a busy machine, a thread may
    /// use no CPU time for a while and still have work to do. Without `/proc`, no thread is seen.
    private var areOthersBusy: Bool {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let busy = threads.filter { thread in
            // The state follows the name in parentheses (proc(5)).
            let text = ProcText.read("/proc/self/task/\(thread)/stat")?.text ?? ""
            let state = text[(text.lastIndex(of: ")") ?? text.startIndex)...].dropFirst(2).first
            return state == "R" || state == "D"
        }
        return busy.count > 1
    }

    /// Returns the problem of a phase that left child processes; empty if it left none. A child counts until the
    /// process has waited for it, because its CPU time counts only then. A child of a child that has ended is not seen.
    func problems() -> [String] {
        var information = siginfo_t()
        let found = waitid(P_ALL, 0, &information, Int32(WEXITED) | Int32(WNOHANG) | Int32(WNOWAIT))
        return found == 0 ? ["a child process of the driver was not waited for within the clock"] : []
    }
}

extension PhaseSetting {
    /// Waits for work that goes on after the clock, and notes its CPU time.
    ///
    /// - Returns: What is wrong with it; empty if all is well, or if this process cannot tell.
    func awaitWork(
        after measurement: PhaseMeasurement, of session: any StoreSession, _ row: inout ResultRow
    ) -> [String] {
        guard let workAfter else { return [] }
        row.cpuAfter = workAfter.wait(for: session, since: measurement.after.cpuNanoseconds)
        return workAfter.problems()
    }
}
