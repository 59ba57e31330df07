import Foundation
import Locking
import TestSupport

/// Stands between a client and the server: does something at a chosen moment, delays what passes, and counts what the
/// client waits for.
final class ServerProxy: Sendable {
    enum Moment: Equatable, Sendable {
        /// The client sent a commit, and the server has not heard of it.
        case commitSent
        /// The server answered a commit, and the client has not heard of it.
        case commitAnswered
        /// The server answered so many bytes, the last of which the client has not received.
        case answered(bytes: Int)
    }

    /// What is done at a moment, once.
    private struct Event: Sendable {
        let moment: Moment
        let cuts: Bool
        let body: @Sendable () -> Void
    }

    private let next = Locked(Event?.none)
    /// The time that each piece of up to so many bytes takes, in either direction, in microseconds.
    let delay = Locked(UInt32(0))
    static let delayedBytes = 1 << 12
    /// Whether nothing passes in either direction, as if the server were stopped. Connections can be opened, as the
    /// system does for a process that is stopped.
    let isFrozen = Locked(false)
    /// Whether something arrived since, which does not pass.
    let holdsBack = Locked(false)
    /// How many bytes the server answered.
    let bytes = Locked(0)
    /// How often the server was ready for the next request.
    let answers = Locked(0)
    /// The folder with the socket to connect to.
    var folder: TemporaryDirectory { socket.folder }
    private let socket: SocketInFront

    init(_ server: PostgreSQLServer) throws {
        socket = try SocketInFront(of: server)
        socket.serve { [weak self] client, upstream in self?.serve(client, upstream) }
    }

    /// Has the connection cut at the next such moment, when `body` has returned.
    func cut(at moment: Moment, _ body: @escaping @Sendable () -> Void = {}) {
        bytes.exchange(0)
        next.exchange(Event(moment: moment, cuts: true, body: body))
    }

    /// Has `body` called at the next such moment, while the bytes wait.
    func hold(at moment: Moment, _ body: @escaping @Sendable () -> Void) {
        bytes.exchange(0)
        next.exchange(Event(moment: moment, cuts: false, body: body))
    }

    /// Whether the moment that was waited for has not come yet.
    var isWaiting: Bool { next.withLock { $0 != nil } }

    private func takeNext(_ isDue: (Moment) -> Bool) -> Event? {
        next.withLock { next in
            guard let event = next, isDue(event.moment) else { return nil }
            next = nil
            return event
        }
    }

    private func serve(_ client: CInt, _ upstream: CInt) {
        // A commit was passed on, and what is to be done before its answer passes.
        let awaited = Locked(Event?.none)
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
            pump(from: client, to: upstream) { passesToServer($0, awaited) }
            end()
        }
        Thread.detachNewThread { [self] in
            pump(from: upstream, to: client) { passesToClient($0, awaited) }
            end()
        }
    }

    private func passesToServer(_ bytes: ArraySlice<UInt8>, _ awaited: Locked<Event?>) -> Bool {
        guard bytes.contains(Array("COMMIT\0".utf8)) else { return true }
        if let event = takeNext({ $0 == .commitAnswered }) { awaited.exchange(event) }
        guard let event = takeNext({ $0 == .commitSent }) else { return true }
        event.body()
        return !event.cuts
    }

    private func passesToClient(_ part: ArraySlice<UInt8>, _ awaited: Locked<Event?>) -> Bool {
        answers.withLock { $0 += part.count(of: [UInt8(ascii: "Z"), 0, 0, 0, 5]) }
        let sent = bytes.withLock { bytes in
            bytes += part.count
            return bytes
        }
        let due = takeNext { moment in
            if case .answered(let limit) = moment { return sent >= limit }
            return false
        }
        guard let event = awaited.exchange(nil) ?? due else { return true }
        event.body()
        return !event.cuts
    }

    /// Forwards bytes until an end closes, or until `mayPass` refuses some, which ends both ways. Otherwise the other
    /// way stays open: an end may have said why it closed.
    private func pump(from source: CInt, to target: CInt, _ mayPass: (ArraySlice<UInt8>) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var isCut = false
        while true {
            let delay = delay.value
            let count = recv(source, &buffer, delay > 0 ? Self.delayedBytes : buffer.count, 0)
            guard count > 0 else { break }
            isCut = !mayPass(buffer[..<count])
            if isCut { break }
            usleep(delay)
            while isFrozen.value {
                holdsBack.exchange(true)
                usleep(1_000)
            }
            guard SocketInFront.send(buffer[..<count], to: target) else { break }
        }
        shutdown(source, CInt(isCut ? SHUT_RDWR : SHUT_RD))
        shutdown(target, CInt(isCut ? SHUT_RDWR : SHUT_WR))
    }
}

extension ArraySlice<UInt8> {
    fileprivate func contains(_ text: [UInt8]) -> Bool { count(of: text) > 0 }

    fileprivate func count(of text: [UInt8]) -> Int {
        indices.count { self[$0] == text[0] && self[$0...].starts(with: text) }
    }
}
