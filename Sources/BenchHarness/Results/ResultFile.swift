import Foundation
import Locking

/// A CSV that a run writes: each row completely and at once, so that the file is valid however the run ends.
final class CSVFile: Sendable {
    /// The path of the file.
    let path: String
    private let descriptor: Int32
    /// The number of bytes in the file. The lock is held during a write, so that rows of several threads do not mix.
    private let length = Locked(0)

    /// Creates the file and writes the header.
    ///
    /// - Parameter replace: Whether an existing file may be emptied.
    init(path: String, header: [String], replace: Bool) throws(RunError) {
        self.path = path
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (replace ? 0 : O_EXCL)
        descriptor = open(path, flags, 0o644)
        guard descriptor >= 0 else {
            throw RunError(.output, "cannot create \(path): \(String(cString: strerror(errno)))")
        }
        try empty()
        try append(header)
    }

    /// Removes the content of a regular file, and keeps other runs from writing to it: two that append to one file
    /// would mix their rows. A file system without locks does not prevent that.
    private func empty() throws(RunError) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return }
        guard FileLock.take(descriptor) else {
            throw RunError(.output, "\(path): another run is writing it; wait for its end, or name another file")
        }
        ftruncate(descriptor, 0)
    }

    deinit { FileLock.close(descriptor) }

    /// Appends one row.
    func append(_ fields: [String]) throws(RunError) { try write(CSV.line(fields)) }

    /// Writes the whole line with one `write`. If only a part fits, that part is removed again, so that no partial row
    /// remains.
    private func write(_ line: String) throws(RunError) {
        let bytes = Array(line.utf8)
        try length.withLock { length throws(RunError) in
            var written: Int
            repeat { written = Foundation.write(descriptor, bytes, bytes.count) } while written < 0 && errno == EINTR
            guard written == bytes.count else {
                let reason = written < 0 ? String(cString: strerror(errno)) : "only part of a row could be written"
                ftruncate(descriptor, off_t(length))
                throw RunError(.output, "cannot write to \(path): \(reason); it holds what was measured before")
            }
            length += written
        }
    }
}

/// The CSV of a run's results: a row for each phase of each repetition of each driver.
final class ResultFile: Sendable {
    private let file: CSVFile

    /// Creates the file and writes the header.
    ///
    /// - Parameter replace: Whether an existing file may be emptied.
    init(path: String, replace: Bool) throws(RunError) {
        file = try CSVFile(path: path, header: ResultColumn.all.map(\.name), replace: replace)
    }

    /// Appends one row.
    func append(_ row: ResultRow) throws(RunError) {
        try file.append(ResultColumn.all.map { $0.text(row) })
    }
}
