import BenchHarness
import Foundation

/// Where the command writes: results to standard output, all else to standard error.
struct Console: Sendable {
    /// Whether standard error is a terminal, which a live line can be drawn on.
    let isErrorTerminal = isatty(STDERR_FILENO) == 1
    /// Whether standard output understands colour and wants it (no-color.org).
    let isColoured =
        isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
        && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    /// The columns of the terminal on standard error, which may be resized at any time; 80 where nobody knows.
    var errorWidth: Int {
        var size = winsize()
        let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }

    /// Writes to standard output. That nobody reads it is no error.
    func out(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }

    /// Writes to standard output what is the result, and useless when it is not whole.
    func result(_ text: String) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            throw RunError(.output, "cannot write to standard output: \(error.localizedDescription)")
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
