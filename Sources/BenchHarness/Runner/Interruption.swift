import Foundation

/// Somebody wants the run to stop, from a signal handler's queue or wherever.
public final class Interruption: @unchecked Sendable {
    private let lock = NSLock()
    // Guarded by `lock`, which is why this class may be shared.
    private var isSet = false
    private var child: pid_t?

    /// Creates an interruption that has not happened.
    public init() {}

    /// Whether the run is to stop.
    public var isRequested: Bool { lock.withLock { isSet } }

    /// Stops the run: the child under way is killed, and no other is started. Returns at once.
    public func request() {
        lock.withLock {
            isSet = true
            if let child { kill(child, SIGKILL) }
        }
    }

    /// Has `child` killed when the run is to stop. Nil says that it is about to be waited for, after which its id may
    /// be another's.
    func watch(_ child: pid_t?) {
        lock.withLock {
            self.child = child
            if isSet, let child { kill(child, SIGKILL) }
        }
    }
}
