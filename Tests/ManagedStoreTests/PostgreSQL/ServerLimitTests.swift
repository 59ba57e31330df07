import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Limits of a server that a save meets: one error names the place and the remedy, and nothing is lost.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct ServerLimitTests {
    private let url: URL
    private let schema: String
    private let server: PostgreSQLServer
    private let admin: PostgreSQLConnection

    init() throws {
        server = try #require(PostgreSQLServer.current)
        url = try TestSchema.make()
        admin = try PostgreSQLConnection(url)
        schema = try admin.query("SELECT current_schema()")[0].string(0)
    }

    /// Makes a user with the same name as the schema, who may do everything in it; returns the URL of the store for it.
    private func makeUser(_ limits: String = "") throws -> URL {
        try admin.execute("CREATE ROLE \(schema) LOGIN \(limits); GRANT ALL ON SCHEMA \(schema) TO \(schema)")
        return server.url(schema: schema, user: schema)
    }

    @Test func aConnectionTooManyIsNamed() throws {
        let url = try makeUser("CONNECTION LIMIT 1")
        let coordinator = try PersistentStoreCoordinator.ofItems(at: url)
        let context = coordinator.confinedContext()
        Item("first", in: context)
        let error = try coordinator.pool.use { _ throws(StoreError) in expectError(.busy) { try context.save() } }
        let message = try #require(error?.message)
        #expect(error?.sqlState == "53300" && message.hasPrefix("postgresql:///postgres: "), "\(message)")
        #expect(message.contains("too many connections for role") && message.contains("lower connectionLimit"))
        #expect(context.hasChanges)
        try context.save()
        #expect(try coordinator.confinedContext().items().map(\.name) == ["first"])
        expectError(.busy) { try PersistentStoreCoordinator.ofItems(at: url) }
    }

    @Test func aSaveThatTakesLongerThanTheServerAllowsFailsAndCanBeRepeated() throws {
        let coordinator = try PersistentStoreCoordinator.ofItems(at: url)
        let context = coordinator.confinedContext()
        let item = Item("first", in: context)
        try context.save()
        item.name = "second"
        let pool = try coordinator.pool
        try admin.execute("BEGIN; LOCK TABLE \"ZITEM\" IN SHARE MODE")
        try pool.use { connection throws(StoreError) in try connection.execute("SET statement_timeout = 50") }
        let error = expectError(.busy) { try context.save() }
        #expect(error?.sqlState == "57014" && error?.message.contains("raise its statement_timeout") == true)
        #expect(error?.message.hasPrefix("postgresql:///postgres: ") == true)
        try admin.execute("ROLLBACK")
        try pool.use { connection throws(StoreError) in try connection.execute("SET statement_timeout = 0") }
        #expect(try coordinator.confinedContext().items().map(\.name) == ["first"] && context.hasChanges)
        try context.save()
        #expect(try coordinator.confinedContext().items().map(\.name) == ["second"])
    }

    /// The network takes its time with the commit.
    @Test func aTransactionThatTheServerEndsForItsIdlenessFailsAndCanBeRepeated() throws {
        let proxy = try ServerProxy(server)
        let coordinator = try PersistentStoreCoordinator.ofItems(
            at: server.url(schema: schema, host: proxy.folder.path))
        let context = coordinator.confinedContext()
        let item = Item("first", in: context)
        try context.save()
        let session = try coordinator.pool.use { connection throws(StoreError) in
            try connection.execute("SET idle_in_transaction_session_timeout = 20")
            return try connection.query("SELECT pg_backend_pid()")[0].int64(0)
        }
        item.name = "second"
        proxy.hold(at: .commitSent) { [admin] in
            let sql = "SELECT 1 FROM pg_stat_activity WHERE pid = \(session)"
            while let found = try? admin.query(sql), found.count > 0 { usleep(1_000) }
        }
        let error = expectError(.storeFailure) { try context.save() }
        let message = try #require(error?.message)
        #expect(message.contains("idle-in-transaction timeout") && message.contains("nothing was saved"), "\(message)")
        #expect(message.contains("postgresql:///postgres") && message.contains("try again"))
        #expect(try coordinator.confinedContext().items().map(\.name) == ["first"] && context.hasChanges)
        try context.save()
        #expect(try coordinator.confinedContext().items().map(\.name) == ["second"])
    }

    @Test func aMissingRightIsNamed() throws {
        let url = try makeUser()
        _ = try PersistentStoreCoordinator.ofItems(at: self.url)
        try admin.execute("GRANT ALL ON \"Z_METADATA\", \"Z_PRIMARYKEY\", \"Z_COMMIT\" TO \(schema)")
        try admin.execute("GRANT SELECT ON \"ZITEM\" TO \(schema)")
        let coordinator = try PersistentStoreCoordinator.ofItems(at: url)
        let context = coordinator.confinedContext()
        Item("first", in: context)
        let error = expectError(.storeFailure) { try context.save() }
        #expect(error?.sqlState == "42501" && error?.message.contains("table ZITEM") == true)
        #expect(error?.message.contains("grant the user") == true)
        try admin.execute("GRANT ALL ON \"ZITEM\" TO \(schema)")
        try context.save()
        #expect(try coordinator.confinedContext().items().map(\.name) == ["first"])
    }
}
