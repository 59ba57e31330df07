/// The longest gap between the beats that a queue served: pure, the heartbeat's memory.
public struct StallTracker: Sendable, Equatable {
    /// The longest gap so far, in nanoseconds.
    public private(set) var longest = 0
    private var last: Int
    private var ended = false

    /// Starts at a time, which counts as a beat.
    public init(start: Int) {
        last = start
    }

    /// A beat was served at `time`.
    public mutating func beat(at time: Int) {
        guard !ended else { return }
        longest = max(longest, time - last)
        last = time
    }

    /// Nothing after `time` counts. What has been waiting until now is a gap too: a queue that served no beat stalled
    /// all the while.
    public mutating func end(at time: Int) {
        beat(at: time)
        ended = true
    }
}
