import Foundation
import Locking
import TestSupport

/// Stands between a client and the server, and lets the server behave as an engine that can do the least: it refuses
/// what some engines of PostgreSQL's protocol refuse, and answers every other `COMMIT` of a connection with 40001.
final class StrictProxy: Sendable {
    /// The folder with the socket to connect to.
    let folder: TemporaryDirectory
    private let server: String
    private let listener: CInt

    private static let socketName = ".s.PGSQL.5432"

    /// The proxy of this process.
    static let current: StrictProxy? = PostgreSQLServer.current.flatMap { try? StrictProxy($0) }

    private init(_ server: PostgreSQLServer) throws {
        self.server = "\(server.socketFolder)/\(Self.socketName)"
        folder = try TemporaryDirectory(isKept: true)
        listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        let bound = Self.withAddress(folder.file(Self.socketName).path(percentEncoded: false)) {
            bind(listener, $0, $1)
        }
        guard bound == 0, listen(listener, 128) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                Thread.detachNewThread { [self] in serve(client) }
            }
        }
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
        defer {
            close(upstream)
            close(client)
        }
        guard Self.withAddress(server, { connect(upstream, $0, $1) }) == 0 else { return }
        var (messages, buffer) = (StrictMessages(), [UInt8](repeating: 0, count: 1 << 16))
        var ends = [client, upstream].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&ends, 2, -1) >= 0 || errno == EINTR {
            for (index, end) in ends.enumerated() where end.revents != 0 {
                let count = recv(end.fd, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                let received = buffer[..<count]
                let isSent =
                    index == 0
                    ? Self.send(messages.replaced(received), to: upstream) : Self.send(Array(received), to: client)
                guard isSent else { return }
            }
        }
    }

    private static func send(_ bytes: [UInt8], to end: CInt) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let more = bytes[sent...].withUnsafeBytes {
                Foundation.send(end, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard more > 0 else { return false }
            sent += more
        }
        return true
    }
}

/// The messages of a client, in which statements are replaced that are to fail.
struct StrictMessages {
    private var pending: [UInt8] = []
    private var hasStarted = false
    private var commits = 0

    /// Takes in bytes, and returns the whole messages among them, as they are to be sent on.
    mutating func replaced(_ received: ArraySlice<UInt8>) -> [UInt8] {
        pending += received
        var (replaced, start) = ([UInt8](), 0)
        // Only the first message has no type.
        while let length = length(at: start), start + length <= pending.count {
            let message = pending[start..<start + length]
            replaced += hasStarted ? self.message(message) : Array(message)
            hasStarted = true
            start += length
        }
        pending.removeFirst(start)
        return replaced
    }

    private func length(at start: Int) -> Int? {
        let offset = start + (hasStarted ? 1 : 0)
        guard offset + 4 <= pending.count else { return nil }
        let length = pending[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        return length + (hasStarted ? 1 : 0)
    }

    private mutating func message(_ message: ArraySlice<UInt8>) -> [UInt8] {
        let body = message.dropFirst(5)
        switch message.first {
        case UInt8(ascii: "Q"):
            return statement(body.dropLast()).map { Self.message("Q", Array($0.utf8) + [0]) } ?? Array(message)
        case UInt8(ascii: "P"):
            guard let end = body.firstIndex(of: 0) else { return Array(message) }
            let (name, rest) = (body[...end], body[(end + 1)...])
            let sql = rest.prefix { $0 != 0 }
            return statement(sql).map { Self.message("P", name + Array($0.utf8) + rest.dropFirst(sql.count)) }
                ?? Array(message)
        default: return Array(message)
        }
    }

    private static func message(_ type: Character, _ body: [UInt8]) -> [UInt8] {
        let length = withUnsafeBytes(of: UInt32(body.count + 4).bigEndian) { Array($0) }
        return [type.asciiValue ?? 0] + length + body
    }

    /// Returns what is executed in the place of a statement; nil if the statement itself is.
    private mutating func statement(_ bytes: ArraySlice<UInt8>) -> String? {
        let sql = String(decoding: bytes, as: UTF8.self)
        if sql == "COMMIT" {
            commits += 1
            return commits.isMultiple(of: 2)
                ? nil : "ROLLBACK; DO $$BEGIN RAISE 'restart transaction' USING ERRCODE = '40001'; END$$"
        }
        return StrictEngine.refusal(of: sql).map { "SELECT \"\($0)\"()" }
    }
}

/// What the least engine refuses.
enum StrictEngine {
    private static let words = [
        "FORMAT BINARY", "DEFERRABLE", "SET CONSTRAINTS", "LISTEN ", "NOTIFY", "txid_", "pg_advisory", "FOR KEY SHARE",
    ]

    /// Returns what a statement has that is refused; nil for nothing.
    static func refusal(of sql: String) -> String? {
        if let word = words.first(where: sql.contains) { return "refused: \(word)" }
        return hasCorrelatedQuery(sql) ? "refused: correlated subquery" : nil
    }

    /// Whether a subquery has a name such as `t1.` that its own `FROM` does not have.
    static func hasCorrelatedQuery(_ sql: String) -> Bool {
        struct Scope {
            var isQuery = false
            var named: Set<Substring> = []
            var used: Set<Substring> = []
            var isCorrelated: Bool { !used.isSubset(of: named) }
        }
        let tokens = sql.matches(of: /'(?:[^']|'')*'|"(?:[^"]|"")*"|\w+|\S/).map(\.output)
        var (scopes, isCorrelated) = ([Scope()], false)
        for (index, token) in tokens.enumerated() {
            let next = index + 1 < tokens.count ? tokens[index + 1] : ""
            switch token {
            case "(":
                // Parentheses within a query belong to it.
                scopes.append(next == "SELECT" ? Scope(isQuery: true) : Scope())
            case ")":
                guard let scope = scopes.popLast(), !scopes.isEmpty else { return isCorrelated }
                if scope.isQuery {
                    isCorrelated = isCorrelated || scope.isCorrelated
                } else {
                    scopes[scopes.count - 1].named.formUnion(scope.named)
                    scopes[scopes.count - 1].used.formUnion(scope.used)
                }
            case "FROM", "JOIN":
                scopes[scopes.count - 1].named.insert(next)
                if index + 2 < tokens.count { scopes[scopes.count - 1].named.insert(tokens[index + 2]) }
            case ".": if index > 0 { scopes[scopes.count - 1].used.insert(tokens[index - 1]) }
            default: break
            }
        }
        return isCorrelated
    }
}
