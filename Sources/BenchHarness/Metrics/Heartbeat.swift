import Dispatch
import Foundation
import Locking

/// Finds the longest stall of a queue during a phase.
public protocol StallProbe: Sendable {
    /// Starts to watch `queue`.
    func watch(_ queue: DispatchQueue) -> any StallWatch
}

/// The observation of one queue.
public protocol StallWatch: Sendable {
    /// Ends the observed time; later calls have no effect.
    func end()
    /// Stops the observation and returns its result.
    func stop() -> QueueStalls
}

/// The result of a heartbeat.
public struct QueueStalls: Sendable, Equatable {
    /// The longest gap on the observed queue; nil if unknown.
    public var longestNanoseconds: Int?
    /// The longest gap on an idle queue in the same time: the part of the other gap that the machine causes.
    public var controlNanoseconds: Int?

    /// Creates a result.
    public init(longestNanoseconds: Int? = nil, controlNanoseconds: Int? = nil) {
        self.longestNanoseconds = longestNanoseconds
        self.controlNanoseconds = controlNanoseconds
    }
}

/// Sends a block to a queue every millisecond, one at a time, and an equal block to an idle queue.
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
    /// Whether the system had a thread for it.
    private let isBeating: Bool

    init(queue: DispatchQueue, clock: any NanosecondClock) {
        let idle = DispatchQueue(label: "bench.control", qos: queue.qos)
        pulse = Pulse(queue: queue, clock: clock)
        control = Pulse(queue: idle, clock: clock)
        let (pulse, control, stopping, stopped) = (self.pulse, self.control, self.stopping, self.stopped)
        let beats: @Sendable () -> Void = {
            AllocationCount.leavingOut {
                while !stopping.isSet {
                    pulse.send()
                    control.send()
                    usleep(1_000)
                }
            }
            stopped.signal()
        }
        isBeating = (try? OwnThread.start(named: "bench.heartbeat", beats)) != nil
    }

    func end() {
        pulse.end()
        control.end()
    }

    func stop() -> QueueStalls {
        end()
        stopping.set()
        guard isBeating else { return QueueStalls() }
        stopped.wait()
        return QueueStalls(longestNanoseconds: pulse.longest, controlNanoseconds: control.longest)
    }
}

/// The beats of one queue.
private final class Pulse: Sendable {
    private struct State {
        var tracker: StallTracker
        var outstanding = false
    }

    private let queue: DispatchQueue
    private let clock: any NanosecondClock
    private let state: Locked<State>

    init(queue: DispatchQueue, clock: any NanosecondClock) {
        self.queue = queue
        self.clock = clock
        state = Locked(State(tracker: StallTracker(start: clock.now())))
    }

    var longest: Int { state.withLock { $0.tracker.longest } }

    func send() {
        let isDue = state.withLock { state in
            defer { state.outstanding = true }
            return !state.outstanding
        }
        guard isDue else { return }
        queue.async { self.serve() }
    }

    func end() {
        state.withLock { $0.tracker.end(at: clock.now()) }
    }

    private func serve() {
        state.withLock { state in
            state.tracker.beat(at: clock.now())
            state.outstanding = false
        }
    }
}
