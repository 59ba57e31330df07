import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// What a store that is added keeps to itself: its file, its options, and what it does not offer.
@Suite struct NotebookStoreTests {
    private func coordinator(_ model: ManagedObjectModel? = nil) throws -> PersistentStoreCoordinator {
        PersistentStoreCoordinator(managedObjectModel: try model ?? ManagedObjectModel(Item.self, Everything.self))
    }

    @Test func whatWasSavedIsThereWhenItIsOpenedAgain() throws {
        let directory = try TemporaryDirectory()
        var random = RandomRows(seed: 3)
        let first = try coordinator()
        try first.addPersistentStore(
            .notebook, at: directory.file("notebook"), options: NotebookOptions(format: .xml))
        let context = ManagedObjectContext(coordinator: first)
        for _ in 0..<20 { try random.fill(Everything(context: context)) }
        first.metadata = ["pages": .integer64(20)]
        try context.save()
        let second = try coordinator()
        try second.addPersistentStore(.notebook, at: directory.file("notebook"))
        #expect(second.storeIdentifier == first.storeIdentifier && second.metadata == first.metadata)
        let again = ManagedObjectContext(coordinator: second)
        for object in try context.fetch(FetchRequest(Everything.self)) {
            let other = try again.existingObject(
                with: try #require(
                    second.managedObjectID(forURIRepresentation: object.objectID.uriRepresentation())))
            for attribute in object.entity.attributes {
                #expect(
                    try object.storedValue(forKey: attribute.name) == other.storedValue(forKey: attribute.name),
                    "\(attribute.name)")
            }
        }
        #expect(try again.count(for: FetchRequest(Everything.self)) == 20)
    }

    @Test func whatItDoesNotOfferIsRefused() throws {
        let directory = try TemporaryDirectory()
        var error = expectError(.unsupportedRequest) {
            try coordinator(Library.model()).addPersistentStore(.notebook, at: directory.file("library"))
        }
        #expect(error?.message == "a Notebook store does not support relationships, such as Atlas.author")
        error = expectError(.unsupportedRequest) {
            try coordinator(Member.model()).addPersistentStore(.notebook, at: directory.file("members"))
        }
        #expect(error?.message.hasPrefix("a Notebook store does not support uniqueness constraints") == true)
        #expect(try directory.names().isEmpty)
        let (context, _) = try TestStore(.notebook).contextWithItems(3)
        expectError(.unsupportedRequest) { try context.execute(BatchUpdateRequest(Item.self, set: ["done": true])) }
    }

    @Test func whatIsNoNotebookIsRefused() throws {
        let directory = try TemporaryDirectory()
        try Data("text".utf8).write(to: directory.file("text"))
        expectError(.incompatibleStore) {
            try coordinator().addPersistentStore(.notebook, at: directory.file("text"))
        }
        expectError(.invalidRequest) {
            try coordinator().addPersistentStore(
                .notebook, at: directory.file("new"), options: SQLiteStoreOptions())
        }
    }

    @Test func aCountThatItDoesNotKeepIsMissing() throws {
        #expect(try TestStore(.notebook).coordinator.statistics == StoreStatistics(rows: 0, conflicts: 0))
    }
}
