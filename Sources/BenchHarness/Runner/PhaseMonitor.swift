import Dispatch
import Foundation
import Locking

/// What a driver tells the harness while a phase runs. Any thread may call it.
public final class PhaseMonitor: Sendable {
    private let clock: any NanosecondClock
    private let cancelAfterRecords: Int?
    private let onProgress: (@Sendable (Int) -> Void)?
    private let onDelivered: (@Sendable () -> Void)?
    private let state: Locked<State>

    /// The live line need not change more often.
    static let progressInterval = 100_000_000

    /// Creates a monitor that starts now.
    public convenience init() {
        self.init(clock: MonotonicClock())
    }

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - clock: Times what is reported.
    ///   - cancelAfterRecords: Cancels the fetch once that many records were found.
    ///   - onProgress: Hears of progress, ten times a second at most.
    ///   - onDelivered: Hears of ``delivered()``.
    public init(
        clock: any NanosecondClock, cancelAfterRecords: Int? = nil, onProgress: (@Sendable (Int) -> Void)? = nil,
        onDelivered: (@Sendable () -> Void)? = nil
    ) {
        self.clock = clock
        self.cancelAfterRecords = cancelAfterRecords
        self.onProgress = onProgress
        self.onDelivered = onDelivered
        state = Locked(State(start: clock.now()))
    }

    /// Times what comes from now on, and has `watch` end with ``delivered()``. A monitor is made before the clock runs,
    /// because its histogram is a fifth of a megabyte that the kernel has yet to hand out.
    func start(_ watch: any StallWatch) {
        state.withLock { state in
            state.start = clock.now()
            state.watch = watch
        }
    }

    /// Says that `found` records were found so far: drives the live progress line, and the cancellation of a fetch.
    public func progress(_ found: Int) {
        let now = clock.now()
        let (cancel, isDue) = state.withLock { state in
            state.found = max(state.found, found)
            if state.firstProgress == nil { state.firstProgress = now }
            let isDue = now - state.lastReport >= Self.progressInterval
            if isDue { state.lastReport = now }
            return (takeCancel(&state), isDue)
        }
        cancel?()
        if isDue { onProgress?(found) }
    }

    /// Hands over what cancels the fetch under way.
    public func onCancel(_ cancel: @escaping @Sendable () -> Void) {
        let cancel = state.withLock { state in
            state.cancel = cancel
            return takeCancel(&state)
        }
        cancel?()
    }

    /// The completion block has begun.
    public func completed() {
        let now = clock.now()
        state.withLock { if $0.completed == nil { $0.completed = now } }
    }

    /// The completion block is about to return.
    public func delivered() {
        onDelivered?()
        state.withLock { $0.watch }?.end()
    }

    /// Times one operation among many, such as one save.
    public func operation<Result>(_ body: () throws -> Result) rethrows -> Result {
        let start = clock.now()
        defer {
            let duration = clock.now() - start
            state.withLock { $0.latencies.record(duration) }
        }
        return try body()
    }

    /// What was reported so far.
    package func observations() -> PhaseObservations {
        state.withLock { state in
            PhaseObservations(
                found: state.found, firstProgress: state.firstProgress.map { $0 - state.start },
                wasCancelled: state.cancelled != nil, cancelAnswer: state.cancelAnswer, latencies: state.latencies)
        }
    }

    /// The cancellation to call, once, when enough was found. The time of the call is taken here, under the lock,
    /// because the answer may come before the call has returned.
    private func takeCancel(_ state: inout State) -> (@Sendable () -> Void)? {
        guard let limit = cancelAfterRecords, state.found >= limit, state.cancelled == nil, let cancel = state.cancel
        else {
            return nil
        }
        state.cancelled = clock.now()
        return cancel
    }

    private struct State {
        var start: Int
        var watch: (any StallWatch)?
        var found = 0
        var firstProgress: Int?
        var lastReport = Int.min / 2
        var cancel: (@Sendable () -> Void)?
        var cancelled: Int?
        var completed: Int?
        var latencies = LatencyHistogram()

        init(start: Int) {
            self.start = start
        }

        /// Nil when it was not cancelled, not answered, or answered before it was cancelled.
        var cancelAnswer: Int? {
            guard let cancelled, let completed, completed >= cancelled else { return nil }
            return completed - cancelled
        }
    }
}

/// What a phase reported while it ran.
package struct PhaseObservations: Sendable, Equatable {
    /// The most records that progress spoke of.
    package var found = 0
    /// From the start to the first progress, in nanoseconds.
    var firstProgress: Int?
    /// Whether the fetch was told to stop.
    package var wasCancelled = false
    /// From that to the beginning of the completion block, in nanoseconds.
    package var cancelAnswer: Int?
    /// How long operations took, in nanoseconds.
    var latencies = LatencyHistogram()
}
