import Foundation

/// Where the program writes: what was asked for to standard output, all else to standard error.
enum Terminal {
    /// Whether a line on standard error can be drawn over.
    static let isLive = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    /// Writes to standard output what is useless when it is not whole.
    static func write(_ text: String) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            throw TodoError("cannot write to standard output: \(error.localizedDescription)")
        }
    }

    /// Writes to standard error. A reader that has gone is no error.
    static func note(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// One line that says what went wrong.
    static func error(_ message: String) {
        note("todo: error: \(message.split(whereSeparator: \.isNewline).joined(separator: " "))\n")
    }
}

/// `1 item`, `2 items`.
func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}
