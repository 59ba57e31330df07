import Foundation

/// A file that a user named, open for reading. It may be a regular file or a pipe; an error names the kind of anything
/// else. A pipe, such as a shell's `<(…)`, is read to its end.
final class InputFile {
    /// The file's name in messages.
    let name: String
    private let descriptor: Int32

    /// Opens the file.
    ///
    /// - Parameter kind: The expected kind of file, for messages.
    init(_ url: URL, kind: String) throws(RunError) {
        name = url.relativePath
        // Opening a named pipe without a writer must not block.
        descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.refusal(name, Self.reason(errno), kind) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw Self.refusal(name, Self.reason(errno), kind) }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFIFO: _ = fcntl(descriptor, F_SETFL, 0)
        case S_IFDIR: throw Self.refusal(name, "a directory", "the name of \(kind)")
        case S_IFCHR, S_IFBLK: throw Self.refusal(name, "a device", kind)
        default: throw Self.refusal(name, "not a regular file", kind)
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reads the next bytes into `buffer`, from `start` on; returns 0 at the end.
    func read(into buffer: inout [UInt8], from start: Int) throws(RunError) -> Int {
        while true {
            let count = buffer.withUnsafeMutableBytes { bytes in
                Foundation.read(descriptor, bytes.baseAddress! + start, bytes.count - start)
            }
            if count >= 0 { return count }
            if errno != EINTR { throw RunError(.results, "\(name): cannot be read: \(Self.reason(errno))") }
        }
    }

    /// Reads the whole file, which may have at most `limit` bytes.
    func contents(limit: Int) throws(RunError) -> Data {
        var data = Data()
        var chunk = [UInt8](repeating: 0, count: ResultLimits.chunkBytes)
        while true {
            let count = try read(into: &chunk, from: 0)
            if count == 0 { return data }
            data.append(contentsOf: chunk[..<count])
            guard data.count <= limit else {
                throw RunError(.results, "\(name): more than \(limit) bytes; expected a smaller file")
            }
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
