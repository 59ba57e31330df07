import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Code in a file's schema, which SQLite runs for us, neither hangs a save nor calls our functions.
@Suite struct HostileSchemaTests {
    private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) FROM n"

    /// What opening or saving says of a file with `schema` in it.
    private func outcome(_ schema: String, rows: Int = 2) throws -> StoreError? {
        let store = try TestStore()
        try store.seed(rows)
        try store.coordinator.checkpoint()
        try store.coordinator.removePersistentStore()
        try store.database().execute(schema)
        let before = try Data(contentsOf: store.url)
        do {
            let context = ManagedObjectContext(coordinator: try store.secondCoordinator())
            try context.items().first?.name = "changed"
            Item("new", in: context)
            try context.save()
            _ = try context.execute(BatchUpdateRequest(Item.self, set: ["done": true]))
            return nil
        } catch let error as StoreError {
            if error.code == .incompatibleStore { #expect(try Data(contentsOf: store.url) == before) }
            return error
        }
    }

    private func trigger(_ body: String) -> String {
        "CREATE TRIGGER evil AFTER UPDATE ON ZITEM BEGIN \(body); END"
    }

    @Test func aTriggerWithAnEndlessQueryIsRefused() throws {
        let error = try outcome(trigger("SELECT (\(Self.endless))"))
        #expect(error?.code == .incompatibleStore && error?.message.contains("trigger evil") == true)
    }

    @Test(arguments: [
        "MS_MATCHES('\(String(repeating: "a", count: 60))b', '(a+)+$', 0)", "\"MS_MATCHES\" (NEW.ZNAME, '(a+)+', 0)",
        "MS_SUM(1, 0)", "hex \u{FEFF}(NEW.ZNAME)", "hex(zeroblob(500000000))", "replace(NEW.ZNAME, 'a', NEW.ZNAME)",
        "[randomblob] (1000000000)",
        "`printf` /* a comment */ ('%1000000000d', 1)", "NEW.ZNAME || NEW.ZNAME",
    ])
    func aTriggerThatCallsWhatMayTakeLongIsRefused(_ expression: String) throws {
        #expect(try outcome(trigger("SELECT \(expression)"))?.code == .incompatibleStore)
        #expect(
            try outcome(
                """
                CREATE TABLE other (a); \(trigger("INSERT INTO other VALUES (1)"));
                CREATE TRIGGER second AFTER INSERT ON other BEGIN SELECT \(expression) FROM ZITEM AS NEW; END
                """)?.code == .incompatibleStore)
    }

    @Test func aTriggerThatJoinsWithoutEndIsStopped() throws {
        let joins = (0..<12).map { "ZITEM t\($0)" }.joined(separator: ", ")
        let error = try outcome(trigger("UPDATE Z_METADATA SET Z_VERSION = (SELECT COUNT(*) FROM \(joins))"), rows: 20)
        #expect(
            error?.code == .storeFailure && error?.message.contains("trigger") == true, "\(String(describing: error))")
    }

    /// A trigger that ends for each row, but not for all of them within reason.
    @Test func theRowsOfASaveShareOneLimit() throws {
        let store = try TestStore()
        try store.seed(21)
        try store.coordinator.removePersistentStore()
        try store.database().execute(
            """
            CREATE TRIGGER slow AFTER UPDATE ON ZITEM BEGIN \
            SELECT count(*) FROM ZITEM a, ZITEM b, ZITEM c, ZITEM d, ZITEM e; END
            """)
        let context = ManagedObjectContext(coordinator: try store.secondCoordinator())
        let items = try context.items()
        items[0].name = "one row"
        try context.save()
        for (index, item) in items.enumerated() { item.name = "row \(index)" }
        let error = expectError(.storeFailure) { try context.save() }
        #expect(error?.message.contains("trigger") == true)
    }

    /// Such a trigger makes SQLite report success for rows that it does not write, such a constraint for rows that it
    /// deletes.
    @Test(arguments: [
        "CREATE TRIGGER evil BEFORE INSERT ON ZITEM BEGIN SELECT RAISE(IGNORE); END",
        "CREATE TRIGGER evil BEFORE UPDATE ON Z_PRIMARYKEY BEGIN SELECT raise ( /* */ ignore ); END",
        "ALTER TABLE ZITEM ADD COLUMN evil NOT NULL ON CONFLICT IGNORE DEFAULT 1",
        """
        DROP TABLE ZITEM; CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY ON CONFLICT REPLACE, Z_ENT INTEGER, \
        Z_OPT INTEGER, ZDONE INTEGER, ZCREATEDAT TIMESTAMP, ZNAME VARCHAR)
        """,
    ])
    func whatKeepsRowsFromBeingWrittenSilentlyIsRefused(_ schema: String) throws {
        let error = try outcome(schema)
        #expect(error?.code == .incompatibleStore && error?.message.contains("without an error") == true)
    }

    /// Triggers that are added while the file is open are not looked at.
    @Test(arguments: ["INSERT", "UPDATE", "DELETE"]) func rowsThatATriggerKeepsAwayFailTheSave(_ change: String) throws
    {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(2)
        try store.database().execute(
            "CREATE TRIGGER evil BEFORE \(change) ON ZITEM BEGIN SELECT RAISE(IGNORE); END")
        switch change {
        case "INSERT": Item("new", in: context)
        case "UPDATE": items[0].name = "changed"
        default: context.delete(items[0])
        }
        let error = expectError(.storeFailure) { try context.save() }
        #expect(error?.message.contains("look for a trigger") == true)
        #expect(context.hasChanges)
    }

    /// What comes after a decimal point is no table's name.
    @Test(arguments: ["1.+randomblob(5)", ".5+randomblob(5)", "1.5e3 + randomblob(5)", "a.ZNAME + randomblob(5)"])
    func aFunctionAfterANumberIsSeen(_ expression: String) throws {
        let error = try outcome(trigger("SELECT sum(\(expression)) FROM ZITEM a"))
        #expect(error?.code == .incompatibleStore && error?.message.contains("randomblob()") == true)
    }

    @Test func aTriggerCannotReadAView() throws {
        let error = try outcome(
            "CREATE VIEW slow AS \(Self.endless); \(trigger("UPDATE Z_METADATA SET Z_VERSION = (SELECT * FROM slow)"))")
        #expect(error != nil)
    }

    @Test func harmlessTriggersRun() throws {
        let store = try TestStore()
        try store.seed(2)
        try store.coordinator.removePersistentStore()
        let database = try store.database()
        try database.execute(
            """
            CREATE TABLE log (name, at); CREATE TABLE "replace" (a REFERENCES hex (a)); CREATE INDEX i ON "replace" (a); CREATE TRIGGER audit AFTER UPDATE OF ZNAME ON ZITEM WHEN NEW.ZNAME <> OLD.ZNAME BEGIN \
            INSERT INTO log (name, at) VALUES (upper(NEW.ZNAME), strftime('%s', 'now')); END;
            CREATE TABLE other (a CHECK (length(a) < 10), b DEFAULT (1 + 2), c AS (a + b));
            CREATE INDEX short ON ZITEM (lower(trim(ZNAME)), max(ltrim(ZNAME), rtrim(ZNAME))) WHERE ZDONE = 0
            """)
        let context = ManagedObjectContext(coordinator: try store.secondCoordinator())
        let items = try context.items()
        for item in items { item.name += "!" }
        try context.save()
        #expect(try database.rows("SELECT name FROM log") == [["ITEM 0!"], ["ITEM 1!"]])
    }

    @Test(arguments: [
        "ALTER TABLE ZITEM ADD COLUMN evil AS (replace(hex(zeroblob(100000000)), '0', '11'))",
        "ALTER TABLE ZITEM ADD COLUMN evil DEFAULT (hex(randomblob(100)))",
        "ALTER TABLE ZITEM ADD COLUMN evil CHECK (instr(hex(zeroblob(1000)), ZNAME) = 0)",
        "CREATE INDEX evil ON ZITEM (replace(ZNAME, 'a', 'b'))",
        "CREATE INDEX evil ON ZITEM (replace (ZNAME, 'a', 'b'))",
        "CREATE INDEX evil ON ZITEM (ZNAME) WHERE printf('%d', ZDONE) = '1'",
        "ALTER TABLE ZITEM ADD COLUMN evil AS (ZNAME || ZNAME)",
        "CREATE INDEX evil ON ZITEM (trim(ZNAME, 'abc'))",
        "CREATE INDEX evil ON ZITEM (lower(rtrim(max(ZNAME, 'a'), ZNAME)))",
    ])
    func columnsAndIndexesThatComputeWithMoreThanIsHarmlessAreRefused(_ schema: String) throws {
        let error = try outcome(schema, rows: 0)
        #expect(error?.code == .incompatibleStore && error?.message.contains("The file was not changed") == true)
    }

    @Test func theArticleListsTheFunctionsThatASchemaMayCall() throws {
        let article = Repository.url("Sources/ManagedStore/ManagedStore.docc/FileFormat.md")
        let lines = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
        let rows = lines.drop { $0 != "| | functions that a schema may call |" }.prefix { $0.hasPrefix("|") }
        let listed = rows.flatMap { $0.matches(of: /`(\w+)`/).map { $0.output.1.lowercased() } }
        let known = SchemaCode.harmlessFunctions.union(SchemaCode.harmlessFunctionsOfOneArgument)
        #expect(listed.sorted() == known.sorted())
    }

    @Test(arguments: ["ZITEM", "Z_PRIMARYKEY", "Z_METADATA"])
    func aViewInThePlaceOfATableIsRefused(_ table: String) throws {
        let columns = [
            "ZITEM": "1 Z_PK, 1 Z_ENT, 1 Z_OPT, 1 ZDONE, 1 ZCREATEDAT, 1 ZNAME",
            "Z_PRIMARYKEY": "1 Z_ENT, 'Item' Z_NAME, 0 Z_SUPER, 1 Z_MAX",
            "Z_METADATA": "1 Z_VERSION, 'x' Z_UUID, x'' Z_PLIST",
        ]
        let error = try outcome(
            """
            DROP TABLE \(table); CREATE VIEW \(table) AS SELECT \(columns[table] ?? "") FROM (\(Self.endless));
            CREATE TRIGGER evil INSTEAD OF UPDATE ON \(table) BEGIN SELECT 1; END
            """)
        #expect(error?.code == .incompatibleStore)
    }

    @Test func twentyThousandEntitiesOpenAndMoreAreRefused() throws {
        let rows = { (count: Int) in
            """
            WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < \(count + 99)) \
            INSERT INTO Z_PRIMARYKEY SELECT i, 'E' || i, i - 1, 0 FROM n
            """
        }
        #expect(try outcome(rows(20_000)) == nil)
        #expect(try outcome(rows(200_000))?.code == .incompatibleStore)
    }
}
