import Dispatch
import Foundation
import Locking

/// Takes what commands write to standard error, and keeps the end of it: a command may write without an end.
final class ErrorTail {
    /// Where commands write.
    let descriptor: Int32
    private let source: any DispatchSourceRead
    private let kept: Locked<Data>
    private let reading: Int32

    private static let most = 4_096

    init() throws(RunError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw RunError(.process, "no pipe for the errors of a command: \(String(cString: strerror(errno)))")
        }
        let moved = ends.map { end in
            // Out of the way of the standard descriptors, and for no program that another thread starts.
            let moved = fcntl(end, F_DUPFD_CLOEXEC, 3)
            close(end)
            return moved
        }
        (reading, descriptor) = (moved[0], moved[1])
        _ = fcntl(reading, F_SETFL, O_NONBLOCK)
        kept = Locked(Data())
        source = DispatchSource.makeReadSource(fileDescriptor: reading, queue: .global())
        source.setEventHandler { [reading, kept] in Self.take(reading, kept) }
        source.setCancelHandler { [reading] in close(reading) }
        source.resume()
    }

    /// Ends without waiting for processes that still hold the other end.
    func end() {
        close(descriptor)
        source.cancel()
    }

    private static func take(_ reading: Int32, _ kept: Locked<Data>) {
        kept.withLock { kept in
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = read(reading, &chunk, chunk.count)
            guard count > 0 else { return }
            kept = (kept + chunk[..<count]).suffix(most)
        }
    }

    /// The last line that says something, shortened; nil if there is none.
    var lastLine: String? {
        // What was written just before the end may still be in the pipe.
        for _ in 0..<2 { Self.take(reading, kept) }
        let line = String(decoding: kept.value, as: UTF8.self).split(whereSeparator: \.isNewline)
            .last { !$0.allSatisfy(\.isWhitespace) }
        return line.map { String($0).shortened(to: 200) }
    }
}
