import Foundation
import Locking
import TestSupport

/// Stands between a client and the server, cuts a connection when it is about to commit, and counts what the client
/// waits for.
final class CuttingProxy: Sendable {
    enum Cut: Sendable {
        /// The server does not hear of the commit.
        case before
        /// The client does not hear of it.
        case after
    }

    /// The next commit to cut.
    let next = Locked(Cut?.none)
    /// How often the server was ready for the next request.
    let answers = Locked(0)
    /// The folder with the socket to connect to.
    let folder: TemporaryDirectory
    private let server: String
    private let listener: CInt

    private static let socketName = ".s.PGSQL.5432"

    init(_ server: PostgreSQLServer) throws {
        self.server = "\(server.socketFolder)/\(Self.socketName)"
        folder = try TemporaryDirectory()
        listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        let path = folder.file(Self.socketName).path(percentEncoded: false)
        let bound = Self.withAddress(path) { bind(listener, $0, $1) }
        guard bound == 0, listen(listener, 16) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        Thread.detachNewThread { [weak self, listener] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                self?.serve(client)
            }
        }
    }

    deinit {
        shutdown(listener, CInt(SHUT_RDWR))
        close(listener)
    }

    private static func withAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private func serve(_ client: CInt) {
        let upstream = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        guard Self.withAddress(server, { connect(upstream, $0, $1) }) == 0 else {
            close(client)
            return
        }
        let isCut = Locked(false)
        // A socket that one pump closes may be another connection's when the other pump ends.
        let running = Locked(2)
        let end: @Sendable () -> Void = {
            let isLast = running.withLock { count in
                count -= 1
                return count == 0
            }
            if isLast {
                close(upstream)
                close(client)
            }
        }
        Thread.detachNewThread { [self] in
            Self.pump(from: client, to: upstream) { bytes in
                guard bytes.contains(Array("COMMIT\0".utf8)), let cut = next.exchange(nil) else { return true }
                isCut.exchange(true)
                return cut == .after
            }
            end()
        }
        Thread.detachNewThread { [answers] in
            Self.pump(from: upstream, to: client) { bytes in
                answers.withLock { $0 += bytes.count(of: [UInt8(ascii: "Z"), 0, 0, 0, 5]) }
                return !isCut.value
            }
            end()
        }
    }

    /// Forwards bytes until an end closes or `mayPass` refuses some; then ends both ways.
    private static func pump(from source: CInt, to target: CInt, _ mayPass: (ArraySlice<UInt8>) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0, mayPass(buffer[..<count]) else { break }
            var sent = 0
            while sent < count {
                let more = buffer[sent..<count].withUnsafeBytes {
                    send(target, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                guard more > 0 else { break }
                sent += more
            }
        }
        shutdown(source, CInt(SHUT_RDWR))
        shutdown(target, CInt(SHUT_RDWR))
    }
}

extension ArraySlice<UInt8> {
    fileprivate func contains(_ text: [UInt8]) -> Bool { count(of: text) > 0 }

    fileprivate func count(of text: [UInt8]) -> Int {
        indices.count { self[$0] == text[0] && self[$0...].starts(with: text) }
    }
}
