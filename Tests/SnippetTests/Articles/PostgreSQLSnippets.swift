import Foundation
import ManagedStore
import TestSupport
import Testing

/// PostgreSQL.md.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLSnippets {
    @Test func opening() throws {
        let url = try #require(PostgreSQLServer.current).url()
        // snippet.PostgreSQL.opening
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        try coordinator.addPersistentStore(.postgreSQL, at: url)
        // snippet.end
        #expect(try ManagedObjectContext(coordinator: coordinator).count(for: FetchRequest(Item.self)) == 0)
    }
}
