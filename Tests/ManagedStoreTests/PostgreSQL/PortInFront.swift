import Foundation

/// A port of the loopback interface, through which clients reach the socket of a server.
final class PortInFront: Sendable {
    let number: UInt16

    /// - Parameter folder: The folder with the server's socket.
    init(ofSocketIn folder: String) throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 128) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        number = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                guard let upstream = SocketInFront.connect(toSocketIn: folder) else {
                    close(client)
                    continue
                }
                for (from, to) in [(client, upstream), (upstream, client)] {
                    Thread.detachNewThread { Self.pass(from, to) }
                }
            }
        }
    }

    /// Passes on all bytes. The descriptors stay open: the process ends soon.
    private static func pass(_ from: CInt, _ to: CInt) {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(from, &bytes, bytes.count)
            guard count > 0, SocketInFront.send(bytes.prefix(count), to: to) else { break }
        }
        for end in [from, to] { shutdown(end, CInt(SHUT_RDWR)) }
    }
}
