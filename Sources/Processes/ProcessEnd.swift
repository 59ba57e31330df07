import Foundation

/// How a child process ended, as the kernel tells it.
package struct ProcessEnd {
    /// The exit code; 0 if a signal ended it.
    package let code: Int32
    /// The signal that ended it; nil if it ended by itself.
    package let signal: Int32?

    /// - Parameter status: What `waitpid` has written.
    package init(status: Int32) {
        self.init(code: (status >> 8) & 0xff, signal: status & 0x7f == 0 ? nil : status & 0x7f)
    }

    init(code: Int32, signal: Int32?) {
        self.code = code
        self.signal = signal
    }

    /// Waits until a child has ended, and leaves it to be reaped.
    package static func await(_ id: pid_t) {
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, Int32(WEXITED) | Int32(WNOWAIT)) != 0 && errno == EINTR {}
    }
}
