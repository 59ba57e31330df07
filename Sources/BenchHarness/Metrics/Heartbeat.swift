import Dispatch
import Foundation

/// Finds the longest stall of a queue, for as long as a phase runs.
public protocol StallProbe: Sendable {
    /// Starts to watch `queue`.
    func watch(_ queue: DispatchQueue) -> any StallWatch
}

/// A queue being watched.
public protocol StallWatch: Sendable {
    /// Nothing after this moment counts; later calls have no effect.
    func end()
    /// Stops watching.
    func stop() -> QueueStalls
}

/// What a heartbeat found.
public struct QueueStalls: Sendable, Equatable {
    /// The longest gap on the queue that was watched; nil is not known.
    public var longestNanoseconds: Int?
    /// The longest gap on an idle queue at the same time: how much of the other is the machine's.
    public var controlNanoseconds: Int?

    /// Creates a result.
    public init(longestNanoseconds: Int? = nil, controlNanoseconds: Int? = nil) {
        self.longestNanoseconds = longestNanoseconds
        self.controlNanoseconds = controlNanoseconds
    }
}

/// Sends a block to a queue every millisecond, never more than one at once, and an equal one to an idle queue.
public struct Heartbeat: StallProbe {
    private let clock: any NanosecondClock

    /// Creates a heartbeat that reads `clock`.
    public init(clock: any NanosecondClock = MonotonicClock()) {
        self.clock = clock
    }

    /// Starts to watch `queue`.
    public func watch(_ queue: DispatchQueue) -> any StallWatch {
        HeartbeatWatch(queue: queue, clock: clock)
    }
}

private final class HeartbeatWatch: StallWatch {
    private let pulse: Pulse
    private let control: Pulse
    private let stopping = Flag()
    private let stopped = DispatchSemaphore(value: 0)

    init(queue: DispatchQueue, clock: any NanosecondClock) {
        let idle = DispatchQueue(label: "bench.control", qos: queue.qos)
        pulse = Pulse(queue: queue, clock: clock)
        control = Pulse(queue: idle, clock: clock)
        let (pulse, control, stopping, stopped) = (self.pulse, self.control, self.stopping, self.stopped)
        let thread = Thread {
            while !stopping.isSet {
                pulse.send()
                control.send()
                usleep(1_000)
            }
            stopped.signal()
        }
        thread.name = "bench.heartbeat"
        thread.start()
    }

    func end() {
        pulse.end()
        control.end()
    }

    func stop() -> QueueStalls {
        end()
        stopping.set()
        stopped.wait()
        return QueueStalls(longestNanoseconds: pulse.longest, controlNanoseconds: control.longest)
    }
}

/// The beats of one queue.
private final class Pulse: @unchecked Sendable {
    private let queue: DispatchQueue
    private let clock: any NanosecondClock
    private let lock = NSLock()
    // Guarded by `lock`, which is why this class may be shared.
    private var tracker: StallTracker
    private var outstanding = false

    init(queue: DispatchQueue, clock: any NanosecondClock) {
        self.queue = queue
        self.clock = clock
        tracker = StallTracker(start: clock.now())
    }

    var longest: Int { lock.withLock { tracker.longest } }

    func send() {
        let isDue = lock.withLock {
            defer { outstanding = true }
            return !outstanding
        }
        guard isDue else { return }
        queue.async { self.serve() }
    }

    func end() {
        lock.withLock { tracker.end(at: clock.now()) }
    }

    private func serve() {
        lock.withLock {
            tracker.beat(at: clock.now())
            outstanding = false
        }
    }
}
