import Foundation
import Locking
import ManagedStore
import TestSupport
import Testing

/// Merging.md.
@Suite struct MergingSnippets {
    @Test func automatically() async throws {
        let coordinator = try SnippetStore(items: 1).coordinator
        // snippet.Merging.automatic
        let main = ManagedObjectContext(concurrencyType: .mainQueue, coordinator: coordinator)
        main.automaticallyMergesChangesFromParent = true
        let background = ManagedObjectContext(concurrencyType: .privateQueue, coordinator: coordinator)
        try await background.perform {
            for item in try background.fetch(FetchRequest(Item.self)) { item.done = true }
            try background.save()  // main merges it a moment later, on its own queue
        }
        // snippet.end
        #expect(main.automaticallyMergesChangesFromParent)
    }

    @Test func byHand() async throws {
        let store = try SnippetStore(items: 1)
        let (main, background) = (store.context(.mainQueue), store.context(.privateQueue))
        // snippet.Merging.didSave
        let observer = NotificationCenter.default.addObserver(
            forName: ManagedObjectContext.didSaveObjectsNotification, object: background, queue: nil
        ) { notification in
            guard let save = ContextDidSave(notification) else { return }  // a plain value: it may change queues
            main.perform { try? main.mergeChanges(fromContextDidSave: save) }
        }
        // snippet.end
        defer { NotificationCenter.default.removeObserver(observer) }
        let item = try await main.perform {
            let item = try main.items()[0]
            #expect(item.name == "Item 0")
            return Unchecked(item)
        }
        try await background.perform {
            try background.items()[0].name = "new"
            try background.save()
        }
        #expect(try await main.perform { item.value.name } == "new")
    }

    @Test func failure() async throws {
        let store = try SnippetStore(items: 1)
        let main = store.context(.privateQueue)
        main.automaticallyMergesChangesFromParent = true
        let item = try await main.perform { Unchecked(try main.items()[0]) }
        let printed = Locked<[Int]>([])
        @Sendable func print(_ count: Int, _ words: String, _ message: String) { printed.withLock { $0.append(count) } }
        // snippet.Merging.failure
        let observer = NotificationCenter.default.addObserver(
            forName: ManagedObjectContext.didFailToMergeNotification, object: main, queue: nil
        ) { notification in
            guard let failure = ContextMergeFailure(notification) else { return }
            print(failure.save?.updatedObjectIDs.count ?? 0, "objects are stale:", failure.error.message)
        }
        // snippet.end
        defer { NotificationCenter.default.removeObserver(observer) }
        try await main.perform {
            #expect(item.value.name == "Item 0")
            let other = store.context(.confinement)
            try other.items()[0].name = "theirs"
            try other.save()
            try store.coordinator.removePersistentStore()
        }
        try await main.perform {}
        #expect(printed.value == [1])
    }

    /// Carries an object between two blocks of its own queue.
    private struct Unchecked<Value>: @unchecked Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    @Test func remote() throws {
        let store = try SnippetStore(items: 1)
        let context = store.context()
        let item = try context.items()[0]
        #expect(item.name == "Item 0")
        _ = try store.context().execute(BatchUpdateRequest(Item.self, set: ["name": "new"]))
        let ids = [item.objectID]
        // snippet.Merging.remote
        try ManagedObjectContext.mergeChanges(ObjectIDChanges(updated: ObjectIDSet(ids)), into: [context])
        // snippet.end
        #expect(item.name == "new")
        let uris = ids.map { $0.uriRepresentation() }
        // snippet.Merging.uris
        let changes = [ManagedObjectContext.NotificationKey.updatedObjectIDs: uris]
        try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
        // snippet.end
    }

    @Test func staleness() throws {
        let context = try SnippetStore(items: 1).context()
        var printed: [String] = []
        func print(_ name: String) { printed.append(name) }
        // snippet.Merging.staleness
        let item = try context.fetch(FetchRequest(Item.self))[0]
        print(item.name)  // Item 0
        _ = try context.execute(BatchUpdateRequest(Item.self, set: ["name": "new"]))

        print(item.name)  // Item 0: the update went past the context
        try context.refresh(item, mergeChanges: false)
        print(item.name)  // new: the update made the row cache forget the row
        // snippet.end
        #expect(printed == ["Item 0", "Item 0", "new"])
    }

    @Test func interval() throws {
        let context = try SnippetStore(items: 1).context()
        let item = try context.items()[0]
        #expect(item.name == "Item 0")
        _ = try context.execute(BatchUpdateRequest(Item.self, set: ["name": "new"]))
        // snippet.Merging.interval
        context.stalenessInterval = 0
        try context.refresh(item, mergeChanges: true)
        // snippet.end
        #expect(item.name == "new")
    }

    @Test func conflict() throws {
        let context = try contextInConflict()
        do {
            try context.save()
        } catch {
            try Self.report(context)
            return
        }
        Issue.record("there was no conflict")
    }

    private func contextInConflict() throws -> ManagedObjectContext {
        let store = try SnippetStore(items: 1)
        let (context, other) = (store.context(), store.context())
        let item = try context.items()[0]
        #expect(item.name == "Item 0")
        try other.items()[0].name = "theirs"
        try other.save()
        item.name = "ours"
        return context
    }

    private static func report(_ context: ManagedObjectContext) throws {
        // snippet.Merging.conflict
        do throws(StoreError) {
            try context.save()
        } catch {
            guard error.code == .mergeConflict else { throw error }
            for conflict in error.conflicts {
                print(conflict.objectID, "was version", conflict.oldVersion, "and is", conflict.newVersion)
                print("here:", conflict.objectSnapshot ?? [:])
                print("in the row cache:", conflict.cachedSnapshot ?? [:])
                print("in the store:", conflict.persistedSnapshot ?? [:])
            }
            context.rollback()
        }
        // snippet.end
        #expect(!context.hasChanges)
    }

    // snippet.Merging.policy
    final class DoneStaysDone: MergePolicy, @unchecked Sendable {
        override func resolve(
            optimisticLockingConflicts conflicts: [MergeConflict], in context: ManagedObjectContext
        ) throws(StoreError) {
            let done = conflicts.filter { $0.cachedSnapshot?["done"] == .boolean(true) }
            try super.resolve(optimisticLockingConflicts: conflicts, in: context)
            for conflict in done { try context.existingObject(with: conflict.objectID).setValue(true, forKey: "done") }
        }
    }
    // snippet.end

    @Test func policy() throws {
        let store = try SnippetStore(items: 1)
        let (context, other) = (store.context(), store.context())
        let item = try context.items()[0]
        #expect(item.name == "Item 0")
        try other.items()[0].done = true
        try other.save()
        item.name = "ours"
        item.done = false
        // snippet.Merging.policy.use
        context.mergePolicy = DoneStaysDone(.mergeByPropertyObjectTrump)
        try context.save()
        // snippet.end
        #expect(item.done && item.name == "ours")
    }
}
