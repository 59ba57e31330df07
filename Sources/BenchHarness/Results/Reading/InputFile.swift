import Foundation

/// A file that a user named, open for reading. What is neither a file nor a pipe is refused by what it is; a pipe, such
/// as a shell's `<(…)`, is read to its end.
final class InputFile {
    /// What messages call it.
    let name: String
    private let descriptor: Int32

    /// Opens the file.
    ///
    /// - Parameter kind: What it must be, for messages.
    init(_ url: URL, kind: String) throws(RunError) {
        name = url.relativePath
        // Opening a named pipe without a writer must not wait for one.
        descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.refusal(name, Self.reason(errno), kind) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw Self.refusal(name, Self.reason(errno), kind) }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFIFO: _ = fcntl(descriptor, F_SETFL, 0)
        case S_IFDIR: throw Self.refusal(name, "a directory", "\(kind) in it")
        case S_IFCHR, S_IFBLK: throw Self.refusal(name, "a device", kind)
        default: throw Self.refusal(name, "no regular file", kind)
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reads what comes next into `buffer`, from `start` on; 0 at the end.
    func read(into buffer: inout [UInt8], from start: Int) throws(RunError) -> Int {
        while true {
            let count = buffer.withUnsafeMutableBytes { bytes in
                Foundation.read(descriptor, bytes.baseAddress! + start, bytes.count - start)
            }
            if count >= 0 { return count }
            if errno != EINTR { throw RunError(.results, "\(name): cannot be read: \(Self.reason(errno))") }
        }
    }

    /// Reads all of it, which must not be more than `limit` bytes.
    func contents(limit: Int) throws(RunError) -> Data {
        var data = Data()
        var chunk = [UInt8](repeating: 0, count: ResultLimits.chunkBytes)
        while true {
            let count = try read(into: &chunk, from: 0)
            if count == 0 { return data }
            data.append(contentsOf: chunk[..<count])
            if data.count > limit { throw RunError(.results, "\(name): more than \(limit) bytes") }
        }
    }

    private static func refusal(_ name: String, _ found: String, _ expected: String) -> RunError {
        RunError(.results, "\(name): \(found); expected \(expected)")
    }

    private static func reason(_ code: Int32) -> String {
        switch code {
        case ENOENT: "no such file"
        case EACCES, EPERM: "no permission to read it"
        case ENXIO: "a socket or a device"
        default: String(cString: strerror(code))
        }
    }
}
