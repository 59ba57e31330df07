import BenchHarness
import Foundation

/// A driver's store in its own folder, or named after it on a server, and its expected records.
final class CheckedStore {
    let configuration: StoreConfiguration
    private let driver: any StoreDriver
    private let steps: StepLog
    private var sessions: [CheckedSession] = []

    convenience init(
        _ driver: any StoreDriver, entity: EntitySpec = .item, options: StoreOptions = StoreOptions(),
        steps: StepLog = StepLog()
    ) throws {
        try self.init(driver, entities: entity.withTargets, options: options, steps: steps)
    }

    /// - Parameter entities: The entities of the store, that of the checked records first.
    init(
        _ driver: any StoreDriver, entities: [EntitySpec], options: StoreOptions = StoreOptions(),
        steps: StepLog = StepLog()
    ) throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "conformance-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        self.driver = driver
        self.steps = steps
        configuration = StoreConfiguration(
            directory: directory, schema: Schema(entities), options: options, records: .conformance(entities[0]))
        try driver.server?.stager(of: configuration).empty()
    }

    deinit {
        try? driver.server?.removeStores(below: configuration.directory)
        try? FileManager.default.removeItem(at: configuration.directory)
    }

    /// Makes the values of the records.
    var records: RecordGenerator { configuration.records }

    var entity: EntitySpec { configuration.entity }

    /// The values of the records that the entity's relationships lead to.
    var targets: [TargetValues] { configuration.schema.targets(seed: RecordGenerator.conformanceSeed) }

    func open() throws -> CheckedSession {
        steps.begin("open the store")
        let session = CheckedSession(try driver.open(configuration), steps)
        sessions.append(session)
        return session
    }

    /// Opens the store and fills it with `count` records.
    func seeded(_ count: Int) throws -> CheckedSession {
        let session = try open()
        try session.seed(count)
        return session
    }

    /// Closes the sessions that are still open.
    func close() throws {
        for session in sessions { try session.close() }
    }

    /// Closes the sessions of a store after a failed check, as far as possible. It is not a step, because the last step
    /// is the one where the driver failed.
    func abandon() {
        for session in sessions { session.abandon() }
    }

    /// Runs a load, as the harness does, on a new seeded store whose records have a unique number: the harness proves
    /// that nothing was lost.
    func report(on work: LoadWork, records: Int = 500) throws -> PhaseReport {
        steps.begin("run a load on \(records) records, and audit its ledgers")
        var scenario = Scenario(
            name: "load", records: records, isolation: .none, entity: entity,
            phases: [Phase(name: "load", from: .seeded, work: .load(work))])
        scenario.entities += entity.withTargets.dropFirst()
        let directory = configuration.directory.appendingPathComponent("load", isDirectory: true)
        guard let report = try scenario.reports(by: driver, in: directory).first else {
            throw Discrepancy(description: "the load has no report; expected one")
        }
        return report
    }
}

extension RecordGenerator {
    /// Returns the generator of the records of every check.
    static func conformance(_ entity: EntitySpec) -> RecordGenerator {
        RecordGenerator(entity: entity, seed: conformanceSeed)
    }

    static let conformanceSeed: UInt64 = 7
}
