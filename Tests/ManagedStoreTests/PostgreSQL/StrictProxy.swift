import Foundation
import TestSupport

/// Stands between a client and the server, and lets the server behave as an engine that can do the least: it refuses
/// what some engines of PostgreSQL's protocol refuse, and answers every other `COMMIT` of a connection with 40001.
final class StrictProxy: Sendable {
    /// The folder with the socket to connect to.
    var folder: TemporaryDirectory { socket.folder }
    private let socket: SocketInFront

    /// The proxy of this process.
    static let current: StrictProxy? = PostgreSQLServer.current.flatMap { try? StrictProxy($0) }

    private init(_ server: PostgreSQLServer) throws {
        socket = try SocketInFront(of: server)
        socket.serve { client, upstream in
            Thread.detachNewThread {
                Self.forward(client, upstream)
                close(upstream)
                close(client)
            }
        }
    }

    private static func forward(_ client: CInt, _ upstream: CInt) {
        var (messages, buffer) = (StrictMessages(), [UInt8](repeating: 0, count: 1 << 16))
        var ends = [client, upstream].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&ends, 2, -1) >= 0 || errno == EINTR {
            for (index, end) in ends.enumerated() where end.revents != 0 {
                let count = recv(end.fd, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                let isSent =
                    index == 0
                    ? SocketInFront.send(messages.replaced(buffer[..<count]), to: upstream)
                    : SocketInFront.send(buffer[..<count], to: client)
                guard isSent else { return }
            }
        }
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
        "FORMAT BINARY", "DEFERRABLE", "SET CONSTRAINTS", "LISTEN ", "NOTIFY", "txid_", "_advisory_", "FOR KEY SHARE",
    ]

    /// Returns what a statement has that is refused; nil for nothing.
    static func refusal(of sql: String) -> String? {
        if let word = words.first(where: sql.contains) { return "refused: \(word)" }
        // Of two tables of the store, by whatever column.
        if sql.contains("JOIN \"Z") { return "refused: distant join" }
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
