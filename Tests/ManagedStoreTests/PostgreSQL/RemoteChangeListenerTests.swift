import Foundation
import Locking
import TestSupport
import Testing

@testable import ManagedStore

/// Saves of other processes are merged when they happen, if a store asks for that.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct RemoteChangeListenerTests {
    private func open(_ url: URL) throws -> PersistentStoreCoordinator {
        try .ofItems(at: url, PostgreSQLStoreOptions(postsRemoteChanges: true))
    }

    private func context(_ coordinator: PersistentStoreCoordinator) -> ManagedObjectContext {
        ManagedObjectContext(concurrencyType: .privateQueue, coordinator: coordinator)
    }

    /// Returns a function for the names in a list of all items, which follows the context.
    private func names(_ context: ManagedObjectContext) async throws -> @Sendable () -> [String] {
        let request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
        nonisolated(unsafe) let list = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
        // A list follows its context as long as changes are waited for.
        let changes = try await context.perform {
            try list.performFetch()
            return list.changes
        }
        return { withExtendedLifetime(changes) { list.fetchedObjects?.map(\.name) ?? [] } }
    }

    /// Waits until a condition on the context's queue holds.
    private func wait(
        _ context: ManagedObjectContext, for condition: @escaping @Sendable () throws -> Bool
    ) async throws {
        while try await !context.perform(condition) { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test(.timeLimit(.minutes(5))) func aContextMergesWhatOthersSave() async throws {
        let url = try TestSchema.make()
        let (mine, other) = (context(try open(url)), context(try open(url)))
        mine.automaticallyMergesChangesFromParent = true
        let names = try await names(mine)
        try await other.perform {
            for number in 0..<3 { Item("Item \(number)", at: Double(number), in: other) }
            try other.save()
        }
        try await wait(mine) { names() == ["Item 0", "Item 1", "Item 2"] }
        try await other.perform {
            let items = try other.items()
            items[0].name = "changed"
            other.delete(items[2])
            try other.save()
        }
        try await wait(mine) { names() == ["changed", "Item 1"] }
    }

    /// Two contexts of a store with an item, of which the first merges what the other saves, and a function for the
    /// names in its list.
    private func contextsWithAnItem() async throws -> (
        url: URL, mine: ManagedObjectContext, other: ManagedObjectContext, names: @Sendable () -> [String]
    ) {
        let url = try TestSchema.make()
        let (mine, other) = (context(try open(url)), context(try open(url)))
        try await other.perform {
            Item("first", in: other)
            try other.save()
        }
        mine.automaticallyMergesChangesFromParent = true
        return (url, mine, other, try await names(mine))
    }

    /// A batch request does not name what it changed.
    @Test(.timeLimit(.minutes(5))) func aContextMergesWhatBatchRequestsChange() async throws {
        let (_, mine, other, names) = try await contextsWithAnItem()
        try await other.perform {
            _ = try other.execute(BatchUpdateRequest(Item.self, set: ["name": "changed"]))
        }
        try await wait(mine) { names() == ["changed"] }
    }

    /// What was saved while nothing could be heard is asked for afterwards.
    @Test(.timeLimit(.minutes(5))) func anInterruptedConnectionLosesNothing() async throws {
        let (url, mine, other, names) = try await contextsWithAnItem()
        let identifier = try #require(mine.persistentStoreCoordinator.storeIdentifier)
        let connection = try PostgreSQLConnection(url)
        let ended = try connection.query(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
            WHERE query = 'LISTEN "\(RemoteChangeListener.channel(identifier))"'
            """)
        #expect(ended.count == 2)
        try await other.perform {
            try other.items()[0].name = "changed"
            try other.save()
        }
        try await wait(mine) { names() == ["changed"] }
    }

    @Test(.timeLimit(.minutes(5))) func aRemovedStoreIsNotHeardOf() async throws {
        let url = try TestSchema.make()
        let (coordinator, witness, other) = (try open(url), try open(url), context(try open(url)))
        let (heard, seen) = (Locked(0), Locked(0))
        let observers = [(coordinator, heard), (witness, seen)].map { coordinator, count in
            NotificationObservation(of: PersistentStoreCoordinator.remoteChangeNotification, from: coordinator) { _ in
                count.withLock { $0 += 1 }
            }
        }
        try coordinator.removePersistentStore()
        try await other.perform {
            Item("first", in: other)
            try other.save()
        }
        while seen.value == 0 { try await Task.sleep(for: .milliseconds(5)) }
        withExtendedLifetime(observers) { #expect(heard.value == 0) }
    }

    @Test func anEngineWithoutMessagesIsNamed() throws {
        let url = try TestSchema.make(version: "CockroachDB CCL v24.3.1")
        let error = expectError(.invalidRequest) { try open(url) }
        #expect(error?.message.contains("CockroachDB") == true && error?.message.contains("mergeRemoteChanges") == true)
    }
}
