import Foundation

/// Waits until a session works no more, so that nothing of one phase falls into the next, and tells what it used until
/// then.
///
/// Only a process that does nothing besides the phase can tell.
struct Stillness: Sendable {
    private static let polls = 6_000

    /// Drains the session's queue, then waits until no other thread has work to do, two seconds at most.
    ///
    /// - Returns: The CPU time since `end`, in nanoseconds, without what the waiting itself took; nil if `end` is nil.
    func wait(for session: any StoreSession, since end: Int?) -> Int? {
        session.queue.sync {}
        let start = Self.ownTime
        for _ in 0..<Self.polls {
            guard areOthersBusy else { break }
            usleep(300)
        }
        let own = Self.ownTime - start
        return end.map { max(ProcessorClock().now() - $0 - own, 0) }
    }

    /// Whether a thread besides this one runs, or waits for a processor or for storage. On a busy machine, a thread may
    /// use no CPU time for a while and still have work to do. Without `/proc`, no thread is seen.
    private var areOthersBusy: Bool {
        ProcessState.threads(of: "self").count { $0.canRun || $0.awaitsStorage } > 1
    }

    /// The CPU time of this thread, in nanoseconds.
    private static var ownTime: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }
}

extension PhaseSetting {
    /// Waits for work that goes on after the clock, and notes its CPU time.
    ///
    /// - Returns: What is wrong with it; empty if all is well, or if this process cannot tell.
    func awaitWork(
        after measurement: PhaseMeasurement, of session: any StoreSession, _ report: inout ReportDraft
    ) -> [String] {
        guard let stillness else { return [] }
        report.outsideClock.cpuAfter = stillness.wait(for: session, since: measurement.after.cpuNanoseconds)
        return Self.childProblems
    }

    /// The problem of a phase that left child processes; empty if it left none. A child counts until the process has
    /// waited for it, because its CPU time counts only then. A child of a child that has ended is not seen.
    private static var childProblems: [String] {
        var information = siginfo_t()
        let found = waitid(P_ALL, 0, &information, Int32(WEXITED) | Int32(WNOHANG) | Int32(WNOWAIT))
        return found == 0 ? ["a child process of the driver was not waited for within the clock"] : []
    }
}
