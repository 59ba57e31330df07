import Foundation
import Locking

/// Tells workers when to begin their next operation, and when to stop.
package final class LoadPacer: Sendable {
    /// The start of an operation.
    struct Turn: Equatable {
        /// The intended start: the current time in a closed loop.
        var intended: Int
        /// The actual start.
        var begun: Int
        /// Whether the operation is left out because its intended start was too long ago.
        var isDropped = false
    }

    /// The deviations from the schedule.
    struct Figures: Sendable, Equatable {
        /// Operations that began more than a millisecond after their intended start.
        var late = 0
        /// Operations that were left out because their intended start was too long ago.
        var dropped = 0
        /// The longest delay between intended and actual start, in nanoseconds.
        var lagMax = 0
    }

    /// The delay that counts as late: a thread does not wake up to the microsecond.
    private static let lateness = 1_000_000

    private let pace: PaceSpec
    private let clock: any NanosecondClock
    private let sleep: @Sendable (Int) -> Void
    private let schedule: ArrivalSchedule?
    private let state: Locked<State>

    private struct State {
        var remaining: Int
        var isStopped = false
        var start = 0
        var figures = Figures()
    }

    /// Prepares a load that begins with ``begin()``.
    ///
    /// - Parameters:
    ///   - pace: The pace of the whole load.
    ///   - shard: The process among those that share it.
    ///   - sleep: Sleeps for a number of nanoseconds.
    init(
        _ pace: PaceSpec, seed: UInt64, clock: any NanosecondClock, shard: Shard = .whole,
        sleep: @escaping @Sendable (Int) -> Void = LoadPacer.sleep
    ) {
        let pace = pace.share(of: shard)
        self.pace = pace
        self.clock = clock
        self.sleep = sleep
        schedule = pace.rate.map { ArrivalSchedule($0, seed: seed, shard: shard) }
        state = Locked(State(remaining: pace.operations ?? .max))
    }

    /// Starts the clock of the load. No worker takes a turn before this.
    func begin() { state.withLock { $0.start = clock.now() } }

    /// Waits for the next turn, which may be one that the worker must drop; nil when the load is over.
    func next() -> Turn? {
        guard let start = takeOperation() else { return nil }
        guard let schedule else {
            let now = clock.now()
            return isOver(now - start) ? nil : Turn(intended: now, begun: now)
        }
        let intended = start + schedule.take()
        if isOver(intended - start) || !wait(until: intended) { return nil }
        let begun = clock.now()
        return Turn(intended: intended, begun: begun, isDropped: isTooLate(lag: max(begun - intended, 0)))
    }

    /// Ends the load: workers finish their current operation and get no further turn.
    func stop() { state.withLock { $0.isStopped = true } }

    /// The deviations so far.
    var figures: Figures { state.withLock { $0.figures } }

    /// Takes one operation, and returns the start of the load; nil if no operation is left.
    private func takeOperation() -> Int? {
        state.withLock { state in
            guard !state.isStopped, state.remaining > 0 else { return nil }
            state.remaining -= 1
            return state.start
        }
    }

    private func isOver(_ elapsed: Int) -> Bool {
        pace.durationSeconds.map { Double(elapsed) >= $0 * 1e9 } ?? false
    }

    /// Waits in steps, so that a stopped load does not wait for a distant arrival.
    ///
    /// - Returns: Whether the operation may begin; false if the load was stopped meanwhile.
    private func wait(until time: Int) -> Bool {
        while !state.withLock({ $0.isStopped }) {
            let rest = time - clock.now()
            if rest <= 0 { return true }
            sleep(min(rest, 100_000_000))
        }
        return false
    }

    /// Notes a delay, and returns whether the operation is to be dropped.
    private func isTooLate(lag: Int) -> Bool {
        state.withLock { state in
            state.figures.lagMax = max(state.figures.lagMax, lag)
            if lag > Self.lateness { state.figures.late += 1 }
            guard let limit = pace.rate?.dropAfterMilliseconds, Double(lag) > limit * 1e6 else { return false }
            state.figures.dropped += 1
            return true
        }
    }

    /// Sleeps on the current thread.
    package static func sleep(_ nanoseconds: Int) {
        var time = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
        var rest = timespec()
        while nanosleep(&time, &rest) != 0 && errno == EINTR { time = rest }
    }
}
