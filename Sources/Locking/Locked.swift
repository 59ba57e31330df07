/// A value that several threads read and change, together with the lock that guards it.
///
/// The value is only accessible with the lock held, so no access can omit the lock, and the compiler can prove that the
/// owner of a `Locked` is `Sendable`.
///
/// Code within ``withLock(_:)`` must not call foreign code, and must not release the last reference to another owner's
/// object: return the object, and release it after the call.
///
/// Public so that the compiler inlines it, which it does not do for `package` declarations. The module is part of no
/// product.
public final class Locked<State> {
    @usableFromInline let lock = Lock()
    // Not checked for overlapping access: a thread that enters again while it holds the lock waits forever before the
    // check.
    @exclusivity(unchecked) @usableFromInline var state: State

    /// Makes a locked value with the initial `state`.
    @inlinable public init(_ state: State) {
        self.state = state
    }

    /// Calls `body` with the value while the lock is held.
    @inlinable @inline(__always) public func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }

    /// Calls `body` with the value while the lock is held; returns nil, without a call, if another thread holds it.
    @inlinable @inline(__always) public func withLockIfFree<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard lock.tryLock() else { return nil }
        defer { lock.unlock() }
        return try body(&state)
    }

    /// A copy of the value.
    @inlinable public var value: State { withLock { $0 } }

    /// Replaces the value by `new` and returns the old value.
    @inlinable @discardableResult public func exchange(_ new: State) -> State {
        withLock { state in
            defer { state = new }
            return state
        }
    }
}

// Unchecked: the state is only touched with the lock held. The state itself must be Sendable, since the lock does not
// guard the objects that it refers to.
extension Locked: @unchecked Sendable where State: Sendable {}
