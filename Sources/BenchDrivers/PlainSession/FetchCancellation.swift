import Foundation

/// Cancels a fetch that runs in the background: a flag for its loop, and an interrupt for SQLite.
///
/// Unchecked because the lock guards what changes. The lock is held during the interrupt, so that none can hit a later
/// fetch on the same connection.
final class FetchCancellation: @unchecked Sendable {
    private let lock = NSLock()
    private let connection: Connection
    private var cancelled = false
    private var over = false

    init(_ connection: Connection) { self.connection = connection }

    /// Stops the fetch, unless it was delivered already.
    func cancel() {
        lock.withLock {
            guard !over else { return }
            cancelled = true
            connection.interrupt()
        }
    }

    var isCancelled: Bool { lock.withLock { cancelled } }

    func checkCancellation() throws {
        if isCancelled { throw DriverError(.interrupted, "the fetch was cancelled") }
    }

    /// Ends the time in which the fetch can be cancelled, and says whether it was.
    func close() -> Bool {
        lock.withLock {
            over = true
            return cancelled
        }
    }
}
