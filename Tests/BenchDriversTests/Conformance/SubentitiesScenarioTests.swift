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
    private static func json(_ phases: [String] = phases, songs: Double = 0.6) -> String {
        """
        { "version": 2, "name": "library", "seed": 3, "records": 300, "isolation": "none",
          "entity": { "name": "Medium", "attributes": [
            { "name": "title", "type": "string", "generator": { "kind": "words", "count": 3 } },
            { "name": "number", "type": "int64", "unique": true, "generator": { "kind": "sequence" } },
            { "name": "plays", "type": "int64", "generator": { "kind": "uniform", "min": 0, "max": 9 } } ],
            "subentities": [
            { "name": "Song", "share": \(songs), "attributes": [
              { "name": "artist", "type": "string", "indexed": true, "null_share": 0.2,
                "generator": { "kind": "choice", "values": ["Ann", "Ben", "Cid"] } } ] },
            { "name": "Clip", "share": 0.1, "attributes": [
              { "name": "data", "type": "data", "generator": { "kind": "random", "length_bytes": 20 } },
              { "name": "seconds", "type": "double", "generator": { "kind": "uniform", "min": 1, "max": 60 } },
              { "name": "isSeen", "type": "bool", "generator": { "kind": "uniform", "probability": 0.5 } },
              { "name": "seenAt", "type": "date",
                "generator": { "kind": "ascending", "start": "2025-01-01T00:00:00Z", "step_s": 60 } } ] } ] },
          "phases": [\(phases.joined(separator: ",\n"))] }
        """
    }

    private static let phases = [
        #"{ "name": "seed", "kind": "seed", "from": "empty", "save_every_records": 70 }"#,
        #"{ "name": "all", "kind": "fetch", "from": "seeded", "mode": "sync", "sort": [{ "key": "title" }] }"#,
        #"{ "name": "songs", "kind": "fetch", "entity": "Song", "from": "seeded", "mode": "sync", "sort": [{ "key": "artist" }] }"#,
        #"{ "name": "clips", "kind": "fetch", "entity": "Clip", "from": "seeded", "mode": "async", "sort": [{ "key": "seenAt" }], "limit": 9 }"#,
        #"""
        { "name": "some", "kind": "fetch", "entity": "Song", "from": "seeded", "mode": "sync",
          "attributes": ["artist", "plays"], "sort": [{ "key": "plays" }],
          "filter": { "or": [{ "key": "artist", "op": "==", "value": "Ann" }, { "key": "plays", "op": ">", "value": 6 }] } }
        """#,
        #"{ "name": "count", "kind": "count", "from": "seeded", "filter": { "key": "plays", "op": "<", "value": 3 } }"#,
        #"{ "name": "count-clips", "kind": "count", "entity": "Clip", "from": "seeded", "filter": { "key": "isSeen", "op": "==", "value": true } }"#,
        #"{ "name": "sum", "kind": "aggregate", "entity": "Song", "from": "seeded", "function": "sum", "attribute": "plays", "group_by": "artist" }"#,
        #"{ "name": "page", "kind": "page", "entity": "Song", "from": "seeded", "by": "offset", "page_records": 17, "sort": [{ "key": "number" }] }"#,
        #"{ "name": "insert", "kind": "insert", "from": "seeded", "records": 40, "save_every_records": 7 }"#,
        #"{ "name": "all-again", "kind": "fetch", "from": "previous", "mode": "sync" }"#,
        #"{ "name": "play", "kind": "update", "entity": "Song", "from": "previous", "mode": "per_object", "set": { "artist": null, "plays": { "add": 1 } } }"#,
        #"{ "name": "cut", "kind": "update", "entity": "Clip", "from": "previous", "mode": "chunked", "chunk_records": 8, "set": { "seconds": { "add": 2 } } }"#,
        #"{ "name": "reset", "kind": "update", "from": "previous", "mode": "batch", "set": { "plays": 0 } }"#,
        #"{ "name": "reset-songs", "kind": "update", "entity": "Song", "from": "previous", "mode": "batch", "set": { "plays": 1 } }"#,
        #"""
        { "name": "forget", "kind": "delete", "entity": "Clip", "from": "previous", "mode": "per_object",
          "filter": { "key": "isSeen", "op": "==", "value": true } }
        """#,
        #"{ "name": "forget-songs", "kind": "delete", "entity": "Song", "from": "previous", "mode": "batch" }"#,
        #"{ "name": "rest", "kind": "fetch", "from": "previous", "mode": "sync" }"#,
    ]

    private func rows(_ driver: any StoreDriver, _ json: String) async throws -> [ResultRow] {
        let scenario = try ScenarioReader().read(Data(json.utf8), file: "library.json")
        let stores = try TemporaryDirectory()
        return try await onThread {
            defer { try? driver.server?.removeStores(below: stores.url) }
            return try scenario.reports(by: driver, in: stores.url).map(\.row)
        }
    }

    /// With an entity that has records of its own, and with an abstract one.
    @Test(arguments: DriverCase.all + [DriverCase(MemoryDriver())] + DriverCase.onServer, [0.6, 0.9])
    func everyPhaseIsVerified(_ subject: DriverCase, _ songs: Double) async throws {
        let rows = try await rows(subject.driver, Self.json(songs: songs))
        #expect(rows.count == Self.phases.count)
        for row in rows { #expect(row.status == .ok && row.verified == true, "\(row.phase): \(row.error)") }
    }

    @Test func aDriverWithoutInheritanceSaysSo() async throws {
        let rows = try await rows(Changed(holdsSubentities: false), Self.json())
        #expect(rows.allSatisfy { $0.status == .unsupported && $0.error == "its stores have no inheritance" })
    }

    @Test func aDriverThatForgetsTheEntityOfARecordFails() async throws {
        let rows = try await rows(Changed(sql: "UPDATE ZMEDIUM SET Z_ENT = 1 WHERE Z_PK = 7"), Self.json())
        let seed = try #require(rows.first)
        #expect(seed.status == .failed && seed.error.contains("does not hold the expected values"), "\(seed.error)")
    }

    @Test func aDriverThatFindsOtherKindsFails() async throws {
        let rows = try await rows(Changed(ignoresKind: true), Self.json())
        let songs = try #require(rows.first { $0.phase == "songs" })
        #expect(songs.status == .failed && songs.error.contains("records were fetched"), "\(songs.error)")
        #expect(rows.first { $0.phase == "all" }?.status == .ok)
    }
}

/// The baseline with a fault.
private struct Changed: StoreDriver {
    let name = "changed"
    let summary = "for tests"
    var holdsSubentities = true
    /// Changes the store after the seed.
    var sql: String?
    /// Fetches records of all kinds.
    var ignoresKind = false
    var sessionType: any StoreSession.Type { ForwardingSession.self }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        ChangedSession(try SQLiteDriver().open(configuration), configuration, self)
    }

    func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        SQLiteDriver().inspector(of: configuration)
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
        if driver.ignoresKind { work.filter = work.filter?.partedByKind.condition }
        return try super.fetch(work, monitor: monitor)
    }
}
