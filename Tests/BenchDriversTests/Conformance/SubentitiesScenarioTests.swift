import ForwardingDriver
import Foundation
import MemoryDriver
import TestSupport
import Testing

@testable import BenchDrivers
@testable import BenchHarness
@testable import DriverConformance

/// Scenarios whose entity has subentities, about all records and about one kind.
@Suite struct SubentitiesScenarioTests {
    private func rows(_ driver: any StoreDriver, _ json: String) async throws -> [ResultRow] {
        try await ScenarioReader().read(Data(json.utf8), file: "library.json").rows(by: driver)
    }

    /// With an entity that has records of its own, and with an abstract one.
    @Test(arguments: DriverCase.all + [DriverCase(MemoryDriver())] + DriverCase.onServer, [0.6, 0.9])
    func everyPhaseIsVerified(_ subject: DriverCase, _ songs: Double) async throws {
        let rows = try await rows(subject.driver, SubentitiesScenario.json(ofSongs: songs))
        #expect(rows.count == SubentitiesScenario.phases.count)
        expectVerified(rows, unsupported: subject.unsupported)
    }

    @Test func aDriverWithoutInheritanceSaysSo() async throws {
        let rows = try await rows(OneEntity(), SubentitiesScenario.json)
        #expect(rows.allSatisfy { $0.status == .unsupported && $0.error == "its stores have no inheritance" })
    }

    @Test func aDriverThatForgetsTheEntityOfARecordFails() async throws {
        let sql = "UPDATE ZMEDIUM SET Z_ENT = CASE Z_ENT WHEN 1 THEN 3 ELSE 1 END WHERE Z_PK = 7"
        let rows = try await rows(Changed(sql: sql), SubentitiesScenario.json)
        let seed = try #require(rows.first)
        #expect(seed.status == .failed && seed.error.contains("does not hold the expected values"), "\(seed.error)")
    }

    @Test func aDriverThatFindsOtherKindsFails() async throws {
        let rows = try await rows(Changed(ignoresKind: true), SubentitiesScenario.json)
        let songs = try #require(rows.first { $0.phase == "songs" })
        #expect(songs.status == .failed && songs.error.contains("records were fetched"), "\(songs.error)")
        #expect(rows.first { $0.phase == "all" }?.status == .ok)
    }

    @Test(arguments: DriverCase.all)
    func plantedValuesReachTheRecordsOfEveryEntity(_ subject: DriverCase) async throws {
        let scenario = try ScenarioReader().read(Data(SubentitiesScenario.json.utf8), file: "library.json")
        try await onThread {
            let folder = try TemporaryDirectory()
            let configuration = StoreConfiguration(
                directory: folder.url, schema: scenario.schema, options: scenario.store,
                records: RecordGenerator(entity: scenario.entity, seed: scenario.seed))
            let session = try subject.driver.open(configuration)
            try session.seed(SeedWork(saveEvery: 70), records: scenario.records, monitor: PhaseMonitor())
            try session.close()
            let title = try scenario.entity.position(of: "title")
            let values = PlantedValues(
                records: Dictionary(
                    uniqueKeysWithValues: stride(from: 3, to: 300, by: 7).map { ($0, [title: .string("new \($0)")]) }))
            try #require(subject.driver.planter(of: configuration)).plant(values)
            var expected = ExpectedStore(seededFor: scenario)
            expected.append(values)
            let identity = try RecordIdentity(of: scenario.entity)
            var found = 0
            try #require(subject.driver.inspector(of: configuration)).forEachRecord { record in
                found += 1
                let ordinal = identity.ordinal(of: record.values)
                #expect(record.values == ordinal.flatMap(expected.record), "record \(ordinal ?? -1)")
            }
            #expect(found == scenario.records)
        }
    }

    /// Planted values alone give it away.
    @Test func aDriverThatMakesRecordsUpFails() async throws {
        let fetch = #"{ "name": "all", "kind": "fetch", "from": "seeded", "mode": "sync" }"#
        let rows = try await rows(Changed(makesRecordsUp: true), SubentitiesScenario.json([fetch]))
        let all = try #require(rows.first)
        #expect(all.status == .failed && all.error.contains("hold other values"), "\(all.error)")
    }

    /// Changes of attributes that all records have are there.
    @Test func aLoadThatLosesTheValuesOfAnEntityThatInheritsFails() async throws {
        try await expectFailure("is not the value written last") { entity, operation in
            guard case .attributes(let attributes, let revision) = operation.change else { return }
            let kept = attributes.indices.filter { entity.attributes[attributes[$0]].subentity == nil }
            operation.change = .attributes(kept.map { attributes[$0] }, revision: revision)
            operation.assigned = operation.assigned.map { values in kept.map { values[$0] } }
        }
    }

    @Test func aLoadThatForgetsTheEntityOfARecordFails() async throws {
        try await expectFailure("\(EntitySpec.kindName) of record") { entity, operation in
            guard let kind = entity.kindAttribute else { return }
            for place in operation.inserted.indices { operation.inserted[place][kind] = .int64(1) }
        }
    }

    private func expectFailure(
        _ reason: String, _ change: @escaping @Sendable (EntitySpec, inout LoadOperation) -> Void
    ) async throws {
        let load = try #require(SubentitiesScenario.phases.first { $0.contains("\"mixed\"") })
        let rows = try await rows(Mistaken(change: change), SubentitiesScenario.json([load]))
        let listen = try #require(rows.first)
        #expect(listen.status == .failed && listen.error.contains(reason), "\(listen.error)")
    }
}

