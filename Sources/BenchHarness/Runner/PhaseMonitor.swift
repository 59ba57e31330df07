import Dispatch
import Foundation
import Locking

/// Takes a driver's reports while a phase runs. Any thread may call it.
public final class PhaseMonitor: Sendable {
    private let clock: any NanosecondClock
    private let cancelAfterRecords: Int?
    private let onProgress: (@Sendable (Int) -> Void)?
    private let onDelivered: (@Sendable () -> Void)?
    private let state: Locked<State>

    /// The shortest interval between updates of the live line, in nanoseconds.
    static let progressInterval = 100_000_000

    /// Creates a monitor that starts now.
    public convenience init() {
        self.init(clock: MonotonicClock())
    }

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - clock: Measures the time of reports.
    ///   - cancelAfterRecords: Cancels the fetch once it has found this many records.
    ///   - onProgress: Receives progress, at most ten times a second.
    ///   - onDelivered: Called on ``delivered()``.
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

    /// Starts the time of the phase; ``delivered()`` ends `watch`. Create a monitor before the clock runs, because the
    /// kernel has yet to provide the fifth of a megabyte of its histogram.
    func start(_ watch: any StallWatch) {
        state.withLock { state in
            state.start = clock.now()
            state.watch = watch
        }
    }

    /// The time since the start of the phase, in nanoseconds.
    var elapsed: Int { clock.now() - state.withLock { $0.start } }

    /// Reports that `found` records were found so far: updates the live progress line, and cancels the fetch if
    /// requested.
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

    /// Sets the closure that cancels the current fetch.
    public func onCancel(_ cancel: @escaping @Sendable () -> Void) {
        let cancel = state.withLock { state in
            state.cancel = cancel
            return takeCancel(&state)
        }
        cancel?()
    }

    /// Lets go of the closure that cancels the fetch, which may hold the result of the fetch. Call it after the work.
    func forgetCancellation() {
        let cancel = state.withLock { state in
            defer { state.cancel = nil }
            return state.cancel
        }
        // Its end may be that of many objects: not within the lock.
        withExtendedLifetime(cancel) {}
    }

    /// Reports that the completion block has begun.
    public func completed() {
        let now = clock.now()
        state.withLock { if $0.completed == nil { $0.completed = now } }
    }

    /// Reports that the completion block is about to return.
    public func delivered() {
        onDelivered?()
        state.withLock { $0.watch }?.end()
    }

    /// Measures the time of one operation among many, such as one save.
    public func operation<Result>(_ body: () throws -> Result) rethrows -> Result {
        let start = clock.now()
        defer {
            let duration = clock.now() - start
            state.withLock { $0.latencies.record(duration) }
        }
        return try body()
    }

    /// Returns the reports so far.
    package func observations() -> PhaseObservations {
        state.withLock { state in
            PhaseObservations(
                found: state.found, firstProgress: state.firstProgress.map { $0 - state.start },
                wasCancelled: state.cancelled != nil, cancelAnswer: state.cancelAnswer, latencies: state.latencies)
        }
    }

    /// Returns the cancellation to call, once, when the fetch has found enough. It takes the time of the call here,
    /// under the lock, because the answer may come before the call returns.
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

        /// Nil if there was no cancellation, no answer, or an answer before the cancellation.
        var cancelAnswer: Int? {
            guard let cancelled, let completed, completed >= cancelled else { return nil }
            return completed - cancelled
        }
    }
}

/// The reports of a phase while it ran.
package struct PhaseObservations: Sendable, Equatable {
    /// The largest number of records in a progress report.
    package var found = 0
    /// The time from the start to the first progress, in nanoseconds.
    var firstProgress: Int?
    /// Whether the fetch was cancelled.
    package var wasCancelled = false
    /// The time from the cancellation to the beginning of the completion block, in nanoseconds.
    package var cancelAnswer: Int?
    /// The durations of operations, in nanoseconds.
    package var latencies = LatencyHistogram()
}
