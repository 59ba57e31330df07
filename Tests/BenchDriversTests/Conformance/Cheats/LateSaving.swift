import BenchHarness
import ForwardingDriver

/// Saves when the clock has stopped: what the harness does first then is to read the counters.
final class LateSaving: ForwardingSession {
    private var pending: UpdateWork?

    override func update(_ work: UpdateWork, monitor: PhaseMonitor) { pending = work }

    override func counters() throws -> StoreCounters {
        if let work = pending {
            pending = nil
            try super.update(work, monitor: PhaseMonitor())
        }
        return try super.counters()
    }
}

/// Writes the log back when the clock has stopped, which changes no content.
final class LateCheckpointing: ForwardingSession {
    override func counters() throws -> StoreCounters {
        let counters = try super.counters()
        try super.checkpoint()
        return counters
    }
}
