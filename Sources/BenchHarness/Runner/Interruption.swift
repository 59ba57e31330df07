import Foundation
import Locking

/// A request to stop the run, from any thread, such as a signal handler's.
public final class Interruption: Sendable {
    private struct State {
        var isRequested = false
        var children: Set<pid_t> = []
    }

    private let state = Locked(State())

    /// Creates an interruption without a request.
    public init() {}

    /// Whether a stop was requested.
    public var isRequested: Bool { state.withLock { $0.isRequested } }

    /// Stops the run: kills the current child, and prevents further ones. Returns at once.
    public func request() {
        state.withLock { state in
            state.isRequested = true
            for child in state.children { kill(child, SIGKILL) }
        }
    }

    /// Sets the child to kill on a request. Nil clears it before the child is reaped, since another process may get its
    /// id afterwards.
    package func watch(_ child: pid_t) {
        state.withLock { state in
            state.children.insert(child)
            if state.isRequested { kill(child, SIGKILL) }
        }
    }

    /// Says that `child` is about to be waited for, after which its id may be another's.
    package func forget(_ child: pid_t) {
        state.withLock { _ = $0.children.remove(child) }
    }
}
