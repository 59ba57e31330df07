import Foundation

/// What a driver tells the harness of those who are told of saves: when another context had merged one, and when a
/// results controller had passed it on. Any thread may call it.
public final class LoadMonitor: @unchecked Sendable {
    private let clock: any NanosecondClock
    private let lock = NSLock()
    // Guarded by `lock`, which is why this class may be shared.
    private var figures = Figures()

    /// Delays after saves, in nanoseconds.
    struct Figures: Sendable, Equatable {
        var merged = LatencyHistogram()
        var delegate = LatencyHistogram()
        var failures: [String] = []
    }

    /// Creates a monitor.
    public init(clock: any NanosecondClock = MonotonicClock()) {
        self.clock = clock
    }

    /// The time, to be handed back with what came of a save at that time.
    public func now() -> Int { clock.now() }

    /// The main context has taken in what was saved at `time`.
    public func merged(savedAt time: Int) {
        let delay = clock.now() - time
        lock.withLock { figures.merged.record(delay) }
    }

    /// The last callback of the controller's delegate for what was saved at `time` has returned.
    public func delegateReturned(savedAt time: Int) {
        let delay = clock.now() - time
        lock.withLock { figures.delegate.record(delay) }
    }

    /// Something went wrong where it could not be thrown.
    public func failed(_ error: any Error) {
        lock.withLock { if figures.failures.count < 3 { figures.failures.append("\(error)") } }
    }

    var observations: Figures { lock.withLock { figures } }
}
