import Foundation
import ManagedStore
import Testing

/// Policies of one's own, and what conflicts tell them.
@Suite struct OwnMergePolicyTests {
    /// Hands conflicts to a closure, then to `super`.
    private final class Hooked: MergePolicy, @unchecked Sendable {
        private let hook: ([MergeConflict], ManagedObjectContext) throws -> Void

        init(_ type: MergeType, _ hook: @escaping ([MergeConflict], ManagedObjectContext) throws -> Void) {
            self.hook = hook
            super.init(type)
        }

        override func resolve(
            optimisticLockingConflicts conflicts: [MergeConflict], in context: ManagedObjectContext
        ) throws(StoreError) {
            do {
                try hook(conflicts, context)
            } catch {
                guard let error = error as? StoreError else { preconditionFailure("\(error) is no StoreError") }
                throw error
            }
            try super.resolve(optimisticLockingConflicts: conflicts, in: context)
        }
    }

    @Test(arguments: Backend.allCases) func anOwnPolicyMayChangeObjects(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(1)
        context.mergePolicy = Hooked(.mergeByPropertyObjectTrump) { conflicts, context in
            for conflict in conflicts { try context.item(conflict.objectID).name += " and theirs" }
        }
        try OtherWriter.context.change(items[0].objectID, in: store)
        items[0].name = "mine"
        try context.save()
        #expect(try store.context().items().map(\.name) == ["mine and theirs"])
    }

    @Test(arguments: Backend.allCases) func anOwnPolicyMayRefuse(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(1)
        context.mergePolicy = Hooked(.overwrite) { conflicts, context in
            throw StoreError.validation("not now", object: try context.item(conflicts[0].objectID))
        }
        try OtherWriter.context.change(items[0].objectID, in: store)
        items[0].name = "mine"
        expectError(.managedObjectValidation) { try context.save() }
        #expect(items[0].name == "mine" && context.hasChanges)
    }

    @Test(arguments: Backend.allCases) func aRowThatKeepsChangingEndsTheSaveWithAnError(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(1)
        var rounds = 0
        context.mergePolicy = Hooked(.overwrite) { _, _ in
            rounds += 1
            // An error here shows in the number of rounds.
            try? OtherWriter.batch.change(items[0].objectID, in: store)
        }
        try OtherWriter.batch.change(items[0].objectID, in: store)
        items[0].name = "mine"
        expectError(.mergeConflict) { try context.save() }
        #expect(rounds == 10 && items[0].name == "mine" && context.hasChanges)
    }

    @Test(arguments: [OtherWriter.coordinator, .database, .batch])
    func aConflictWithTheStoreShowsBothRows(_ other: OtherWriter) throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(1)
        try other.change(items[0].objectID, in: store)
        items[0].name = "mine"
        let conflict = try #require(expectError(.mergeConflict) { try context.save() }?.conflicts.first)
        #expect(conflict.objectSnapshot?["name"] == .string("mine"))
        #expect(conflict.cachedSnapshot?["name"] == .string("Item 0"))
        #expect(conflict.persistedSnapshot?["name"] == .string("theirs"))
        #expect(conflict.persistedSnapshot?["done"] == .boolean(true))
        #expect(conflict.objectSnapshot?.count == 3)
        #expect(conflict.oldVersion == 1 && conflict.newVersion == 2)
    }

    @Test(arguments: [OtherWriter.coordinator, .database, .batch])
    func aRowThatIsGoneHasNoSnapshot(_ other: OtherWriter) throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(1)
        try other.delete(items[0].objectID, in: store)
        items[0].name = "mine"
        let conflict = try #require(expectError(.mergeConflict) { try context.save() }?.conflicts.first)
        #expect(conflict.objectSnapshot?["name"] == .string("mine"))
        #expect(conflict.cachedSnapshot?["name"] == .string("Item 0"))
        #expect(conflict.persistedSnapshot == nil && conflict.newVersion == 0)
    }

    @Test func snapshotsStayAsTheyWereFound() throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(1)
        try OtherWriter.batch.change(items[0].objectID, in: store)
        items[0].name = "mine"
        let conflict = try #require(expectError(.mergeConflict) { try context.save() }?.conflicts.first)
        items[0].name = "changed since"
        context.reset()
        #expect(conflict.objectSnapshot?["name"] == .string("mine"))
        #expect(conflict.cachedSnapshot?["name"] == .string("Item 0"))
    }
}
