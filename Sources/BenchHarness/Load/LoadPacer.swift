import Foundation
import Locking

/// Tells workers when to begin their next operation, and when it is enough.
final class LoadPacer: Sendable {
    /// An operation's place in time.
    struct Turn: Equatable {
        /// When it was meant to begin: in a closed loop, now.
        var intended: Int
        /// When it could begin.
        var begun: Int
    }

    /// What became of the schedule.
    struct Figures: Sendable, Equatable {
        /// Operations that began more than a millisecond after they were meant to.
        var late = 0
        /// Operations that were not done because it was too late for them.
        var dropped = 0
        /// The longest that one began after it was meant to, in nanoseconds.
        var lagMax = 0
    }

    /// Later than that is late: a thread cannot be woken to the microsecond.
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
    /// - Parameter sleep: Sleeps so many nanoseconds.
    init(
        _ pace: PaceSpec, seed: UInt64, clock: any NanosecondClock,
        sleep: @escaping @Sendable (Int) -> Void = LoadPacer.sleep
    ) {
        self.pace = pace
        self.clock = clock
        self.sleep = sleep
        schedule = pace.rate.map { ArrivalSchedule($0, seed: seed) }
        state = Locked(State(remaining: pace.operations ?? .max))
    }

    /// Starts the clock of the load. No worker takes a turn before.
    func begin() { state.withLock { $0.start = clock.now() } }

    /// Waits for the next turn; nil when the load is over.
    func next() -> Turn? {
        while let start = takeOperation() {
            guard let schedule else {
                let now = clock.now()
                return isOver(now - start) ? nil : Turn(intended: now, begun: now)
            }
            let intended = start + schedule.take()
            if isOver(intended - start) { return nil }
            wait(until: intended)
            let begun = clock.now()
            if note(lag: max(begun - intended, 0)) { return Turn(intended: intended, begun: begun) }
        }
        return nil
    }

    /// Ends the load: workers finish what they do and get no further turn.
    func stop() { state.withLock { $0.isStopped = true } }

    /// What became of the schedule so far.
    var figures: Figures { state.withLock { $0.figures } }

    /// When the load began; nil when there is nothing more to do.
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

    /// In steps, so that a load that is stopped does not wait for an arrival far away.
    private func wait(until time: Int) {
        while !state.withLock({ $0.isStopped }) {
            let rest = time - clock.now()
            if rest <= 0 { return }
            sleep(min(rest, 100_000_000))
        }
    }

    /// Whether the operation is still to be done.
    private func note(lag: Int) -> Bool {
        state.withLock { state in
            state.figures.lagMax = max(state.figures.lagMax, lag)
            if lag > Self.lateness { state.figures.late += 1 }
            guard let limit = pace.rate?.dropAfterMilliseconds, Double(lag) > limit * 1e6 else { return true }
            state.figures.dropped += 1
            return false
        }
    }

    /// Sleeps on this thread.
    static func sleep(_ nanoseconds: Int) {
        var time = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
        var rest = timespec()
        while nanosleep(&time, &rest) != 0 && errno == EINTR { time = rest }
    }
}
