import Foundation
import Locking
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

    @Test func responseTimeout() throws {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        try coordinator.addPersistentStore(.inMemory)
        let context = ManagedObjectContext(concurrencyType: .confinement, coordinator: coordinator)
        var request = BatchUpdateRequest(Item.self, set: ["name": "changed"])
        request.resultType = .updatedObjectsCount
        // snippet.PostgreSQL.responseTimeout
        let result = try PersistentStoreCoordinator.withResponseTimeout(milliseconds: 600_000) {
            try context.execute(request)
        }
        // snippet.end
        guard case .updatedObjectsCount(0) = result else {
            Issue.record("\(result)")
            return
        }
    }

    @Test func remoteChange() throws {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        let printed = Locked<[String]>([])
        @Sendable func print(_ count: Int, _ words: String) { printed.withLock { $0.append("\(count) \(words)") } }
        // snippet.PostgreSQL.remoteChange
        let observer = NotificationCenter.default.addObserver(
            forName: PersistentStoreCoordinator.remoteChangeNotification, object: coordinator, queue: nil
        ) { notification in
            guard let change = PersistentStoreRemoteChange(notification) else { return }
            print(change.changes?.inserted.count ?? 0, "new objects")
        }
        // snippet.end
        defer { NotificationCenter.default.removeObserver(observer) }
        NotificationCenter.default.post(
            name: PersistentStoreCoordinator.remoteChangeNotification, object: coordinator)
        #expect(printed.value.isEmpty)
    }
}
