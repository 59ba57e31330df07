import Foundation

extension Process {
    /// How long Foundation has to notice that a process has ended, in milliseconds.
    private static let patience = 2_000

    /// Waits until the process has ended.
    ///
    /// On Linux, `waitUntilExit()` may wait for ever: Foundation learns of the end from a socket whose message can get
    /// lost, and then `isRunning` stays true, too. It also asks every 50 ms only. The kernel tells the end at once.
    ///
    /// - Returns: The exit code, or the number of the signal that ended the process; -1 if Foundation does not know it,
    ///   and an earlier call has taken it from the kernel.
    @discardableResult package func awaitEnd() -> Int32 {
        howItEnded().map { $0.signal ?? $0.code } ?? -1
    }

    /// Waits until the process has ended, and tells how; nil where ``awaitEnd()`` returns -1.
    package func howItEnded() -> ProcessEnd? {
        ProcessEnd.await(processIdentifier)
        return outcome
    }

    /// Whether the process has ended.
    package var hasEnded: Bool {
        var information = siginfo_t()
        let found = waitid(P_PID, id_t(processIdentifier), &information, Int32(WEXITED) | Int32(WNOWAIT | WNOHANG))
        // Foundation has reaped a process that is no child any more. Where there is none to report, nothing is written.
        return found != 0 ? errno != EINTR : information.si_signo != 0
    }

    /// Foundation reaps the process, usually. If it has not noticed the end after a while, this does.
    private var outcome: ProcessEnd? {
        for round in 0..<2 * Self.patience where isRunning {
            var status: Int32 = 0
            if round >= Self.patience, waitpid(processIdentifier, &status, WNOHANG) == processIdentifier {
                return ProcessEnd(status: status)
            }
            usleep(1_000)
        }
        // Foundation stops a program that asks for the code of a process that it believes to run.
        guard !isRunning else { return nil }
        let isSignalled = terminationReason == .uncaughtSignal
        return ProcessEnd(code: isSignalled ? 0 : terminationStatus, signal: isSignalled ? terminationStatus : nil)
    }
}
