import Foundation
import ManagedStore
import Testing

/// ContextsAndQueues.md.
@Suite struct ContextsAndQueuesSnippets {
    @Test func twoContexts() async throws {
        let coordinator = try SnippetStore().coordinator
        // snippet.ContextsAndQueues.two
        let main = ManagedObjectContext(concurrencyType: .mainQueue, coordinator: coordinator)
        let background = ManagedObjectContext(concurrencyType: .privateQueue, coordinator: coordinator)

        let id = try await background.perform {
            let item = Item(context: background)
            item.name = "Buy milk"
            try background.save()
            return item.objectID  // an ID may leave the queue, its object may not
        }
        let name = try await main.perform {
            let item = try main.existingObject(with: id) as? Item
            return item?.name
        }
        // snippet.end
        #expect(name == "Buy milk")
    }

    @Test func confinement() throws {
        let coordinator = try SnippetStore().coordinator
        // snippet.ContextsAndQueues.confinement
        let context = ManagedObjectContext(coordinator: coordinator)
        let item = Item(context: context)
        item.name = "Buy milk"
        try context.save()
        // snippet.end
        #expect(try context.items() == [item])
    }

    @Test func waiting() throws {
        let context = try SnippetStore(items: 3).context(.privateQueue)
        // snippet.ContextsAndQueues.waiting
        let count = try context.performAndWait { try context.count(for: FetchRequest(Item.self)) }
        // snippet.end
        #expect(count == 3)
    }

    @Test func child() throws {
        let store = try SnippetStore()
        let context = store.context()
        // snippet.ContextsAndQueues.child
        let draft = try ManagedObjectContext(parent: context)
        let item = Item(context: draft)
        item.name = "Buy milk"
        try draft.save()  // now an unsaved change of the parent's
        try context.save()  // now in the store
        // snippet.end
        #expect(try store.context().items().map(\.name) == ["Buy milk"])
    }

    @Test func undo() async throws {
        let context = try SnippetStore(items: 3).context(.privateQueue)
        // snippet.ContextsAndQueues.undo
        try await context.perform { context.undoManager = UndoManager() }
        try await context.perform {
            for item in try context.fetch(FetchRequest(Item.self)) { context.delete(item) }
        }
        try await context.perform { context.undo() }  // the block above was one step
        // snippet.end
        #expect(try await context.perform { try context.count(for: FetchRequest(Item.self)) } == 3)
    }

    @Test func registration() throws {
        let context = try SnippetStore(items: 1).context()
        let id = try context.items()[0].objectID
        // snippet.ContextsAndQueues.registration
        let known = context.registeredObject(for: id)  // nil unless the context has it
        let fault = context.object(with: id)  // never fails, reads nothing, may be a fault of nothing
        let loaded = try context.existingObject(with: id)  // reads the row, or throws `objectNotFound`
        // snippet.end
        #expect(known == nil && fault === loaded && !loaded.isFault)
    }
}
