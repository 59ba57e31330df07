import Foundation
import ManagedStore
import Testing

/// What merge policies do with the objects of a save that another writer has changed or deleted.
@Suite struct MergePolicyTests {
    private static let settling: [MergePolicy.MergeType] = [
        .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ]

    /// A context with one item that it changed, and another writer too: both the name, it alone `createdAt`, they alone
    /// `done`.
    private func bothChanged(
        _ store: TestStore, _ policy: MergePolicy.MergeType, _ other: OtherWriter = .context
    ) throws -> (ManagedObjectContext, Item) {
        let (context, items) = try store.contextWithItems(1)
        context.mergePolicy = MergePolicy(policy)
        try other.change(items[0].objectID, in: store)
        items[0].name = "mine"
        items[0].createdAt = Date(timeIntervalSinceReferenceDate: 7)
        return (context, items[0])
    }

    private func expectValues(
        _ name: String, _ done: Bool, _ seconds: Double, _ items: [Item],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for item in items {
            #expect(item.name == name && item.done == done, sourceLocation: sourceLocation)
            #expect(item.createdAt.timeIntervalSinceReferenceDate == seconds, sourceLocation: sourceLocation)
        }
    }

    @Test func aNewContextHasTheErrorPolicy() throws {
        #expect(try TestStore().context().mergePolicy === MergePolicy.error)
    }

    @Test(arguments: Backend.allCases, [OtherWriter.context, .batch])
    func storeTrumpTakesTheStoresSideOfWhatBothChanged(_ backend: Backend, _ other: OtherWriter) throws {
        let store = try TestStore(backend)
        let (context, item) = try bothChanged(store, .mergeByPropertyStoreTrump, other)
        try context.save()
        #expect(!context.hasChanges)
        expectValues("theirs", true, 7, try [item] + store.context().items())
    }

    @Test(arguments: Backend.allCases, [OtherWriter.context, .batch])
    func objectTrumpTakesTheContextsSideOfWhatBothChanged(_ backend: Backend, _ other: OtherWriter) throws {
        let store = try TestStore(backend)
        let (context, item) = try bothChanged(store, .mergeByPropertyObjectTrump, other)
        try context.save()
        #expect(!context.hasChanges)
        expectValues("mine", true, 7, try [item] + store.context().items())
    }

    @Test(arguments: Backend.allCases, [OtherWriter.context, .batch])
    func overwriteSavesTheObjectAsItIs(_ backend: Backend, _ other: OtherWriter) throws {
        let store = try TestStore(backend)
        let (context, item) = try bothChanged(store, .overwrite, other)
        try context.save()
        #expect(!context.hasChanges)
        expectValues("mine", false, 7, try [item] + store.context().items())
    }

    @Test(arguments: Backend.allCases, [OtherWriter.context, .batch])
    func rollbackDropsTheContextsChanges(_ backend: Backend, _ other: OtherWriter) throws {
        let store = try TestStore(backend)
        let (context, item) = try bothChanged(store, .rollback, other)
        let bystander = Item("bystander", in: context)
        try context.save()
        #expect(!context.hasChanges && !bystander.isInserted)
        expectValues("theirs", true, 0, try [item] + store.context().items(.compare("name", .equal, "theirs")))
        #expect(try store.context().items().count == 2)
    }

    @Test(arguments: [OtherWriter.coordinator, .database], settling)
    func whatAnotherProcessChangedIsSettledToo(_ other: OtherWriter, _ policy: MergePolicy.MergeType) throws {
        let store = try TestStore()
        let (context, item) = try bothChanged(store, policy, other)
        try context.save()
        let name = [.mergeByPropertyStoreTrump, .rollback].contains(policy) ? "theirs" : "mine"
        #expect(item.name == name)
        #expect(try store.database().value("SELECT ZNAME FROM ZITEM") == name)
    }

    @Test(arguments: Backend.allCases, settling)
    func anObjectThatWasDeletedLeavesWithItsChanges(_ backend: Backend, _ policy: MergePolicy.MergeType) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(2)
        context.mergePolicy = MergePolicy(policy)
        try OtherWriter.context.delete(items[0].objectID, in: store)
        for item in items { item.name = "mine" }
        context.processPendingChanges()
        let recorder = NotificationRecorder(ManagedObjectContext.didChangeObjectsNotification, from: context)
        try context.save()
        #expect(items[0].managedObjectContext == nil && !context.hasChanges)
        #expect(recorder.objects(ManagedObjectContext.NotificationKey.deleted) == [items[0]])
        #expect(try store.context().items().map(\.name) == ["mine"])
    }

    @Test(arguments: Backend.allCases, settling)
    func aDeletionIsWithdrawnWhereTheStoreWins(_ backend: Backend, _ policy: MergePolicy.MergeType) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(1)
        context.mergePolicy = MergePolicy(policy)
        try OtherWriter.context.change(items[0].objectID, in: store)
        context.delete(items[0])
        try context.save()
        let isKept = [.mergeByPropertyStoreTrump, .rollback].contains(policy)
        #expect(!context.hasChanges && (items[0].managedObjectContext != nil) == isKept && !items[0].isDeleted)
        #expect(try store.context().items().map(\.name) == (isKept ? ["theirs"] : []))
        if isKept { #expect(items[0].name == "theirs" && items[0].done) }
    }

    @Test(arguments: Backend.allCases, settling)
    func whatBothDeletedIsGone(_ backend: Backend, _ policy: MergePolicy.MergeType) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(2)
        context.mergePolicy = MergePolicy(policy)
        try OtherWriter.context.delete(items[0].objectID, in: store)
        for item in items { context.delete(item) }
        try context.save()
        #expect(!context.hasChanges && items.allSatisfy { $0.managedObjectContext == nil })
        #expect(try store.context().items().isEmpty)
    }

    @Test(arguments: Backend.allCases, settling)
    func manyConflictsAreSettledInOneSave(_ backend: Backend, _ policy: MergePolicy.MergeType) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(1_000)
        context.mergePolicy = MergePolicy(policy)
        _ = try store.context().execute(BatchUpdateRequest(Item.self, set: ["done": true]))
        for item in items { item.name = "mine" }
        store.coordinator.resetStatistics()
        try context.save()
        #expect(store.statementCount < 100)
        let isKept = policy != .rollback
        #expect(try store.context().items().allSatisfy { ($0.name == "mine") == isKept })
        #expect(items.allSatisfy { ($0.name == "mine") == isKept && $0.done == (policy != .overwrite) })
    }

    @Test func anObjectIsSavedAgainAfterItsConflictWasSettled() throws {
        let store = try TestStore()
        let (context, item) = try bothChanged(store, .mergeByPropertyObjectTrump)
        try context.save()
        item.name = "again"
        context.mergePolicy = .error
        try context.save()
        #expect(try store.context().items().map(\.name) == ["again"])
    }
}
