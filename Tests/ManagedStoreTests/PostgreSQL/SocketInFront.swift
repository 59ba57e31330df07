import Foundation
import TestSupport

/// A socket for clients, in a folder of its own, and a connection to the server for each of them.
final class SocketInFront: Sendable {
    /// The folder with the socket to connect to.
    let folder: TemporaryDirectory
    private let server: String
    private let listener: CInt

    private static let name = ".s.PGSQL.5432"

    init(of server: PostgreSQLServer) throws {
        self.server = server.socketFolder
        folder = try TemporaryDirectory()
        listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        let path = folder.file(Self.name).path(percentEncoded: false)
        let bound = Self.withAddress(path) { bind(listener, $0, $1) }
        guard bound == 0, listen(listener, 128) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    deinit {
        shutdown(listener, CInt(SHUT_RDWR))
        close(listener)
    }

    /// Calls `body` with the sockets of each client and of its connection to the server, on one thread. `body` closes
    /// them.
    func serve(_ body: @escaping @Sendable (_ client: CInt, _ upstream: CInt) -> Void) {
        Thread.detachNewThread { [listener, server] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                if let upstream = Self.connect(toSocketIn: server) { body(client, upstream) } else { close(client) }
            }
        }
    }

    /// Returns a connection to the socket of a server in a folder; nil if it refuses.
    static func connect(toSocketIn folder: String) -> CInt? {
        let end = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        if withAddress("\(folder)/\(name)", { Foundation.connect(end, $0, $1) }) == 0 { return end }
        close(end)
        return nil
    }

    /// Sends all bytes. Returns false if the other end has closed.
    static func send(_ bytes: some Collection<UInt8>, to end: CInt) -> Bool {
        var left = Array(bytes)[...]
        while !left.isEmpty {
            let sent = left.withUnsafeBytes { Foundation.send(end, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard sent > 0 else { return false }
            left = left.dropFirst(sent)
        }
        return true
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
}
