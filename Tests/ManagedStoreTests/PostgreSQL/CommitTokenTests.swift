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

    @Test func theOutcomeIsKnownOnceItIsThere() throws {
        let url = try TestSchema.make()
        _ = try PersistentStoreCoordinator.ofItems(at: url)
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

    /// A connection forgets its prepared statements when they are many; it must not forget them by half.
    @Test(arguments: 94...101) func aConnectionWithManyStatementsGoesOnSaving(_ count: Int) throws {
        let url = try TestSchema.make()
        _ = try PersistentStoreCoordinator.ofItems(at: url)
        let (connection, other) = try connections(url)
        for number in 0..<count { _ = try connection.query("SELECT \(number)") }
        for _ in 0..<3 {
            let (_, doubtful) = try connection.transaction(.readCommitted) { () throws(StoreError) in
                try connection.query("SELECT 'save'").count
            }
            #expect(doubtful == nil)
            #expect(try connection.token?.isCommitted(other) == true)
        }
    }

    @Test func aStoreThatIsRemovedLeavesNoTokens() throws {
        let url = try TestSchema.make()
        let context = try PersistentStoreCoordinator.ofItems(at: url).confinedContext()
        Item("first", in: context)
        try context.save()
        let (connection, _) = try connections(url)
        let count = { try connection.query("SELECT count(*) FROM \"Z_COMMIT\"")[0].int64(0) }
        #expect(try count() == 1)
        try context.persistentStoreCoordinator.removePersistentStore()
        #expect(try count() == 0)
        // A process that is killed leaves its own behind.
        try connection.execute("INSERT INTO \"Z_COMMIT\" VALUES ('killed', 1, now() - interval '25 hours')")
        _ = try PersistentStoreCoordinator.ofItems(at: url)
        #expect(try count() == 0)
    }
}
