import Foundation

/// The machine's time of day, which may be wrong, and may be set. Nothing is measured by it.
struct TimeOfDay: NanosecondClock {
    /// Returns nanoseconds since 1970.
    func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }
}
