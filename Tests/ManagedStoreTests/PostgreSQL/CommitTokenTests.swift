import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// A row that a transaction writes tells whether it was committed.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct CommitTokenTests {
    private func connections(_ url: URL) throws -> (one: PostgreSQLConnection, other: PostgreSQLConnection) {
        let address = try #require(ServerAddress(url))
        let options = PostgreSQLStoreOptions(busyTimeoutMilliseconds: 20)
        return (try PostgreSQLConnection(address, options), try PostgreSQLConnection(address, options))
    }

    private func open(_ url: URL?) throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(
            managedObjectModel: try ManagedObjectModel(Item.self, Everything.self))
        try coordinator.addPersistentStore(.postgreSQL, at: url)
        return ManagedObjectContext(concurrencyType: .confinement, coordinator: coordinator)
    }

    @Test func theOutcomeIsKnownOnceItIsThere() throws {
        let url = try TestSchema.make()
        _ = try open(url)
        let (one, other) = try connections(url)
        for ending in ["ROLLBACK", "COMMIT", "ROLLBACK", "COMMIT"] {
            one.pendingTransaction = .readCommitted
            _ = try one.query("SELECT 1")
            let token = try #require(one.token)
            // Asking waits for the end of the transaction.
            #expect(expectError(.busy) { try token.isCommitted(other) }?.sqlState == "55P03")
            try one.execute(ending)
            #expect(try token.isCommitted(other) == (ending == "COMMIT"))
        }
    }

    @Test func aStoreThatIsRemovedLeavesNoTokens() throws {
        let url = try TestSchema.make()
        let context = try open(url)
        Item("first", in: context)
        try context.save()
        let (connection, _) = try connections(url)
        try connection.execute("INSERT INTO \"Z_COMMIT\" VALUES ('killed', 1, now() - interval '25 hours')")
        let count = { try connection.query("SELECT count(*) FROM \"Z_COMMIT\"")[0].int64(0) }
        #expect(try count() == 2)
        try context.persistentStoreCoordinator.removePersistentStore()
        #expect(try count() == 0)
    }
}
