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
    package func awaitEnd() -> Int32 {
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
    private var outcome: Int32 {
        for round in 0..<2 * Self.patience where isRunning {
            var status: Int32 = 0
            if round >= Self.patience, waitpid(processIdentifier, &status, WNOHANG) == processIdentifier {
                let end = ProcessEnd(status: status)
                return end.signal ?? end.code
            }
            usleep(1_000)
        }
        // Foundation stops a program that asks for the code of a process that it believes to run.
        return isRunning ? -1 : terminationStatus
    }
}
