import CPostgres
import Foundation
import Locking

/// Waits on a connection of its own for what other processes say when they save.
final class RemoteChangeListener: Sendable {
    /// Receives each message. Nil stands for messages that may have been lost.
    typealias Receiver = @Sendable (RemoteChangePayload?) -> Void

    private let pool: PostgreSQLConnectionPool
    private let channel: String
    /// Nil once the listener has stopped.
    private let receiver: Locked<Receiver?>
    /// A pipe that is closed to wake the thread.
    private let alarm: (reader: CInt, writer: CInt)

    /// How long to wait before connecting again, in seconds.
    private static let pause: CInt = 1

    /// The channel of a store.
    static func channel(_ store: UUID) -> String { "managedstore_\(store.uuidString.lowercased())" }

    /// Starts to listen.
    ///
    /// - Throws: `StoreError` with `storeFailure`.
    init(_ pool: PostgreSQLConnectionPool, channel: String, _ receiver: @escaping Receiver) throws(StoreError) {
        (self.pool, self.channel) = (pool, channel)
        self.receiver = Locked(receiver)
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw StoreError(
                .storeFailure, "\(pool.address.name): no pipe can be opened; raise the limit of open files")
        }
        alarm = (ends[0], ends[1])
        let connection: PostgreSQLConnection
        do throws(StoreError) {
            connection = try Self.connect(pool, channel)
        } catch {
            for end in ends { close(end) }
            throw error
        }
        // The thread keeps the listener until it is stopped.
        Thread.detachNewThread { [self] in run(connection) }
    }

    /// Makes a connection that is none of the pool's, whose limit it does not count for.
    private static func connect(
        _ pool: PostgreSQLConnectionPool, _ channel: String
    ) throws(StoreError) -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(pool.address, pool.options, engine: pool.engine)
        try connection.execute("LISTEN \"\(channel)\"")
        return connection
    }

    /// Ends the thread. Nothing is received any more.
    func stop() {
        // The thread closes the other end.
        if receiver.exchange(nil) != nil { close(alarm.writer) }
    }

    private func receive(_ payload: RemoteChangePayload?) {
        let receiver = receiver.value
        receiver?(payload)
    }

    private func run(_ first: PostgreSQLConnection) {
        var connection: PostgreSQLConnection? = first
        while receiver.value != nil {
            if let current = connection {
                if !wait(current.socket, timeout: -1) { break }
                guard let messages = current.notifications() else {
                    connection = nil
                    continue
                }
                // A message of another form is that of a later version.
                for text in messages { receive(RemoteChangePayload(text)) }
            } else {
                connection = try? Self.connect(pool, channel)
                if connection != nil { receive(nil) } else if !wait(-1, timeout: Self.pause * 1_000) { break }
            }
        }
        close(alarm.reader)
    }

    /// Waits until a socket can be read. Returns false once the listener was stopped.
    private func wait(_ socket: CInt, timeout milliseconds: CInt) -> Bool {
        var ends = [alarm.reader, socket].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&ends, 2, milliseconds) < 0, errno == EINTR {}
        return ends[0].revents == 0
    }
}

extension PostgreSQLConnection {
    /// Returns the messages that have arrived; nil if the connection was lost.
    fileprivate func notifications() -> [String]? {
        guard cpostgres_PQconsumeInput(handle) == 1, !isLost else { return nil }
        var texts: [String] = []
        while let message = cpostgres_PQnotifies(handle) {
            texts.append(String(cString: cpostgres_text(message)))
            cpostgres_PQfreemem(UnsafeMutableRawPointer(message))
        }
        return texts
    }
}