/// The baseline with workers of loads that do something else than they are told.
private struct Mistaken: StoreDriver {
    let name = "mistaken"
    let summary = "for tests"
    let change: @Sendable (EntitySpec, inout LoadOperation) -> Void
    var sessionType: any StoreSession.Type { ForwardingSession.self }

    func obstacle(to feature: Schema.Feature) -> String? { nil }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        LoadCheating(try SQLiteDriver().open(configuration)) { operation, worker, reading in
            var operation = operation
            change(configuration.entity, &operation)
            return try worker.perform(operation, reading: &reading)
        }
    }

    func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        SQLiteDriver().inspector(of: configuration)
    }
}

/// The baseline with a fault.
private struct Changed: StoreDriver {
    let name = "changed"
    let summary = "for tests"
    /// Changes the store after the seed.
    var sql: String?
    /// Fetches records of all kinds.
    var ignoresKind = false
    /// Fetches what the generator makes.
    var makesRecordsUp = false
    var sessionType: any StoreSession.Type { ForwardingSession.self }

    func obstacle(to feature: Schema.Feature) -> String? { nil }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        ChangedSession(try SQLiteDriver().open(configuration), configuration, self)
    }

    func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        SQLiteDriver().inspector(of: configuration)
    }

    func planter(of configuration: StoreConfiguration) -> (any StorePlanter)? {
        SQLiteDriver().planter(of: configuration)
    }
}

/// Every record as it was seeded.
private struct MadeUp: FetchedRecords {
    let generator: RecordGenerator
    let count: Int

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for ordinal in positions {
            for attribute in generator.entity.attributes.indices { digester.add(generator.value(attribute, ordinal)) }
            digester.endRecord()
        }
    }
}

private final class ChangedSession: ForwardingSession {
    private let configuration: StoreConfiguration
    private let driver: Changed

    init(_ base: any StoreSession, _ configuration: StoreConfiguration, _ driver: Changed) {
        (self.configuration, self.driver) = (configuration, driver)
        super.init(base)
    }

    override func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        try super.seed(work, records: records, monitor: monitor)
        guard let sql = driver.sql else { return }
        let connection = try RecordFile(configuration).connect()
        try connection.execute(sql)
        try connection.close()
    }

    override func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        var work = work
        if driver.makesRecordsUp { return MadeUp(generator: configuration.records, count: 300) }
        if driver.ignoresKind { work.filter = work.filter?.partedByKind.condition }
        return try super.fetch(work, monitor: monitor)
    }
}
