import Foundation

/// Tells the time, in nanoseconds since some fixed point. Injected, so that tests decide what time it is.
public protocol NanosecondClock: Sendable {
    /// Nanoseconds since a fixed point in the past; never goes back.
    func now() -> Int
}

/// The system's monotonic clock.
public struct MonotonicClock: NanosecondClock {
    /// Creates a clock.
    public init() {}

    /// Nanoseconds since the machine started.
    public func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }
}
