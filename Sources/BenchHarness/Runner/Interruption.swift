import Foundation
import Locking

/// A request to stop the run, made from any thread, such as a signal handler's.
public final class Interruption: Sendable {
    private struct State {
        var isRequested = false
        var child: pid_t?
    }

    private let state = Locked(State())

    /// Creates an interruption that has not happened.
    public init() {}

    /// Whether the run is to stop.
    public var isRequested: Bool { state.withLock { $0.isRequested } }

    /// Stops the run: the child under way is killed, and no other is started. Returns at once.
    public func request() {
        state.withLock { state in
            state.isRequested = true
            if let child = state.child { kill(child, SIGKILL) }
        }
    }

    /// Has `child` killed when the run is to stop. Nil says that it is about to be waited for, after which its id may
    /// be another's.
    func watch(_ child: pid_t?) {
        state.withLock { state in
            state.child = child
            if state.isRequested, let child { kill(child, SIGKILL) }
        }
    }
}
