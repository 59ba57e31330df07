import Foundation
import Locking
import TestSupport
import Testing

@testable import ManagedStore

/// Stores whose rows lie on three servers: the tables on the tests' server are divided by the hashes of their keys, and
/// `postgres_fdw` reads and writes the parts. It commits on one server after the other, and has no uniqueness across
/// them.
enum SpreadTables {
    private static let servers = Result {
        let servers = try (0..<3).map { _ in try PostgreSQLServer(settings: ["max_connections=500"]) }
        try TestSchema.withConnection { connection in
            try connection.execute("CREATE EXTENSION IF NOT EXISTS postgres_fdw SCHEMA public")
            for (number, server) in servers.enumerated() {
                try connection.execute(
                    """
                    CREATE SERVER part\(number) FOREIGN DATA WRAPPER postgres_fdw \
                    OPTIONS (host '\(server.socketFolder)', dbname 'postgres', fetch_size '1000', batch_size '100'); \
                    CREATE USER MAPPING FOR postgres SERVER part\(number) OPTIONS (user 'postgres')
                    """)
            }
        }
        return servers
    }

    /// Makes a store of a model, and returns its URL.
    static func make(_ model: ManagedObjectModel) throws -> URL {
        let (servers, schema) = (try servers.get(), try TestSchema.makeSchema())
        let server = try #require(PostgreSQLServer.current)
        try makeStore(model, server, schema)
        for server in servers {
            try PostgreSQLConnection(server.url()).execute("CREATE SCHEMA \(schema)")
            try makeStore(model, server, schema)
        }
        try TestSchema.withConnection { try spread(schema, servers.count, $0) }
        return server.url(schema: schema)
    }

    private static func makeStore(_ model: ManagedObjectModel, _ server: PostgreSQLServer, _ schema: String) throws {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(.postgreSQL, at: server.url(schema: schema))
        try coordinator.removePersistentStore()
    }

    /// Puts tables in parts in the place of those that have rows of objects.
    private static func spread(_ schema: String, _ parts: Int, _ connection: PostgreSQLConnection) throws {
        let tables = try connection.query(
            """
            SELECT c.relname::text, a.attname::text FROM pg_class c \
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = 1 WHERE c.relkind = 'r' \
            AND c.relnamespace = '\(schema)'::regnamespace \
            AND c.relname NOT IN ('Z_METADATA', 'Z_PRIMARYKEY', 'Z_COMMIT')
            """)
        for row in 0..<tables.count {
            let (name, key) = (tables[row].string(0), tables[row].string(1))
            let partitions = (0..<parts).map { part in
                """
                CREATE FOREIGN TABLE \(schema)."part\(part) \(name)" PARTITION OF \(schema)."\(name)" \
                FOR VALUES WITH (MODULUS \(parts), REMAINDER \(part)) SERVER part\(part) \
                OPTIONS (schema_name '\(schema)', table_name '\(name)')
                """
            }
            try connection.execute(
                """
                ALTER TABLE \(schema)."\(name)" RENAME TO "whole"; \
                CREATE TABLE \(schema)."\(name)" (LIKE \(schema)."whole") PARTITION BY HASH ("\(key)"); \
                DROP TABLE \(schema)."whole"; \(partitions.joined(separator: "; "))
                """)
        }
    }
}
