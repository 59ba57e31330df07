import CSQLite
import Foundation
import Testing

@testable import ManagedStore

/// A store that opens looks at its file twice, and reads the schema again only if another one changed it in between.
@Suite struct KnownSchemaTests {
    private static func read(_ file: VersionedFile, known: FileSchema? = nil) throws -> (FileSchema, statements: Int) {
        let model = try ManagedObjectModel(entities: [VersionedFile.entity("Item")])
        let connection = try Connection(
            path: file.url.path(percentEncoded: false), flags: SQLITE_OPEN_READWRITE, options: SQLiteStoreOptions())
        let schema = try FileSchema.read(connection, model, known: known)
        return (schema, connection.takeCounts().statements)
    }

    @Test func theSchemaThatIsStillThereIsNotReadAnew() throws {
        let file = try VersionedFile.withItems()
        let (schema, statements) = try Self.read(file)
        let (again, fewer) = try Self.read(file, known: schema)
        #expect(again.tables.keys == schema.tables.keys)
        #expect(fewer == 3 && fewer < statements)
    }

    @Test(arguments: [
        "ALTER TABLE ZITEM ADD COLUMN ZNOTE VARCHAR", "CREATE TRIGGER t AFTER DELETE ON ZITEM BEGIN SELECT 1; END",
        "INSERT INTO Z_PRIMARYKEY VALUES (7, 'Album', 0, 0)", "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Thing'",
        "UPDATE Z_PRIMARYKEY SET Z_SUPER = 3", "UPDATE Z_METADATA SET Z_PLIST = x'00'",
    ])
    func anyChangeOfTheSchemaIsSeen(_ change: String) throws {
        let file = try VersionedFile.withItems()
        let (schema, statements) = try Self.read(file)
        try file.database().execute(change)
        let (_, again) = try Self.read(file, known: schema)
        #expect(again > statements, "\(change)")
    }

    @Test func aNewObjectChangesNoSchema() throws {
        let file = try VersionedFile.withItems()
        let (schema, _) = try Self.read(file)
        let context = try file.open(VersionedFile.entity("Item"))
        try context.insert("Item", "c")
        try context.save()
        #expect(try Self.read(file, known: schema).statements == 3)
    }
}
