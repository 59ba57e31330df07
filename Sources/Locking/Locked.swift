/// A value that several threads read and change, with the lock that guards it.
///
/// The value cannot be reached without the lock, so that no access can forget to take it, and what holds a `Locked` is
/// `Sendable` by the compiler's own judgement. No foreign code may run within ``withLock(_:)``, nor may the last
/// reference to an object of another owner be dropped there: hand it out, and let go of it after.
///
/// Public so that it is inlined, which the compiler does not do with what is `package`. The module is part of no
/// product.
public final class Locked<State> {
    @usableFromInline let lock = Lock()
    // Not checked for overlapping access: a thread that asks again while holding the lock waits forever before that.
    @exclusivity(unchecked) @usableFromInline var state: State

    /// Starts with `state`.
    @inlinable public init(_ state: State) {
        self.state = state
    }

    /// Reads or changes the value with the lock held.
    @inlinable @inline(__always) public func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }

    /// A copy of the value.
    @inlinable public var value: State { withLock { $0 } }

    /// Puts `new` in the place of the value, which is handed out.
    @inlinable @discardableResult public func exchange(_ new: State) -> State {
        withLock { state in
            defer { state = new }
            return state
        }
    }
}

// Unchecked: the state is only touched with the lock held. What comes out of it must be Sendable as well, since the
// lock does not guard what a reference leads to.
extension Locked: @unchecked Sendable where State: Sendable {}
