import BenchDrivers
import BenchHarness
import ForwardingDriver
import Foundation

/// The baseline driver, but every synchronous fetch takes a tenth of a second longer, and ten milliseconds of CPU time
/// more: far more than any noise, on a machine that runs other tests meanwhile too.
struct SlowedDriver: StoreDriver {
    private let base = SQLiteDriver()

    var name: String { base.name }
    var summary: String { "\(base.summary), slowed down" }
    var properties: [String: String] { base.properties }

    func unsupportedReason(for phase: Phase, in schema: Schema) -> String? {
        base.unsupportedReason(for: phase, in: schema)
    }

    var sessionType: any StoreSession.Type { SlowedSession.self }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        SlowedSession(try base.open(configuration))
    }
}

private final class SlowedSession: ForwardingSession {
    override func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let records = try super.fetch(work, monitor: monitor)
        Thread.sleep(forTimeInterval: 0.1)
        let end = cpuTime() + 0.004
        // A fixed number of calls first: what counts instructions sees no time.
        for _ in 0..<8_000 { _ = cpuTime() }
        while cpuTime() < end {}
        return records
    }

    /// Seconds that this thread has computed.
    private func cpuTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
