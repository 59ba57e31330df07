import BenchHarness
import Foundation
import Locking

/// Where the command writes: results to standard output, all else to standard error.
struct Console: Sendable {
    /// The first error of standard output.
    private let loss = Locked<Int32?>(nil)
    /// Whether standard error is a terminal, which a live line can be drawn on.
    let isErrorTerminal = isatty(STDERR_FILENO) == 1
    /// Whether standard output understands colour and wants it (no-color.org).
    let isColoured =
        isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
        && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    /// The columns of the terminal on standard error, which may be resized at any time; 80 where it is unknown.
    var errorWidth: Int {
        var size = winsize()
        let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }

    /// Writes to standard output. A reader that has gone is no error; what else goes wrong is told of when the command
    /// ends.
    func out(_ text: String) {
        if let error = Self.write(text), error != EPIPE { loss.withLock { $0 = $0 ?? error } }
    }

    /// Writes to standard output what is the result, and useless when it is not whole.
    func result(_ text: String) throws {
        if let error = Self.write(text) { throw Self.failure(error) }
    }

    /// Why some of what went to ``out(_:)`` is lost; nil when nothing is.
    var outputError: RunError? { loss.value.map(Self.failure) }

    private static func failure(_ error: Int32) -> RunError {
        RunError(.output, "cannot write to standard output: \(String(cString: strerror(error)))")
    }

    /// Writes all of it, unless that fails: then returns what `errno` says.
    private static func write(_ text: String) -> Int32? {
        Array(text.utf8).withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = Foundation.write(STDOUT_FILENO, part.baseAddress, part.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    // It is a pipe that was set not to block.
                    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                    poll(&output, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return nil
        }
    }

    /// Writes to standard error.
    func note(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// One line that says what went wrong.
    func error(_ message: String) {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        note("bench: error: \(line)\n")
    }

    /// One line for each phase that failed.
    func errors(_ failures: [ResultRow]) {
        for row in failures { error("\(row.driver), \(row.phase), repetition \(row.repetition): \(row.error)") }
    }

    /// One line about something that may be wrong.
    func warning(_ message: String) {
        note("bench: warning: \(message)\n")
    }
}
