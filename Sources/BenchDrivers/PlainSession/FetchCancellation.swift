import Foundation
import Locking

/// Cancels a fetch that runs in the background: a flag for its loop, and an interrupt for SQLite.
///
/// The lock is held during the interrupt, so that none can hit a later fetch on the same connection.
final class FetchCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var isOver = false
    }

    private let connection: PlainConnection
    private let state = Locked(State())

    init(_ connection: PlainConnection) { self.connection = connection }

    /// Stops the fetch, unless it was delivered already.
    func cancel() {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isCancelled = true
            connection.interrupt()
        }
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func checkCancellation() throws {
        if isCancelled { throw DriverError(.interrupted, "the fetch was cancelled") }
    }

    /// Ends the time in which the fetch can be cancelled, and says whether it was.
    func close() -> Bool {
        state.withLock { state in
            state.isOver = true
            return state.isCancelled
        }
    }
}
