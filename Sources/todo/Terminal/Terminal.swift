import Foundation

/// The program's output: results go to standard output, everything else to standard error.
enum Terminal {
    /// Whether a line on standard error can be overwritten.
    static let isLive = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    /// Writes to standard output, where partial output is an error.
    static func write(_ text: String) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            throw TodoError("cannot write to standard output: \(error.localizedDescription)")
        }
    }

    /// Writes to standard error. A closed reader is not an error.
    static func note(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// Writes an error message on one line.
    static func error(_ message: String) {
        note("todo: error: \(message.split(whereSeparator: \.isNewline).joined(separator: " "))\n")
    }
}

/// Returns a count with its noun: `1 item`, `2 items`.
func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}
