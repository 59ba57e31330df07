import Foundation

/// How a child process ended, as the kernel tells it.
struct ProcessEnd {
    let code: Int32
    /// The signal that ended it; nil if it ended by itself.
    let signal: Int32?

    /// - Parameter status: What `waitpid` has written.
    init(status: Int32) {
        code = (status >> 8) & 0xff
        signal = status & 0x7f == 0 ? nil : status & 0x7f
    }

    /// Waits until a child has ended, and leaves it to be reaped.
    static func await(_ id: pid_t) {
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, Int32(WEXITED) | Int32(WNOWAIT)) != 0 && errno == EINTR {}
    }
}
