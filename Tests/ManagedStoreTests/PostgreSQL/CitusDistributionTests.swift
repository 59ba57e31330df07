import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// What a store asks of Citus, told by functions of the same names. Citus itself is not tested.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct CitusDistributionTests {
    private let url: URL
    private let connection: PostgreSQLConnection

    init() throws {
        url = try TestSchema.make()
        connection = try PostgreSQLConnection(url)
        try connection.execute(
            """
            CREATE FUNCTION citus_version() RETURNS text LANGUAGE sql IMMUTABLE AS $$SELECT '14'$$; \
            CREATE TABLE spread (name text, place text); \
            CREATE FUNCTION create_distributed_table(relation regclass, place text) RETURNS void LANGUAGE sql AS \
            $$INSERT INTO spread VALUES (relation::text, place)$$
            """)
    }

    private func open(_ model: ManagedObjectModel) throws {
        try PersistentStoreCoordinator(managedObjectModel: model).addPersistentStore(.postgreSQL, at: url)
    }

    /// The tables that were spread since the last call, and the columns by which they were.
    private func spread() throws -> [String] {
        let found = try connection.query("DELETE FROM spread RETURNING name || ' ' || place")
        return (0..<found.count).map { found[$0].string(0) }.sorted()
    }

    @Test func rowsLieByTheirKeysAndPairsByThatOfTheirFirstEnd() throws {
        try open(Library.model())
        let entities = ["AUTHOR", "BOOK", "CHAPTER", "COVER", "TAG"].map { "\"Z\($0)\" Z_PK" }
        let found = try spread()
        #expect(found.filter { $0.hasSuffix(" Z_PK") } == entities)
        #expect(found.count { $0.hasPrefix("\"Z_") && !$0.hasSuffix(" Z_PK") } == 2 && found.count == 7)
        try open(Library.model())
        #expect(try spread().isEmpty)
    }

    /// Citus checks uniqueness within a node only.
    @Test func whatIsUniqueStaysInOnePlace() throws {
        let item = EntityDescription(
            name: "Item", attributes: [VersionedFile.name], uniquenessConstraints: [["name"]])
        try open(ManagedObjectModel(entities: [item, VersionedFile.entity("Note")]))
        #expect(try spread() == ["\"ZNOTE\" Z_PK"])
    }

    @Test func aMigrationSpreadsWhatIsNew() throws {
        try open(ManagedObjectModel(entities: [VersionedFile.entity("Item")]))
        _ = try spread()
        try open(ManagedObjectModel(entities: [VersionedFile.entity("Item"), VersionedFile.entity("Note")]))
        #expect(try spread() == ["\"ZNOTE\" Z_PK"])
    }
}
