import Foundation

/// A value that several threads of a test may read and change.
public final class Locked<Value>: @unchecked Sendable {
    // Unchecked: the value is only touched with the lock held.
    private let lock = NSLock()
    private var stored: Value

    /// Starts with `value`.
    public init(_ value: Value) {
        stored = value
    }

    /// A copy of the value.
    public var value: Value { withLock { $0 } }

    /// Reads or changes the value.
    public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&stored)
    }
}
