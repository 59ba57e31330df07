import Foundation

/// A clock in nanoseconds since a fixed point. It is injected, so that tests decide the time.
public protocol NanosecondClock: Sendable {
    /// Returns nanoseconds since a fixed point in the past; never goes back.
    func now() -> Int
}

/// The system's monotonic clock.
public struct MonotonicClock: NanosecondClock {
    /// Creates a clock.
    public init() {}

    /// Returns nanoseconds since the machine started.
    public func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }
}
