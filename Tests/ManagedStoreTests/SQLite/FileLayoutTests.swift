import Foundation
import ManagedStore
import Testing

/// A store's file is laid out as Core Data lays it out.
@Suite struct FileLayoutTests {
    @Test func tablesAreSpelledAsCoreDataSpellsThem() throws {
        let sql = try TestStore().database().rows(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name")
        let tables = Dictionary(uniqueKeysWithValues: sql.map { ($0[0] ?? "", $0[1] ?? "") })
        #expect(tables.keys.sorted() == ["ZEVERYTHING", "ZITEM", "Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"])
        #expect(
            tables["ZITEM"]
                == "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZDONE INTEGER, "
                + "ZCREATEDAT TIMESTAMP, ZNAME VARCHAR )")
        #expect(
            tables["Z_METADATA"]
                == "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)")
        #expect(
            tables["Z_PRIMARYKEY"]
                == "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"
        )
        #expect(tables["Z_MODELCACHE"] == "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
    }

    @Test func entitiesAreNumberedAlphabetically() throws {
        let rows = try TestStore().database().rows(
            "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
        #expect(rows == [["1", "Everything", "0", "0"], ["2", "Item", "0", "0"]])
    }

    @Test func theHighestKeyGivenOutIsRemembered() throws {
        let store = try TestStore()
        try store.seed(7)
        let context = store.context()
        try context.obtainPermanentIDs(for: [Item("a", in: context), Item("b", in: context)])
        #expect(try store.database().value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Item'") == "9")
        try store.database().execute("DELETE FROM ZITEM")
        #expect(try store.seed(1)[0].uriRepresentation().lastPathComponent == "p10")
    }

    @Test func versionsBeginAtOneAndRiseByOne() throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(3)
        let database = try store.database()
        #expect(try database.rows("SELECT Z_PK, Z_ENT, Z_OPT FROM ZITEM") == (1...3).map { ["\($0)", "2", "1"] })
        items[0].name = "changed"
        try context.save()
        for item in items { item.done = true }
        try context.save()
        #expect(try database.rows("SELECT Z_OPT FROM ZITEM ORDER BY Z_PK") == [["3"], ["2"], ["2"]])
        _ = try context.execute(BatchUpdateRequest(Item.self, set: ["done": false]))
        #expect(try database.rows("SELECT Z_OPT FROM ZITEM ORDER BY Z_PK") == [["4"], ["3"], ["3"]])
    }

    @Test func valuesAreStoredInTheirColumnsTypes() throws {
        let store = try TestStore()
        let context = store.context()
        let object = Everything("Straße", 42, in: context)
        object.flag = true
        object.moment = Date(timeIntervalSince1970: 978_307_200.5 + 86_400)
        object.bytes = Data([1, 255])
        try context.save()
        let database = try store.database()
        let types = try database.rows(
            "SELECT typeof(ZTEXT), typeof(ZFLAG), typeof(ZMOMENT), typeof(ZNUMBER), typeof(ZREAL), typeof(ZBYTES), "
                + "typeof(ZOPTIONALTEXT) FROM ZEVERYTHING")
        #expect(types == [["text", "integer", "real", "integer", "real", "blob", "null"]])
        #expect(
            try database.rows("SELECT ZTEXT, ZFLAG, ZMOMENT, ZNUMBER, hex(ZBYTES) FROM ZEVERYTHING")
                == [["Straße", "1", "86400.5", "42", "01FF"]])
    }

    @Test func everyTypeHasCoreDatasColumnType() throws {
        let columns = try TestStore().database().rows(
            "SELECT name || ' ' || type FROM pragma_table_info('ZEVERYTHING')")
        let expected = [
            "ZSMALL INTEGER", "ZMEDIUM INTEGER", "ZCOUNT INTEGER", "ZSINGLE FLOAT", "ZAMOUNT DECIMAL", "ZLINK VARCHAR",
            "ZIDENTIFIER BLOB", "ZSHAPE BLOB", "ZMOMENT TIMESTAMP",
        ]
        #expect(Set(columns.compactMap { $0[0] }).isSuperset(of: expected))
    }

    @Test func identifiersAndTransformedValuesAreStoredAsTheirBytes() throws {
        let store = try TestStore()
        let context = store.context()
        let object = Everything("a", in: context)
        object.optionalAmount = 12
        try context.save()
        let sql = "SELECT hex(ZIDENTIFIER), ZLINK, CAST(ZSHAPE AS TEXT), typeof(ZAMOUNT), typeof(ZOPTIONALAMOUNT)"
        #expect(
            try store.database().rows("\(sql) FROM ZEVERYTHING") == [
                [
                    "1234567890ABCDEFFEDCBA0987654321", "https://example.com/a", #"{"name":"dot","sides":[]}"#, "real",
                    "integer",
                ]
            ])
    }

    @Test func emptyIsNotNull() throws {
        let store = try TestStore()
        let context = store.context()
        let object = Everything("", in: context)
        (object.optionalText, object.optionalBytes) = ("", Data())
        try context.save()
        let sql = "SELECT typeof(ZTEXT), typeof(ZBYTES), typeof(ZOPTIONALTEXT), typeof(ZOPTIONALBYTES) FROM ZEVERYTHING"
        #expect(try store.database().rows(sql) == [["text", "blob", "text", "blob"]])
    }

    @Test func theJournalIsAWriteAheadLog() throws {
        #expect(try TestStore().database().value("PRAGMA journal_mode") == "wal")
    }

    @Test func theMetadataIsABinaryPropertyList() throws {
        let store = try TestStore()
        let context = store.context()
        store.coordinator.metadata = ["filled": .boolean(true)]
        try context.save()
        let database = try store.database()
        let identifier = try #require(store.coordinator.storeIdentifier)
        #expect(try database.rows("SELECT Z_VERSION, Z_UUID FROM Z_METADATA") == [["1", identifier.uuidString]])
        let bytes = try database.blob("SELECT Z_PLIST FROM Z_METADATA")
        #expect(bytes.prefix(8) == Data("bplist00".utf8))
        let plist = try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any]
        #expect(plist?["NSStoreType"] as? String == "SQLite")
        #expect(plist?["filled"] as? Bool == true)
    }

    @Test func aLargeStoreIsWhole() throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(3_000)
        for item in items where item.createdAt.timeIntervalSinceReferenceDate.truncatingRemainder(dividingBy: 7) == 0 {
            context.delete(item)
        }
        try context.save()
        try store.coordinator.checkpoint()
        #expect(try store.database().value("PRAGMA integrity_check") == "ok")
        #expect(try store.database().value("SELECT COUNT(*) FROM ZITEM") == "2571")
    }
}
