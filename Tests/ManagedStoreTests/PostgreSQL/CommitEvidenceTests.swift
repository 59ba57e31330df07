import Foundation
import Locking
import TestSupport
import Testing

@testable import ManagedStore

/// What tells whether a transaction was committed: the server's number of it, or a row where the server knows none.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct CommitEvidenceTests {
    /// Engines that know numbers, and those that do not.
    private static let versions: [String?] = [nil, "Strict 1.0"]

    private func connections(_ version: String?) throws -> (one: PostgreSQLConnection, other: PostgreSQLConnection) {
        let url = try TestSchema.make(version: version)
        _ = try open(url)
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

    @Test(arguments: versions) func theOutcomeIsKnownOnceItIsThere(_ version: String?) throws {
        let (one, other) = try connections(version)
        for ending in ["ROLLBACK", "COMMIT", "ROLLBACK", "COMMIT"] {
            one.pendingTransaction = .readCommitted
            _ = try one.query("SELECT 1")
            let evidence = try #require(one.evidence)
            // Some engines wait for the end, and the question fails.
            #expect((try? evidence.outcome(other)) == nil)
            try one.execute(ending)
            #expect(try evidence.outcome(other) == (ending == "COMMIT" ? .committed : .aborted))
        }
    }

    @Test(arguments: versions, [CuttingProxy.Cut.before, .after])
    func aSaveWhoseAnswerIsLostIsKnownToBeMadeOrNot(_ version: String?, _ cut: CuttingProxy.Cut) throws {
        let (url, server) = (try TestSchema.make(version: version), try #require(PostgreSQLServer.current))
        let proxy = try CuttingProxy(server)
        let context = try open(
            URL(string: url.absoluteString.replacing(server.socketFolder, with: proxy.folder.path)))
        Item("first", in: context)
        try context.save()
        Item("second", in: context)
        proxy.next.exchange(cut)
        if cut == .after {
            try context.save()
        } else {
            expectError(.storeFailure) { try context.save() }
        }
        #expect(try open(url).items().count == (cut == .after ? 2 : 1))
    }
}
