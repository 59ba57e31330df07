import Foundation

/// Writes files so that each is there as a whole or as it was before, whatever ends the program meanwhile.
public enum AtomicFile {
    /// Puts `contents` in place at `path`.
    ///
    /// - Throws: A ``RunError`` with the reason; what was at `path` is then still there.
    public static func write(_ contents: Data, to path: String) throws(RunError) {
        let temporary = path + ".new"
        guard create(temporary, contents), rename(temporary, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(temporary)
            throw RunError(.output, "cannot write \(path): \(reason)")
        }
    }

    /// Writes a whole file; false, and `errno` says why, when it could not be.
    private static func create(_ path: String, _ contents: Data) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { return false }
        defer {
            let reason = errno
            close(file)
            errno = reason
        }
        var rest = contents[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }
}
