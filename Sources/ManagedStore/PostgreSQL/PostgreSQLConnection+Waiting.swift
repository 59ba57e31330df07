import CPostgres
import Dispatch
import Foundation

/// Waiting for the server: what is sent and what is received passes here, so that no wait is longer than the response
/// timeout.
///
/// The client library is told not to wait itself. It takes the same calls of the system in the same order either way.
extension PostgreSQLConnection {
    /// Returns the next answer to what was sent, or nil after the last one.
    func nextAnswer(_ sql: String) throws(StoreError) -> QueryResult? {
        while cpostgres_PQisBusy(handle) != 0 { try receive(sql) }
        return cpostgres_PQgetResult(handle).map(QueryResult.init)
    }

    /// Returns the last answer to what was sent, and reads all; it is that of the first statement that failed, if one
    /// did. The beginning of a copy is the last answer, too.
    ///
    /// - Parameter isSent: What the client library said: 1 on success.
    func lastAnswer(_ isSent: CInt, _ sql: String) throws(StoreError) -> QueryResult {
        guard isSent == 1 else { throw failure(sql) }
        var last: QueryResult?
        while let answer = try nextAnswer(sql) {
            last = answer
            if answer.isCopy { break }
        }
        guard let last else { throw failure(sql) }
        return try checked(last, sql)
    }

    /// Returns the next message of a copy from the server, which the caller frees; nil after the last one.
    @inline(__always) func nextCopyMessage(_ sql: String) throws(StoreError) -> UnsafeMutableBufferPointer<CChar>? {
        while true {
            var message: UnsafeMutablePointer<CChar>?
            let count = cpostgres_PQgetCopyData(handle, &message, 1)
            if count > 0 { return UnsafeMutableBufferPointer(start: message, count: Int(count)) }
            if count < 0 { return nil }
            try receive(sql)
        }
    }

    /// Sends all that the client library holds back. Nothing needs to be received then.
    func flush(_ sql: String) throws(StoreError) {
        while try sendSome(sql) { try takeIn(after: POLLIN | POLLOUT, sql) }
    }

    /// Receives what is there, or waits for it. Whatever the server waits for is sent meanwhile.
    private func receive(_ sql: String) throws(StoreError) {
        try takeIn(after: sendSome(sql) ? POLLIN | POLLOUT : POLLIN, sql)
    }

    /// Sends what the socket takes. Returns whether something is left.
    private func sendSome(_ sql: String) throws(StoreError) -> Bool {
        // What arrives late is the answer to nothing.
        if silence != nil { throw failure(sql) }
        let left = cpostgres_PQflush(handle)
        guard left >= 0 else { throw failure(sql) }
        return left > 0
    }

    /// Waits for an event of the socket, and takes in what arrived.
    private func takeIn(after events: CInt, _ sql: String) throws(StoreError) {
        if cpostgres_has_decrypted(handle) == 0 { try wait(for: events, sql) }
        guard cpostgres_PQconsumeInput(handle) == 1 else { throw failure(sql) }
    }

    /// Waits until the socket is ready, and closes the connection if that takes longer than the response timeout.
    private func wait(for events: CInt, _ sql: String) throws(StoreError) {
        let limit = options.responseLimitMilliseconds
        var (end, left) = (pollfd(fd: socket, events: Int16(events), revents: 0), limit ?? -1)
        let now = { DispatchTime.now().uptimeNanoseconds }
        let start = now()
        while true {
            let ready = poll(&end, 1, left)
            if ready > 0 { return }
            if ready == 0 { break }
            guard errno == EINTR else { throw failure(sql) }
            // A profiler interrupts again and again.
            if let limit { left = max(limit - CInt(clamping: (now() - start) / 1_000_000), 0) }
        }
        silence = "the server said nothing for \(limit ?? 0) ms"
        disconnect()
        throw failure(sql)
    }
}
