import Foundation
import Locking

/// What a driver tells the harness of those who are told of saves: when another context had merged one, and when a
/// results controller had passed it on. Any thread may call it.
public final class LoadMonitor: Sendable {
    private let clock: any NanosecondClock
    private let figures = Locked(Figures())

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
        figures.withLock { $0.merged.record(delay) }
    }

    /// The last callback of the controller's delegate for what was saved at `time` has returned.
    public func delegateReturned(savedAt time: Int) {
        let delay = clock.now() - time
        figures.withLock { $0.delegate.record(delay) }
    }

    /// Something went wrong where it could not be thrown.
    public func failed(_ error: any Error) {
        figures.withLock { if $0.failures.count < 3 { $0.failures.append("\(error)") } }
    }

    var observations: Figures { figures.value }
}
