import BenchDrivers
import BenchHarness
import ForwardingDriver
import Foundation

/// The baseline driver, but every synchronous fetch takes a tenth of a second longer: far more than any noise, on a
/// machine that runs other tests meanwhile too.
struct SlowedDriver: StoreDriver {
    private let base = SQLiteDriver()

    var name: String { base.name }
    var summary: String { "\(base.summary), slowed down" }
    var properties: [String: String] { base.properties }

    func unsupportedReason(for phase: Phase, entity: EntitySpec) -> String? {
        base.unsupportedReason(for: phase, entity: entity)
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
        return records
    }
}
