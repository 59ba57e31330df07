import Foundation
import Locking

/// Takes a driver's reports of how saves propagate: when another context has merged a save, and when a results
/// controller has passed it on. Any thread may call it.
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

    /// Returns the time; the driver hands it back with the effects of a save at that time.
    public func now() -> Int { clock.now() }

    /// Notes that the main context has merged what was saved at `time`.
    public func merged(savedAt time: Int) {
        let delay = clock.now() - time
        figures.withLock { $0.merged.record(delay) }
    }

    /// Notes that the last callback of the controller's delegate for what was saved at `time` has returned.
    public func delegateReturned(savedAt time: Int) {
        let delay = clock.now() - time
        figures.withLock { $0.delegate.record(delay) }
    }

    /// Notes an error at a place that cannot throw it.
    public func failed(_ error: any Error) {
        figures.withLock { if $0.failures.count < 3 { $0.failures.append("\(error)") } }
    }

    var observations: Figures { figures.value }
}
