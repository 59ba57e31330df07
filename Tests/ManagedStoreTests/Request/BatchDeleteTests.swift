import Foundation
import ManagedStore
import Testing

@Suite struct BatchDeleteTests {
    private struct Mismatch: Error {}

    private func names(_ store: TestStore) throws -> [String] {
        let context = store.context()
        return try context.items().map(\.name)
    }

    @Test(arguments: Backend.strictly) func everyResultTypeDeletes(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(6)
        let context = store.context()
        func request(_ name: String) -> BatchDeleteRequest {
            BatchDeleteRequest(fetchRequest: FetchRequest(Item.self, predicate: .compare("name", .equal, name)))
        }
        guard case .statusOnly = try context.execute(request("Item 0")) else { throw Mismatch() }
        var counting = request("Item 2")
        counting.resultType = .count
        guard case .count(1) = try context.execute(counting) else { throw Mismatch() }
        guard case .count(0) = try context.execute(counting) else { throw Mismatch() }
        var identifying = BatchDeleteRequest(
            fetchRequest: FetchRequest(Item.self, predicate: .in("name", ["Item 5", "Item 4"])))
        identifying.resultType = .objectIDs
        guard case .objectIDs(let deleted) = try context.execute(identifying) else { throw Mismatch() }
        #expect(deleted == [ids[4], ids[5]])
        #expect(try names(store) == ["Item 1", "Item 3"])
    }

    @Test(arguments: Backend.strictly) func allAreDeletedWithoutAPredicate(_ backend: Backend) throws {
        let store = try TestStore(backend)
        try store.seed(100)
        var request = BatchDeleteRequest(fetchRequest: FetchRequest(Item.self))
        request.resultType = .count
        guard case .count(100) = try store.context().execute(request) else { throw Mismatch() }
        #expect(try names(store).isEmpty)
    }

    @Test(arguments: Backend.strictly) func orderLimitAndOffsetCount(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(6)
        var fetch = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt, order: .reverse)])
        (fetch.fetchLimit, fetch.fetchOffset) = (2, 1)
        var request = BatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .objectIDs
        guard case .objectIDs(let deleted) = try store.context().execute(request) else { throw Mismatch() }
        #expect(deleted == [ids[3], ids[4]])
        #expect(try names(store) == ["Item 0", "Item 1", "Item 2", "Item 5"])
    }

    @Test(arguments: Backend.strictly) func objectsAreDeletedByID(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(5)
        var request = BatchDeleteRequest(objectIDs: [ids[3], ids[1], ids[3]])
        request.resultType = .count
        guard case .count(2) = try store.context().execute(request) else { throw Mismatch() }
        guard case .count(0) = try store.context().execute(request) else { throw Mismatch() }
        #expect(try names(store) == ["Item 0", "Item 2", "Item 4"])
        request = BatchDeleteRequest(objectIDs: [])
        request.resultType = .objectIDs
        guard case .objectIDs(let none) = try store.context().execute(request) else { throw Mismatch() }
        #expect(none.isEmpty)
    }

    @Test(arguments: Backend.strictly) func requestsThatMakeNoSenseAreRefused(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(1)
        let foreign = try TestStore(backend).seed(1)
        let context = store.context()
        let everything = Everything("a", in: context)
        try context.save()
        let unsaved = Item("new", in: context)
        for wrong in [[ids[0], everything.objectID], [ids[0], foreign[0]], [foreign[0]], [unsaved.objectID]] {
            expectError(.invalidRequest) { try context.execute(BatchDeleteRequest(objectIDs: wrong)) }
        }
        expectError(.unknownEntity) {
            try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Nothing")))
        }
        expectError(.unknownKey) {
            let request = FetchRequest(Item.self, predicate: .isNil("nothing"))
            return try context.execute(BatchDeleteRequest(fetchRequest: request))
        }
        #expect(try names(store) == ["Item 0"])
    }

    @Test(arguments: Backend.strictly) func contextsAreNotTouchedButMeetAConflict(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(2)
        let saves = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: context)
        _ = try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(Item.self)))
        #expect(items.allSatisfy { !$0.isDeleted && !$0.isFault && !$0.hasChanges } && saves.notifications.isEmpty)
        items[0].name = "mine"
        let error = expectError(.mergeConflict) { try context.save() }
        #expect(error?.conflicts.map(\.newVersion) == [0])
        #expect(try context.items().isEmpty == false, "unsaved changes count in a fetch")
        context.rollback()
        context.stalenessInterval = 0
        try context.refreshAllObjects()
        expectError(.objectNotFound) { try context.existingObject(with: items[1].objectID) }
    }

    @Test(arguments: Backend.strictly) func nothingIsValidated(_ backend: Backend) throws {
        let context = try TestStore(backend, model: ManagedObjectModel(Strict.self)).context()
        Strict(context: context).isLocked = true
        try context.save()
        _ = try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(Strict.self)))
        #expect(try context.count(for: FetchRequest(Strict.self)) == 0)
    }

    @Test(arguments: Backend.strictly) func keysAreNotUsedAgain(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(3)
        _ = try store.context().execute(BatchDeleteRequest(objectIDs: ids))
        #expect(Set(try store.seed(3)).isDisjoint(with: ids))
    }
}
