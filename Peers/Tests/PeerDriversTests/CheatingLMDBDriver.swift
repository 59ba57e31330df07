import BenchHarness
import Dispatch
import DriverSupport

@testable import PeerDrivers

/// The LMDB driver with a shortcut.
struct CheatingLMDBDriver: StoreDriver {
    enum Cheat: String, CaseIterable {
        /// Keeps updates in memory until a checkpoint, which writes nothing.
        case overlay
        /// Remembers what to fetch, and reads it when the clock has stopped.
        case late
        /// Answers from the generator.
        case invention
        /// Works without syncs in a scenario that asks for them.
        case unsynced
        /// Overwrites records without a new version.
        case unversioned
    }

    let cheat: Cheat
    private let base = LMDBDriver()

    init(_ cheat: Cheat) { self.cheat = cheat }

    var name: String { cheat.rawValue }
    var summary: String { "for tests" }
    var sessionType: any StoreSession.Type { LMDBSession.self }

    func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? { base.inspector(of: configuration) }
    func planter(of configuration: StoreConfiguration) -> (any StorePlanter)? { base.planter(of: configuration) }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        var configuration = configuration
        if cheat == .unsynced { configuration.options.synchronous = .off }
        return try CheatingLMDBSession(configuration, cheat)
    }
}

private final class CheatingLMDBSession: StoreSession, FetchingSession, UpdatingSession, CheckpointingSession {
    private let base: LMDBSession
    private let cheat: CheatingLMDBDriver.Cheat
    private let configuration: StoreConfiguration
    private var pending: LateRecords?

    init(_ configuration: StoreConfiguration, _ cheat: CheatingLMDBDriver.Cheat) throws {
        (base, self.cheat, self.configuration) = (try LMDBSession(configuration), cheat, configuration)
    }

    var queue: DispatchQueue { base.queue }

    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let generator = configuration.records
        switch cheat {
        case .late:
            let records = LateRecords(count: Scenarios.records) { [base] in
                try base.fetch(work, monitor: PhaseMonitor())
            }
            pending = records
            return records
        case .invention:
            let records = (0..<Scenarios.records).map { ordinal in
                generator.entity.attributes.indices.map { generator.value($0, ordinal) }
            }
            return try FetchedValues(records, for: work, of: generator.entity)
        default: return try base.fetch(work, monitor: monitor)
        }
    }

    func prepareUpdate(_ work: UpdateWork) throws { try base.prepareUpdate(work) }

    func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        switch cheat {
        case .overlay: break
        case .unversioned: try overwrite(work, monitor)
        default: try base.update(work, monitor: monitor)
        }
    }

    private func overwrite(_ work: UpdateWork, _ monitor: PhaseMonitor) throws {
        try base.update(work, monitor: monitor)
        let store = try LMDBStore.share(configuration)
        defer { store.release() }
        try store.transaction { cursor in
            try cursor.forEach { try cursor.put(PackedRecord(key: $0.key, values: $0.values)) }
        }
    }

    func checkpoint() throws { if cheat != .overlay { try base.checkpoint() } }
    func counters() throws -> StoreCounters {
        try pending?.read()
        pending = nil
        return base.counters()
    }

    func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        try base.seed(work, records: records, monitor: monitor)
    }
    func resetCounters() { base.resetCounters() }
    func finish() { base.finish() }
    func scan(into digester: inout RecordDigester) throws { try base.scan(into: &digester) }
    func checkIntegrity() throws -> [String] { try base.checkIntegrity() }
    func settings() throws -> [StoreSettings] { base.settings() }
    func close() throws { base.close() }
}

/// Records that are blank until they are read.
private final class LateRecords: FetchedRecords {
    let count: Int
    private let find: () throws -> any FetchedRecords
    private var found: (any FetchedRecords)?

    init(count: Int, find: @escaping () throws -> any FetchedRecords) { (self.count, self.find) = (count, find) }

    func read() throws { found = try find() }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) throws {
        if let found { return try found.digest(positions, into: &digester) }
        for _ in positions { digester.endRecord() }
    }
}
