import CSQLite
import Foundation
import TestSupport
import Testing

@testable import BenchDrivers
@testable import BenchHarness
@testable import DriverConformance

/// A file laid out as Apple's Core Data lays it out, with its history, from `bench describe` to phases that start from
/// it.
@Suite struct CoreDataOriginTests {
    private let folder: TemporaryDirectory
    private let file: URL

    /// Makes notes with gaps among their keys and versions of years of changes. Some are in no folder, and some are
    /// tasks, an entity that inherits from theirs. A trigger counts the notes of a folder.
    init() throws {
        folder = try TemporaryDirectory()
        file = folder.url.appendingPathComponent("Notes.sqlite")
        let connection = try PlainConnection(file: file, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        for sql in Self.tables + Self.rows { try connection.execute(sql) }
        let description: [String: Any] = [
            "NSPersistenceFrameworkVersion": 1_330, "NSStoreModelVersionHashesVersion": 3, "NSStoreType": "SQLite",
            "NSStoreModelVersionHashes": [
                "Folder": Data(repeating: 1, count: 32), "Note": Data(repeating: 2, count: 32),
            ],
            "NSStoreModelVersionIdentifiers": ["7"], "_NSAutoVacuumLevel": "2",
        ]
        try connection.execute(
            "INSERT INTO Z_METADATA VALUES (1, '5C2E7B1D-7F0A-4C8E-9B55-0A1B2C3D4E5F', ?)",
            [.data(try PropertyListSerialization.data(fromPropertyList: description, format: .binary, options: 0))])
        try connection.close()
    }

    private static let tables = [
        "PRAGMA auto_vacuum = 2", "PRAGMA journal_mode = WAL",
        """
        CREATE TABLE ZFOLDER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCREATEDAT TIMESTAMP, \
        ZNAME VARCHAR, ZIDENTIFIER BLOB, ZNOTESCOUNT INTEGER )
        """,
        """
        CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISPINNED INTEGER, ZVIEWS INTEGER, \
        ZFOLDER INTEGER, ZMODIFIEDAT TIMESTAMP, ZRATING FLOAT, ZTITLE VARCHAR, ZBODY BLOB )
        """,
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
        """
        CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, \
        ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB )
        """,
        "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT )",
        """
        CREATE TRIGGER Z_DA_ZNOTE_Folder_notesCount_PARAMETER_DELETE AFTER DELETE ON ZNOTE FOR EACH ROW \
        WHEN (OLD.ZFOLDER NOT NULL) BEGIN UPDATE ZFOLDER SET ZNOTESCOUNT = ZNOTESCOUNT - 1 WHERE Z_PK = OLD.ZFOLDER; \
        SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZFOLDER', Z_ENT, Z_PK, 'notesCount', ZNOTESCOUNT) \
        FROM ZFOLDER WHERE Z_PK = OLD.ZFOLDER; END
        """,
        "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
        "CREATE INDEX ZNOTE_ZFOLDER_INDEX ON ZNOTE (ZFOLDER)",
        "CREATE INDEX Z_Note_byModifiedAt ON ZNOTE (ZMODIFIEDAT COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_Folder_UNIQUE_identifier ON ZFOLDER (ZIDENTIFIER COLLATE BINARY ASC)",
    ]

    private static let rows = [
        """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Folder', 0, 4), (2, 'Note', 0, 500), (3, 'Task', 2, 0), (16001, 'CHANGE', 0, 1), \
        (16002, 'TRANSACTION', 0, 1)
        """,
        "INSERT INTO Z_MODELCACHE VALUES (x'789C0102030405')",
        "INSERT INTO ACHANGE VALUES (1, 16001, NULL, 0, 2, 1, 1, x'0200')",
        "INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, 694224000.25)",
        """
        INSERT INTO ZFOLDER VALUES (1, 1, 3, 694224000.125, 'Home', x'0011', 210), \
        (2, 1, 1, 694310400, 'Ideas', x'1011', 210), (4, 1, 1, 694310400, NULL, x'2011', 0)
        """,
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO ZNOTE SELECT i, 2 + (i % 17 = 0), \
        i % 7 + 1, i % 5 = 0, i * i % 97, CASE WHEN i % 11 = 0 THEN NULL ELSE (i % 2) + 1 END, 694224000 + i * 3600.5, \
        CASE WHEN i % 4 = 0 THEN NULL ELSE i / 3.0 END, CASE WHEN i % 9 = 0 THEN NULL ELSE 'Note ' || i END, \
        CASE WHEN i % 3 = 0 THEN zeroblob(40) END FROM n WHERE i % 13 <> 0
        """,
    ]

    /// Returns the scenario that describes the file, with other phases.
    private func described(_ phases: [String], entity: String? = "Note") throws -> Scenario {
        let survey = try SQLiteSurveyor().survey(file)
        let text = try DescribedScenario(named: "notes", of: survey, from: "Notes.sqlite", entity: entity).text
        let head = try #require(text.components(separatedBy: #""phases": ["#).first)
        let list = phases.enumerated().map { #"{ "name": "phase\#($0)", \#($1) }"# }.joined(separator: ", ")
        return try ScenarioReader().read(Data((head + #""phases": [\#(list)] }"#).utf8), file: "notes.json")
    }

    @Test func theDescriptionHasItsEntities() throws {
        let survey = try SQLiteSurveyor().survey(file)
        #expect(survey.entities.map(\.name).sorted() == ["Folder", "Note", "Task"])
        #expect(
            survey.remarks == [
                "the attribute Folder.notescount is left out: triggers of the file derive it",
                CoreDataLayout.smallLetters,
            ])
        let scenario = try described([#""kind": "seed", "from": "empty""#])
        #expect(scenario.records == 462 && scenario.entity.name == "Note")
        #expect(
            scenario.entity.attributes.map(\.name) == [
                "ispinned", "views", "modifiedAt", "rating", "title", "body", "folder",
            ])
        #expect(scenario.entity.attributes.map(\.type) == [.bool, .int64, .date, .double, .string, .data, .int64])
        #expect(scenario.entities.map(\.name) == ["Note", "Folder"] && scenario.entities[1].records == 3)
    }

    @Test(arguments: DriverCase.all) func everyOutcomeIsVerifiedAgainstTheFile(_ subject: DriverCase) async throws {
        let before = try Data(contentsOf: file)
        let pinned = #""filter": { "key": "ispinned", "op": "==", "value": true }"#
        let newest = #""sort": [{ "key": "modifiedAt", "ascending": false }]"#
        let from = #""from": { "file": "\#(file.path)" }"#
        let works = [
            #""kind": "fetch", "mode": "sync", \#(newest)"#, #""kind": "fetch", "mode": "async", \#(pinned)"#,
            #""kind": "reopen", \#(newest), "limit": 20"#,
            #""kind": "count", "filter": { "key": "title", "op": "==", "value": null }"#,
            #""kind": "aggregate", "function": "sum", "attribute": "views", "group_by": "ispinned""#,
            #""kind": "update", "mode": "per_object", \#(pinned), "set": { "views": { "add": 1 }, "title": "x" }"#,
            #""kind": "update", "mode": "chunked", "chunk_records": 50, "set": { "ispinned": { "toggle": true } }"#,
            #""kind": "update", "mode": "batch", "set": { "modifiedAt": { "add_s": 60 } }"#,
            #""kind": "delete", "mode": "per_object", \#(pinned)"#, #""kind": "delete", "mode": "batch", \#(pinned)"#,
        ].map { "\($0), \(from)" }
        var scenario = try described(works + [#""kind": "count", "from": "previous""#])
        scenario.isolation = .none
        let rows = try await scenario.rows(by: subject.driver)
        #expect(rows.count == 11 && rows.last?.records == 462 - 93)
        for row in rows { #expect(row.status == .ok && row.verified == true, "\(row.phase): \(row.error)") }
        #expect(try Data(contentsOf: file) == before)
    }

    /// Notes are in folders, of which a scenario of folders alone knows nothing.
    @Test func managedDeclinesToDeleteWhatOtherRecordsLeadTo() async throws {
        let from = #""from": { "file": "\#(file.path)" }"#
        let (delete, previous) = (#""kind": "delete", "mode": "per_object""#, #""from": "previous""#)
        let empty = #""filter": { "key": "name", "op": "==", "value": null }"#
        var scenario = try described(
            [
                "\(delete), \(from)", #""kind": "count", "from": "previous""#, "\(delete), \(empty), \(from)",
                #""kind": "count", "from": "previous""#, #""kind": "count", \#(from)"#, "\(delete), \(previous)",
                #""kind": "delete", "mode": "batch", \#(from)"#,
            ], entity: "Folder")
        scenario.isolation = .none
        let reason = "rows of the file may refer to records that it deletes, by ZNOTE.ZFOLDER"
        for (place, isDeclined) in [true, false, false, false, false, true, false].enumerated() {
            let found = scenario.reasonUnsupported(at: place, by: ManagedDriver())
            #expect((found != nil) == isDeclined && found?.hasPrefix(reason) != false, "\(place): \(found ?? "")")
            #expect(scenario.reasonUnsupported(at: place, by: SQLiteDriver()) == nil)
        }
        let rows = try await scenario.rows(by: ManagedDriver())
        let statuses: [ResultRow.Status] = [.unsupported, .unsupported, .ok, .ok, .ok, .unsupported, .ok]
        #expect(rows.map(\.status) == statuses, "\(rows.map(\.error))")
        #expect(rows[1].error == "not run: phase0 is unsupported" && rows[3].records == 2)
    }

    /// An entity whose only attribute is one that triggers derive has another in the scenario, which the file lacks.
    @Test func noAttributeOfAnotherEntityIsReadFromTheFile() throws {
        var scenario = try described([#""kind": "count", "from": { "file": "\#(file.path)" }"#])
        let other = AttributeSpec(name: "number", type: .int64, generator: .constant(.int64(1)))
        scenario.entities[1].attributes = [other]
        scenario.isolation = .none
        let stores = try TemporaryDirectory()
        let row = try scenario.reports(by: SQLiteDriver(), in: stores.url).first?.row
        #expect(row?.status == .ok && row?.verified == true, "\(row?.error ?? "")")
    }

    @Test func aDescribedEntityIsOneThatAPhaseCanStartFrom() throws {
        let error = #expect(throws: RunError.self) { try described([], entity: "Task") }
        #expect(error?.description.contains("Task inherits from Note") == true)
        let connection = try PlainConnection(file: file, flags: SQLITE_OPEN_READWRITE)
        try connection.execute("INSERT INTO Z_PRIMARYKEY VALUES (4, 'Item', 0, 0)")
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_SUPER = 4 WHERE Z_NAME = 'Folder'")
        try connection.execute("ALTER TABLE ZFOLDER RENAME TO ZITEM")
        try connection.close()
        let scenario = try described([#""kind": "count", "from": { "file": "\#(file.path)" }"#])
        #expect(scenario.entities.count == 1 && scenario.records == 462)
        #expect(throws: Never.self) { try RecordFileAdopter().check(file, for: scenario.schema) }
        let survey = try SQLiteSurveyor().survey(file)
        let text = try DescribedScenario(named: "n", of: survey, from: "f", entity: "Note").text
        #expect(text.contains("Note.folder is left out: Folder is left out, too."), "\(text)")
    }

    /// `bench validate` finds before a run what a copy would be refused for, and leaves the file as it is.
    @Test func aFileIsCheckedWithoutACopy() throws {
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        let entities = try described([#""kind": "seed", "from": "empty""#]).entities
        let entity = entities[0]
        try RecordFileAdopter().check(file, for: Schema(entities))
        func problem(_ file: URL, of place: Int = 0, _ change: (inout EntitySpec) -> Void) -> String {
            var entities = entities
            change(&entities[place])
            let error = #expect(throws: DriverError.self) { try RecordFileAdopter().check(file, for: Schema(entities)) }
            return error?.description ?? ""
        }
        #expect(problem(file) { $0.name = "Nte" }.contains("has no entity Nte; it has "))
        #expect(problem(file) { $0.attributes[0].name = "pinned" }.contains("of \(file.path) has no attribute pinned"))
        let title = try #require(entity.attributes.firstIndex { $0.name == "title" })
        #expect(
            problem(file) { $0.attributes[title].type = .int64 }.contains(
                "the attribute title of the entity Note of \(file.path) has values of SQLite's type text, which are not of the "
                    + "type int64; name their type"))
        #expect(problem(file, of: 1) { $0.name = "Folders" }.contains("has no entity Folders"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == before)
        let text = try folder.write(Data(String(repeating: "text ", count: 300).utf8), to: "text")
        #expect(problem(text) { _ in } == "\(text.path) cannot be read: expected a file of SQLite")
        let empty = try folder.write(Data(), to: "empty")
        #expect(problem(empty) { _ in }.contains("empty is no store of ManagedStore or Core Data"))
    }

    @Test func managedDeclinesToChangeWhatTriggersDerive() throws {
        let count = AttributeSpec(name: "notesCount", type: .int64, generator: .constant(.int64(1)))
        let change = AttributeChange(attribute: "notesCount", operation: .assign(.int64(5)))
        var scenario = Scenario(
            name: "derived", records: 3, entity: EntitySpec(name: "Folder", attributes: [count]),
            phases: [Phase(name: "update", from: .file, work: .update(UpdateWork(mode: .batch, set: [change])))])
        scenario.phases[0].file = file.path
        let reason = scenario.reasonUnsupported(at: 0, by: ManagedDriver())
        #expect(reason == "triggers of the file derive notesCount; leave it out of set")
        #expect(scenario.reasonUnsupported(at: 0, by: SQLiteDriver()) == nil)
    }

    @Test(arguments: [
        ("UPDATE ZNOTE SET ZISPINNED = 2 WHERE Z_PK = 5", "ispinned of the entity Note", "other numbers than 0 and 1"),
        ("UPDATE ZNOTE SET Z_PK = -5 WHERE Z_PK = 5", "key -5 of the entity Note", "has no key above 0 and a version"),
        ("UPDATE ZNOTE SET Z_OPT = NULL WHERE Z_PK = 5", "key 5 of the entity Note", "above 0 and a version"),
    ])
    func recordsThatNoDriverCanReadAreFoundBeforeARun(change: String, place: String, fault: String) throws {
        let schema = try described([#""kind": "seed", "from": "empty""#]).schema
        let connection = try PlainConnection(file: file, flags: SQLITE_OPEN_READWRITE)
        // What a trigger would call is not there.
        try connection.execute("DROP TRIGGER Z_DA_ZNOTE_Folder_notesCount_PARAMETER_DELETE")
        try connection.execute(change)
        try connection.close()
        let error = #expect(throws: DriverError.self) { try RecordFileAdopter().check(file, for: schema) }
        let message = error?.description ?? ""
        #expect(message.contains(place) && message.contains(fault), "\(message)")
    }

    /// What an interrupted program left is rolled back in a copy, as it is when a phase starts.
    @Test func aFileWithAJournalIsCheckedInACopy() throws {
        let file = try InterruptedFile(in: folder) { connection in
            for sql in Self.tables + Self.rows where !sql.contains("journal_mode") { try connection.execute(sql) }
        }.url
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        let entity = EntitySpec(
            name: "Note", attributes: [AttributeSpec(name: "views", type: .int64, generator: .constant(.int64(1)))])
        try RecordFileAdopter().check(file, for: Schema(entity))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == before)
    }

    /// Root may write everywhere.
    @Test(.enabled(if: geteuid() != 0)) func aLogInAFolderThatCannotBeWrittenIsReadInACopy() throws {
        let connection = try PlainConnection(file: file, flags: SQLITE_OPEN_READWRITE)
        try connection.execute("UPDATE ZNOTE SET ZVIEWS = 1")
        let closed = folder.url.appendingPathComponent("closed", isDirectory: true)
        try FileManager.default.createDirectory(at: closed, withIntermediateDirectories: true)
        let copy = closed.appendingPathComponent("copy.sqlite")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: file.path + suffix, toPath: copy.path + suffix)
        }
        try connection.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: closed.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: closed.path) }
        let entity = EntitySpec(
            name: "Note", attributes: [AttributeSpec(name: "views", type: .int64, generator: .constant(.int64(1)))])
        try RecordFileAdopter().check(copy, for: Schema(entity))
    }

    /// What shares the table of another entity cannot be told apart by a store that knows one entity.
    @Test(arguments: [
        ("Task", "ZNOTE", "share a table with those of Note, from which it inherits; describe that"),
        ("Todo", "ZNOTE", "has no entity Todo; it has CHANGE, Folder, Note, TRANSACTION, Task"),
        ("CHANGE", "ZNOTE", "has no table of the entity CHANGE"),
        ("Note", "ZFOLDER", "share a table with those of Item, from which it inherits; leave it out"),
    ])
    func anEntityInTheTableOfAnotherIsRefused(_ name: String, _ table: String, _ message: String) throws {
        let connection = try PlainConnection(file: file, flags: SQLITE_OPEN_READWRITE)
        if table == "ZFOLDER" {
            try connection.execute("INSERT INTO Z_PRIMARYKEY VALUES (4, 'Item', 0, 0)")
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_SUPER = 4 WHERE Z_NAME = 'Folder'")
        }
        try connection.close()
        let title = AttributeSpec(name: "title", type: .string, generator: .constant(.null))
        let folder = AttributeSpec(name: "name", type: .string, generator: .constant(.null))
        let reference = ReferenceSpec(relationship: "folder", inverse: "notes", entityName: "Folder", records: 1)
        let entity = EntitySpec(name: name, attributes: [title], references: [reference])
        let schema = Schema([entity, EntitySpec(name: "Folder", attributes: [folder], records: 1)])
        let store = try TemporaryDirectory()
        let error = #expect(throws: DriverError.self) {
            try RecordFileAdopter().adopt(
                file,
                for: StoreConfiguration(
                    directory: store.url, schema: schema, options: StoreOptions(),
                    records: RecordGenerator(entity: entity, seed: 1)))
        }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }
}
