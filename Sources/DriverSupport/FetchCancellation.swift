import Locking

/// The cancellation of a fetch in the background, which is possible until its delivery.
public final class FetchCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var isOver = false
    }

    private let state = Locked(State())

    /// Creates the state of a fetch that has not begun.
    public init() {}

    /// Whether the fetch was cancelled in time.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Cancels the fetch, unless it was already delivered.
    ///
    /// - Parameter interrupt: Ends a call into the store's library. It is called with the lock held, so that it cannot
    ///   affect a later fetch.
    public func cancel(_ interrupt: () -> Void) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isCancelled = true
            interrupt()
        }
    }

    /// Throws `CancellationError` once the fetch is cancelled.
    public func checkCancellation() throws {
        if isCancelled { throw CancellationError() }
    }

    /// Ends the time in which the fetch can be cancelled, and returns whether it was.
    public func close() -> Bool {
        state.withLock { state in
            state.isOver = true
            return state.isCancelled
        }
    }
}
