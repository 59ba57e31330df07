import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// A client that was stopped while it created or migrated a store, and keeps the lock.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct OpeningLockTests {
    private let url: URL
    private let holder: PostgreSQLConnection
    private let session: Int64

    init() throws {
        url = try TestSchema.make()
        holder = try PostgreSQLConnection(try #require(URL(string: "\(url.absoluteString)&application_name=frozen")))
        session = try holder.query("SELECT pg_backend_pid()")[0].int64(0)
    }

    private func takeLock() throws {
        try holder.execute("BEGIN")
        try OpeningLock(connection: holder).take()
    }

    private func open(
        _ entity: EntityDescription, _ options: PostgreSQLStoreOptions? = nil
    ) throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: [entity]))
        try coordinator.addPersistentStore(.postgreSQL, at: url, options: options)
        return coordinator.confinedContext()
    }

    /// Opens a store that is not there, or not whole, and expects the error to name who has the lock.
    private func expectHolder(_ entity: EntityDescription, _ options: PostgreSQLStoreOptions? = nil) throws {
        let error = PersistentStoreCoordinator.withResponseTimeout(milliseconds: 3_000) {
            expectError(.busy) { try open(entity, options) }
        }
        let message = try #require(error?.message)
        #expect(message.contains("the session \(session) (frozen, from a socket of the server, since 2"), "\(message)")
        #expect(
            message.contains("SELECT pg_terminate_backend(\(session))") && message.contains("3000 ms"), "\(message)")
    }

    @Test func aWholeStoreIsOpened() throws {
        let context = try open(VersionedFile.entity("Item"))
        try context.insert("Item", "a")
        try context.save()
        try takeLock()
        #expect(try open(VersionedFile.entity("Item")).only("Item", "name", "a").string("name") == "a")
    }

    @Test func aStoreThatMustBeCreatedIsRefusedInTimeAndTheClientIsNamed() throws {
        try takeLock()
        try expectHolder(VersionedFile.entity("Item"))
        try holder.execute("ROLLBACK")
        _ = try open(VersionedFile.entity("Item"))
    }

    @Test func aStoreThatMustBeMigratedIsRefusedInTimeAndTheClientIsNamed() throws {
        _ = try open(VersionedFile.entity("Item"))
        try takeLock()
        let newer = VersionedFile.entity("Item", AttributeDescription("note", .string, isOptional: true))
        try expectHolder(newer)
        let indexed = EntityDescription(
            name: "Item", attributes: [VersionedFile.name], uniquenessConstraints: [["name"]])
        try expectHolder(indexed)
        try holder.execute("ROLLBACK")
        _ = try open(newer)
    }

    /// Its migration has got as far as a table that must be read.
    @Test func aClientThatLocksTheTablesIsNamed() throws {
        let entity = EntityDescription(
            name: "Item", attributes: [AttributeDescription("name", .string)], uniquenessConstraints: [["name"]])
        _ = try open(entity)
        try takeLock()
        try holder.execute("LOCK TABLE \"ZITEM\"")
        try expectHolder(entity, PostgreSQLStoreOptions(busyTimeoutMilliseconds: 50))
        try holder.execute("ROLLBACK")
        _ = try open(entity)
    }

    /// As long as that does not take too long.
    @Test func aClientThatCreatesTheStoreIsAwaited() throws {
        try takeLock()
        Thread.detachNewThread { [holder] in
            usleep(300_000)
            try? holder.execute("ROLLBACK")
        }
        _ = try open(VersionedFile.entity("Item"))
    }
}
