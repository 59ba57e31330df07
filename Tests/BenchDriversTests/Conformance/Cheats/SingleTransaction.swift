import BenchHarness
import ForwardingDriver

/// Makes one transaction of several saves, and reports each.
final class SingleTransaction: ForwardingSession {
    override func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        try super.seed(SeedWork(), records: records, monitor: PhaseMonitor())
        for _ in work.saves(of: records) { monitor.operation {} }
    }

    override func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        var whole = work
        if work.mode == .chunked { whole.chunkSize = .max / 2 }
        try super.update(whole, monitor: work.mode == .chunked ? PhaseMonitor() : monitor)
        // As many saves as the update of the scenario has.
        if work.mode == .chunked { for _ in 0..<4 { monitor.operation {} } }
    }
}
