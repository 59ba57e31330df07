import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Connections that break at the worst moment.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct LostConnectionTests {
    private let store: TestStore
    private let proxy: ServerProxy
    private let coordinator: PersistentStoreCoordinator

    init() throws {
        store = try TestStore(.postgreSQL)
        let server = try #require(PostgreSQLServer.current)
        proxy = try ServerProxy(server)
        coordinator = PersistentStoreCoordinator(
            managedObjectModel: try ManagedObjectModel(Item.self, Everything.self))
        var parts = try #require(URLComponents(url: store.url, resolvingAgainstBaseURL: false))
        let query = try #require(parts.percentEncodedQuery)
        parts.percentEncodedQuery = query.replacing(server.socketFolder, with: proxy.folder.path)
        try coordinator.addPersistentStore(.postgreSQL, at: parts.url)
    }

    private func context() -> ManagedObjectContext {
        ManagedObjectContext(concurrencyType: .confinement, coordinator: coordinator)
    }

    @Test func aSaveWhoseAnswerIsLostIsKnownToHaveBeenMade() throws {
        let context = context()
        let item = Item("first", in: context)
        try context.save()
        proxy.cut(at: .commitAnswered)
        item.name = "second"
        Item("new", at: 1, in: context)
        try context.save()
        #expect(!proxy.isWaiting && !context.hasChanges)
        #expect(try store.context().items().map(\.name) == ["second", "new"])
        item.name = "third"
        try context.save()
        #expect(try store.context().items().map(\.name) == ["third", "new"])
    }

    /// Each costs the time of a message to the server and back.
    @Test func aSmallSaveWaitsForTwoAnswers() throws {
        let context = context()
        let item = Item("first", in: context)
        for name in ["second", "third"] {
            try context.save()
            item.name = name
        }
        proxy.answers.exchange(0)
        try context.save()
        #expect(proxy.answers.value == 2)
        #expect(try store.context().items().map(\.name) == ["third"])
    }

    @Test func aSaveThatTheServerDidNotHearOfFailsAndCanBeRepeated() throws {
        let context = context()
        Item("first", in: context)
        proxy.cut(at: .commitSent)
        let error = expectError(.storeFailure) { try context.save() }
        #expect(error?.message.contains("nothing was saved") == true, "\(error.map { "\($0)" } ?? "")")
        #expect(try store.context().items().isEmpty && context.hasChanges)
        try context.save()
        #expect(try store.context().items().map(\.name) == ["first"])
    }
}
