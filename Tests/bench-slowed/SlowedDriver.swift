import BenchDrivers
import BenchHarness
import Dispatch
import Foundation

/// The baseline driver, but every synchronous fetch takes a tenth of a second longer: far more than any noise, on a machine
/// that runs other tests meanwhile too.
struct SlowedDriver: StoreDriver {
    private let base = SQLiteDriver()

    var name: String { base.name }
    var summary: String { "\(base.summary), slowed down" }
    var properties: [String: String] { base.properties }

    func unsupportedReason(for phase: Phase, entity: EntitySpec) -> String? {
        base.unsupportedReason(for: phase, entity: entity)
    }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        SlowedSession(try base.open(configuration))
    }
}

private final class SlowedSession: StoreSession {
    private let base: any StoreSession

    init(_ base: any StoreSession) {
        self.base = base
    }

    var queue: DispatchQueue { base.queue }
    var mergeQueue: DispatchQueue { base.mergeQueue }

    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let records = try base.fetch(work, monitor: monitor)
        Thread.sleep(forTimeInterval: 0.1)
        return records
    }

    func prepareUpdate(_ work: UpdateWork) throws { try base.prepareUpdate(work) }
    func prepareMerge(_ plan: MergePlan) throws { try base.prepareMerge(plan) }
    func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        try base.seed(work, records: records, monitor: monitor)
    }
    func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try base.fetchAsynchronously(work, monitor: monitor)
    }
    func update(_ work: UpdateWork, monitor: PhaseMonitor) throws { try base.update(work, monitor: monitor) }
    func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try base.merge(plan, monitor: monitor)
    }
    func checkpoint() throws { try base.checkpoint() }
    func finish() { base.finish() }
    func counters() throws -> StoreCounters { try base.counters() }
    func resetCounters() { base.resetCounters() }
    func scan(into digester: inout RecordDigester) throws { try base.scan(into: &digester) }
    func checkIntegrity() throws -> [String] { try base.checkIntegrity() }
    func close() throws { try base.close() }
}
