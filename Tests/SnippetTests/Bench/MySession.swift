import BenchHarness
import Dispatch

/// What the manual's driver opens, which is never run.
final class MySession: FetchingSession, UpdatingSession {
    let queue = DispatchQueue(label: "mine")

    init(_ configuration: StoreConfiguration) throws {
        throw RunError(.storeDirectory, "there is no such store")
    }

    func prepareUpdate(_ work: UpdateWork) throws {}
    func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {}
    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords { NoRecords() }
    func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {}
    func finish() {}
    func counters() throws -> StoreCounters { StoreCounters() }
    func resetCounters() {}
    func scan(into digester: inout RecordDigester) throws {}
    func checkIntegrity() throws -> [String] { [] }
    func close() throws {}
}

/// No records.
struct NoRecords: FetchedRecords {
    var count: Int { 0 }
    func digest(into digester: inout RecordDigester) throws {}
}
