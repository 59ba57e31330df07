import Foundation
import ManagedStore
import TestSupport
import Testing

/// The snippets at the declarations of contexts and coordinators.
@Suite struct ContextSnippets {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Stands in for the initialiser: the file lies in the test's folder.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    private func URL(filePath: String) -> Foundation.URL { directory.file(filePath) }

    @Test func managedObjectModel() throws {
        // snippet.ManagedObjectModel
        let model = try ManagedObjectModel(Item.self)
        // snippet.end
        #expect(model.entities.count == 1)
    }

    @Test func persistentStoreCoordinator() throws {
        // snippet.PersistentStoreCoordinator
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        try coordinator.addPersistentStore(.sqlite, at: URL(filePath: "items.sqlite"))
        let context = ManagedObjectContext(concurrencyType: .mainQueue, coordinator: coordinator)
        // snippet.end
        #expect(context.persistentStoreCoordinator === coordinator)
        try coordinator.removePersistentStore()
    }

    @Test func managedObjectContext() async throws {
        let coordinator = try SnippetStore().coordinator
        // snippet.ManagedObjectContext
        let context = ManagedObjectContext(concurrencyType: .privateQueue, coordinator: coordinator)
        try await context.perform {
            let item = Item(context: context)
            item.name = "Buy milk"
            try context.save()
        }
        // snippet.end
        #expect(try await context.perform { try context.count(for: FetchRequest(Item.self)) } == 1)
    }

    @Test func mergePolicy() throws {
        let store = try SnippetStore(items: 1)
        let (context, other) = (store.context(), store.context())
        let (item, theirs) = (try context.items()[0], try other.items()[0])
        theirs.name = "theirs"
        try other.save()
        item.name = "ours"
        // snippet.MergePolicy
        context.mergePolicy = .mergeByPropertyObjectTrump
        try context.save()
        // snippet.end
        #expect(item.name == "ours" && !context.hasChanges)
    }

    @Test func undoManager() throws {
        let context = try SnippetStore(items: 1).context()
        let item = try context.items()[0]
        // snippet.UndoManager
        context.undoManager = UndoManager()
        item.done = true
        context.undo()  // not done
        context.redo()  // done
        // snippet.end
        #expect(item.done)
    }

    @Test func objectIDChanges() throws {
        let context = try SnippetStore(items: 1).context()
        let item = try context.items()[0]
        #expect(item.name == "Item 0")
        var request = BatchUpdateRequest(Item.self, set: ["name": "new"])
        request.resultType = .updatedObjectIDs
        try merge(request, context)
        #expect(item.name == "new")
    }

    private func merge(_ request: BatchUpdateRequest, _ context: ManagedObjectContext) throws {
        // snippet.ObjectIDChanges
        let result = try context.execute(request)  // a batch update with `.updatedObjectIDs`
        guard case .updatedObjectIDs(let ids) = result else { return }
        try ManagedObjectContext.mergeChanges(ObjectIDChanges(updated: ObjectIDSet(ids)), into: [context])
        // snippet.end
    }
}
