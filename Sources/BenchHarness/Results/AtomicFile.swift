import Foundation

/// A file that is written completely or not at all: until ``commit()`` the previous file stays in place, even if the
/// program crashes meanwhile.
public final class AtomicFile {
    private let path: String
    private let temporary: String
    private let descriptor: Int32
    private var isCommitted = false

    /// The most bytes that the name of the temporary file has more.
    package static let longestSuffix = ".\(Int32.max).new".utf8.count

    /// Begins to write the future content of `path`.
    public init(path: String) throws(RunError) {
        self.path = path
        temporary = "\(path).\(getpid()).new"
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        if !isCommitted { unlink(temporary) }
    }

    /// Writes `contents` to `path` atomically.
    package static func write(_ contents: Data, to path: String) throws(RunError) {
        let file = try AtomicFile(path: path)
        try file.append(contents)
        try file.commit()
    }

    /// Appends to the new content.
    public func append(_ contents: Data) throws(RunError) {
        var rest = contents[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw failure }
            rest = rest.dropFirst(written)
        }
    }

    /// Replaces the file at the path by the new content.
    public func commit() throws(RunError) {
        guard rename(temporary, path) == 0 else { throw failure }
        isCommitted = true
    }

    private var failure: RunError {
        RunError(.output, "cannot write \(path): \(String(cString: strerror(errno)))")
    }
}
