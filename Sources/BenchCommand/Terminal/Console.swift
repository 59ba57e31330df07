import BenchHarness
import Foundation
import Locking

/// The command's output: results go to standard output, everything else to standard error.
struct Console: Sendable {
    /// The first error of standard output.
    private let loss = Locked<Int32?>(nil)
    /// The number of characters of the live line.
    private let live = Locked(0)
    /// Whether standard error is a terminal, so that a live line is possible.
    let isErrorTerminal = isatty(STDERR_FILENO) == 1
    /// Whether standard output accepts colour and the user wants it (no-color.org).
    let isColoured =
        isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
        && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    /// The width that text on standard output is laid out for; nil for a file or a pipe, which get every column of a
    /// table and each message in one line. `COLUMNS` is a width for all of them.
    var width: Int? { Self.width(of: STDOUT_FILENO) }

    private static func width(of descriptor: Int32) -> Int? {
        let given = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init)
        if let given, given > 0 { return given }
        return isatty(descriptor) == 1 ? terminalWidth(descriptor) : nil
    }

    /// The width of a terminal, which can change at any time; 80 if unknown.
    private static func terminalWidth(_ descriptor: Int32) -> Int {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }

    /// Writes text with tables to standard output, for its width; with `showsAll`, as wide as it is.
    func text(showsAll: Bool = false, _ text: (_ isColoured: Bool, _ width: Int?) -> String) {
        let width = showsAll ? nil : width
        out(text(isColoured, width).harmless(isColoured: isColoured).wrapped(to: width))
    }

    /// Writes sentences to standard output, wrapped at its width.
    func text(_ text: String) { out(text.harmless(isColoured: false).wrapped(to: width)) }

    /// Writes to standard output. A reader that closes the pipe is not an error; the command reports any other error at
    /// its end.
    func out(_ text: String) {
        if let error = Self.write(text), error != EPIPE { loss.withLock { $0 = $0 ?? error } }
    }

    /// Writes a result to standard output; a partial result is useless, so an error throws.
    func result(_ text: String) throws {
        if let error = Self.write(text) { throw Self.failure(error) }
    }

    /// The reason why some output of ``out(_:)`` is lost; nil if none is.
    var outputError: RunError? { loss.value.map(Self.failure) }

    private static func failure(_ error: Int32) -> RunError {
        RunError(.output, "cannot write to standard output: \(String(cString: strerror(error)))")
    }

    /// Writes all bytes; returns `errno` after a failure.
    private static func write(_ text: String) -> Int32? {
        Array(text.utf8).withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = Foundation.write(STDOUT_FILENO, part.baseAddress, part.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    // The pipe is in non-blocking mode.
                    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                    poll(&output, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return nil
        }
    }

    /// Writes sentences to standard error, wrapped at its width.
    func note(_ text: String) {
        Self.writeError(text.harmless(isColoured: false).wrapped(to: Self.width(of: STDERR_FILENO)))
    }

    private static func writeError(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// Shows how far a command is: on a terminal in place of what was shown before, elsewhere in a line of its own.
    func showProgress(_ text: String) {
        if isErrorTerminal {
            showLive(text)
        } else {
            note("bench: \(text)\n")
        }
    }

    /// Takes away the line of ``showLive(_:)``.
    func clearLive() {
        if isErrorTerminal { showLive("") }
    }

    /// Shows a line on a terminal, in place of the one before.
    func showLive(_ text: String) {
        let width = Self.terminalWidth(STDERR_FILENO)
        let line = text.harmless(isColoured: false).shortened(to: width - 1)
        live.withLock { shown in
            Self.writeError(Self.clearing(shown, at: width) + line)
            shown = line.count
        }
    }

    /// Returns what takes away a line of so many characters. A terminal that became narrower meanwhile shows it in
    /// several rows, with the cursor in the last one.
    static func clearing(_ characters: Int, at width: Int) -> String {
        let rowsAbove = max(characters - 1, 0) / max(width, 1)
        return rowsAbove == 0 ? "\r\u{1B}[K" : "\r\u{1B}[\(rowsAbove)A\u{1B}[J"
    }

    /// Writes an error, in one line where no terminal wraps it.
    func error(_ message: String) {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        note("bench: error: \(line)\n")
    }

    /// Writes one line for each failed phase.
    func errors(_ failures: [ResultRow]) {
        for row in failures { error("\(row.driver), \(row.phase), repetition \(row.repetition): \(row.error)") }
    }

    /// Seconds by which the times of day of machines may differ without a word.
    private static let tolerance = 1.0

    /// Writes what went wrong with the other shards of a run, and whether the machine's time of day is wrong.
    func shardProblems(_ outcome: RunOutcome) {
        if let offset = outcome.timeOfDayOffset, abs(offset) > Self.tolerance {
            let size = Figure.duration(abs(offset) * 1e9)
            warning(
                "the time of day here is \(size) \(offset > 0 ? "behind" : "ahead of") that of the meeting place; the results of "
                    + "all shards go by the latter")
        }
        if let reason = outcome.mergeFailure { error("no results of all shards: \(reason)") }
    }

    /// Writes a warning for each load whose figures kept getting worse.
    func driftWarnings(_ rows: [ResultRow], of processes: String = "") {
        for row in rows where row.drifts { warning("\(processes)\(row.title): these figures drifted: \(row.drift)") }
    }

    /// Writes a warning in one line.
    func warning(_ message: String) {
        note("bench: warning: \(message)\n")
    }
}
