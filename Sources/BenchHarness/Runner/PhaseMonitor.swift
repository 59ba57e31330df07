import Dispatch
import Foundation
import Synchronization

/// What a driver tells the harness while a phase runs. Any thread may call it.
public final class PhaseMonitor: Sendable {
    /// Creates a monitor.
    public init() {}

    /// Says that `found` records were found so far: drives the live progress line, and the cancellation of a fetch.
    public func progress(_ found: Int) {}

    /// Hands over what cancels the fetch under way.
    public func onCancel(_ cancel: @escaping @Sendable () -> Void) {}

    /// The completion block has begun.
    public func completed() {}

    /// The completion block is about to return.
    public func delivered() {}

    /// Times one operation among many, such as one save.
    public func operation<Result>(_ body: () throws -> Result) rethrows -> Result {
        try body()
    }
}
