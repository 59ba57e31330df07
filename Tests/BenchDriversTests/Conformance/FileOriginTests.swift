import CSQLite
import Foundation
import MemoryDriver
import TestSupport
import Testing

@testable import BenchDrivers
@testable import BenchHarness
@testable import DriverConformance

/// Phases that start from a copy of a file which another program has written.
@Suite struct FileOriginTests {
    private static let entity = EntitySpec(
        name: "Note",
        attributes: [
            AttributeSpec(
                name: "number", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1), isUnique: true),
            AttributeSpec(name: "text", type: .string, generator: .random(length: 30), nullShare: 0.2),
            AttributeSpec(name: "at", type: .date, generator: .uniform(min: 0, max: 1e6), isIndexed: true),
            AttributeSpec(name: "isRead", type: .bool, generator: .uniform(min: 0, max: 0.5)),
        ])

    private let folder: TemporaryDirectory
    private let file: URL
    /// Holds the log of the file open, so that no process writes it back.
    private let connection: PlainConnection

    /// Makes a file with gaps among the keys, records of several versions, a relationship, another entity, and changes
    /// that only its log has.
    init() throws {
        folder = try TemporaryDirectory()
        let configuration = StoreConfiguration(
            directory: folder.url, entity: Self.entity, options: StoreOptions(),
            records: RecordGenerator(entity: Self.entity, seed: 9))
        file = SQLiteDriver.file(in: folder.url)
        let session = try SQLiteDriver().open(configuration)
        try session.seed(SeedWork(), records: 400, monitor: PhaseMonitor())
        try session.close()
        connection = try PlainConnection(file: file, flags: SQLITE_OPEN_READWRITE)
        for sql in [
            "PRAGMA wal_autocheckpoint = 0", "DELETE FROM ZNOTE WHERE Z_PK % 7 = 3",
            "UPDATE ZNOTE SET Z_OPT = Z_PK % 5 + 1, ZTEXT = 'new ' || Z_PK WHERE Z_PK % 3 = 0",
            "ALTER TABLE ZNOTE ADD COLUMN ZFOLDER INTEGER", "CREATE INDEX ZNOTE_ZFOLDER_INDEX ON ZNOTE (ZFOLDER)",
            "CREATE TABLE ZFOLDER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR)",
            "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (2, 'Folder', 0, 1)",
            "INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'Inbox')", "UPDATE ZNOTE SET ZFOLDER = 1",
        ] { try connection.execute(sql) }
    }

    private func phase(_ name: String, _ work: Phase.Work) -> Phase {
        Phase(name: name, from: .file, work: work, file: file.path)
    }

    private var phases: [Phase] {
        let read = [AttributeChange(attribute: "isRead", operation: .toggle)]
        let unread = FilterSpec.compare(key: "isRead", .equal, .bool(false))
        let sort = [SortSpec(key: "at", ascending: false), SortSpec(key: "number")]
        return [
            phase("fetch", .fetch(FetchWork(mode: .sync, sort: [SortSpec(key: "text")]))),
            phase("newest", .fetch(FetchWork(mode: .async, sort: sort, filter: unread, limit: 20))),
            phase("start", .reopen(ReopenWork(sort: sort, limit: 20, cache: .warm))),
            phase("scroll", .page(PageWork(by: .key, pageSize: 50, sort: [SortSpec(key: "number")]))),
            phase("count", .count(CountWork(filter: unread))),
            phase("update", .update(UpdateWork(mode: .perObject, set: read, filter: unread))),
            phase("update-chunked", .update(UpdateWork(mode: .chunked, set: read, chunkSize: 60))),
            phase("update-batch", .update(UpdateWork(mode: .batch, set: read))),
            Phase(name: "fetch-again", from: .previous, work: .fetch(FetchWork(mode: .sync, filter: unread))),
            phase("delete", .delete(DeleteWork(mode: .batch, filter: unread))),
            phase("delete-first", .delete(DeleteWork(mode: .perObject, sort: sort, limit: 30))),
            Phase(name: "count-again", from: .previous, work: .count(CountWork())),
        ]
    }

    private func rows(_ driver: any StoreDriver, _ entity: EntitySpec = entity) async throws -> [ResultRow] {
        try await Scenario(name: "mine", records: 10, isolation: .none, entity: entity, phases: phases)
            .rows(by: driver)
    }

    @Test(arguments: DriverCase.all) func everyOutcomeIsVerifiedAgainstTheFile(_ subject: DriverCase) async throws {
        let names = [file.path, file.path + "-wal"]
        let before = try names.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        #expect(before[1].count > 0)
        for row in try await rows(subject.driver) {
            #expect(row.status == .ok && row.verified == true, "\(row.phase): \(row.error)")
            if row.phase == "count-again" { #expect(row.records == 400 - 57 - 30) }
        }
        #expect(try names.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == before)
    }

    @Test(arguments: [DriverCase(MemoryDriver())] + DriverCase.onServer.prefix(1))
    func aDriverOfOtherStoresSaysThatItCannot(_ subject: DriverCase) async throws {
        for row in try await rows(subject.driver) {
            #expect(row.status == .unsupported && row.error == "its stores cannot be copies of a file")
        }
    }

    @Test func aFileOfOtherRecordsIsRefusedWithTheReason() async throws {
        func error(_ change: (inout EntitySpec) -> Void) async throws -> String {
            var entity = Self.entity
            change(&entity)
            return try #require(try await rows(SQLiteDriver(), entity).first).error
        }
        let other = try await error { $0.name = "Letter" }
        #expect(other == "\(file.path) has no entity Letter; it has Folder, Note")
        let missing = try await error { $0.attributes[1].name = "words" }
        #expect(
            missing == "the entity Note of \(file.path) has no attribute words; its columns are "
                + "Z_PK, Z_ENT, Z_OPT, ZISREAD, ZNUMBER, ZAT, ZTEXT, ZFOLDER")
        try connection.execute("UPDATE ZNOTE SET Z_ENT = 3 WHERE Z_PK = 1")
        let mixed = try await error { _ in }
        #expect(mixed.contains("has rows of other entities"))
        try connection.execute("DROP TABLE Z_PRIMARYKEY")
        let foreign = try await error { _ in }
        #expect(foreign == "\(file.path) is no store of ManagedStore or Core Data: it has no Z_PRIMARYKEY")
    }

    /// The copy of a link would lead to the file itself, which a phase then changed.
    @Test func aLinkIsFollowed() throws {
        let manager = FileManager.default
        let link = folder.file("link.sqlite")
        try manager.createSymbolicLink(atPath: link.path, withDestinationPath: file.lastPathComponent)
        let store = try TemporaryDirectory()
        try RecordFileAdopter().adopt(
            link,
            for: StoreConfiguration(
                directory: store.url, entity: Self.entity, options: StoreOptions(),
                records: RecordGenerator(entity: Self.entity, seed: 9)))
        let copy = RecordFile.url(in: store.url)
        let copied = try manager.attributesOfItem(atPath: copy.path)[.type] as? FileAttributeType
        let records = try PlainConnection(file: copy, flags: SQLITE_OPEN_READONLY)
            .integer("SELECT count(*) FROM ZNOTE WHERE ZFOLDER = 1")
        #expect(copied == .typeRegular && records == 343)
    }

    /// To read a pipe is to wait for a writer.
    @Test func aPipeIsRefused() throws {
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        let store = try TemporaryDirectory()
        let adopting = #expect(throws: DriverError.self) {
            try RecordFileAdopter().adopt(
                pipe,
                for: StoreConfiguration(
                    directory: store.url, entity: Self.entity, options: StoreOptions(),
                    records: RecordGenerator(entity: Self.entity, seed: 9)))
        }
        #expect(adopting?.description.contains("is no regular file") == true)
        let surveying = #expect(throws: DriverError.self) { try SQLiteSurveyor().survey(pipe) }
        #expect(surveying?.description.contains("expected a regular file") == true)
    }

    @Test func aFileOfAnotherKindIsRefused() async throws {
        let text = try folder.write(Data(String(repeating: "No database. ", count: 500).utf8), to: "notes.txt")
        let scenario = Scenario(
            name: "mine", records: 10, isolation: .none, entity: Self.entity,
            phases: [Phase(name: "p", from: .file, work: .count(CountWork()), file: text.path)])
        let stores = try TemporaryDirectory()
        let row = try await onThread { try scenario.reports(by: ManagedDriver(), in: stores.url).first?.row }
        #expect(row?.status == .failed)
        #expect(row?.error == "\(text.path) is no file of SQLite")
    }
}
