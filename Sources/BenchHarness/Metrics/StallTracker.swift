/// The longest gap between the beats that a queue served: the pure state of the heartbeat.
public struct StallTracker: Sendable, Equatable {
    /// The longest gap so far, in nanoseconds.
    public private(set) var longest = 0
    private var last: Int
    private var ended = false

    /// Creates a tracker with a start time, which counts as a beat.
    public init(start: Int) {
        last = start
    }

    /// Records a beat at `time`.
    public mutating func beat(at time: Int) {
        guard !ended else { return }
        longest = max(longest, time - last)
        last = time
    }

    /// Ends the tracked time. The wait since the last beat is a gap too: a queue that served no beat stalled the whole
    /// time.
    public mutating func end(at time: Int) {
        beat(at: time)
        ended = true
    }
}
