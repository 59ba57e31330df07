import Dispatch
import Foundation
import TestSupport
import Testing

@testable import ManagedStore

@Suite struct ChildContextTests {
    private func parentAndChild(_ backend: Backend) throws -> (TestStore, ManagedObjectContext, ManagedObjectContext) {
        let store = try Library.store(backend)
        let parent = store.context()
        return (store, parent, try ManagedObjectContext(parent: parent))
    }

    @Test(arguments: Backend.allCases) func aSavePushesToTheParentOnly(_ backend: Backend) throws {
        let (store, parent, child) = try parentAndChild(backend)
        let book = Book("1", in: child)
        book.author = Author("a", in: child)
        #expect(child.parent === parent && parent.parent == nil)
        #expect(!parent.hasChanges)
        try child.save()
        #expect(!child.hasChanges && parent.hasChanges)
        #expect(try store.context().count(for: FetchRequest(Book.self)) == 0)
        let parents = try #require(parent.insertedObjects.first { $0 is Book } as? Book)
        #expect(parents.title == "1" && parents.author?.name == "a")
        #expect(!book.objectID.isTemporaryID && book.objectID == parents.objectID)
        try parent.save()
        let fresh = store.context()
        let found = try #require(try fresh.only(Book.self, "title", "1"))
        #expect(found.objectID == book.objectID && found.author?.name == "a")
    }

    /// The parent has a child's saves already, as unsaved changes: as in an observer of all contexts' saves.
    @Test(arguments: Backend.allCases) func mergingAChildsSavesTakesNothingFromTheParent(_ backend: Backend) throws {
        let (store, parent, child) = try parentAndChild(backend)
        let deleted = Author("deleted", in: parent)
        try parent.save()
        let recorder = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: child)
        child.delete(try #require(try child.only(Author.self, "name", "deleted")))
        let new = Author("new", in: child)
        try child.save()
        new.name = "new and changed"
        try child.save()
        for notification in recorder.notifications { try parent.mergeChanges(fromContextDidSave: notification) }
        #expect(deleted.isDeleted && parent.insertedObjects.count == 1)
        try parent.save()
        #expect(try store.context().fetch(FetchRequest(Author.self)).map(\.name) == ["new and changed"])
    }

    /// No other context can have saved it, even if changes name it.
    @Test(arguments: Backend.allCases) func aNewObjectIsNotMerged(_ backend: Backend) throws {
        let (store, context, _) = try parentAndChild(backend)
        let authors = ["updated", "refreshed", "deleted", "invalidated"].map { Author($0, in: context) }
        try context.obtainPermanentIDs(for: authors)
        let ids = authors.map { ObjectIDSet([$0.objectID]) }
        let changes = ObjectIDChanges(updated: ids[0], deleted: ids[2], refreshed: ids[1], invalidated: ids[3])
        try ManagedObjectContext.mergeChanges(changes, into: [context])
        #expect(authors.allSatisfy(\.isInserted) && authors.map(\.name).contains("invalidated"))
        try context.save()
        #expect(try store.context().count(for: FetchRequest(Author.self)) == 4)
    }

    /// As other batch requests do, it bypasses contexts.
    @Test(arguments: Backend.allCases) func aBatchInsertOfAChildGoesToTheStore(_ backend: Backend) throws {
        let (store, parent, child) = try parentAndChild(backend)
        var request = BatchInsertRequest(entityName: "Author", objects: [["name": "a"], ["name": "b"]])
        request.resultType = .objectIDs
        guard case .objectIDs(let ids) = try child.execute(request) else {
            Issue.record("the result is of another type")
            return
        }
        #expect(!parent.hasChanges && parent.registeredObjects.isEmpty)
        #expect(try Set(store.context().fetchObjectIDs(FetchRequest(Author.self))) == Set(ids))
        #expect(try child.existingObject(with: ids[1]).value(forKey: "name") as? String == "b")
    }

    @Test(arguments: Backend.allCases) func aFetchSeesTheParentsUnsavedChanges(_ backend: Backend) throws {
        let (_, parent, child) = try parentAndChild(backend)
        let (kept, gone) = (Author("kept", in: parent), Author("gone", in: parent))
        try parent.save()
        let new = Author("new", in: parent)
        kept.name = "changed"
        parent.delete(gone)
        let request = FetchRequest(Author.self, sortBy: [SortDescriptor(\.name)])
        let found = try child.fetch(request)
        #expect(found.map(\.name) == ["changed", "new"])
        #expect(found.map(\.objectID) == [kept.objectID, new.objectID])
        #expect(try child.count(for: request) == 2)
        #expect(try child.fetchObjectIDs(request) == [kept.objectID, new.objectID])
        var second = request
        (second.fetchOffset, second.fetchLimit) = (1, 1)
        #expect(try child.fetch(second).map(\.name) == ["new"])
    }

    @Test(arguments: Backend.allCases) func changesAndDeletionsReachTheParent(_ backend: Backend) throws {
        let (store, parent, child) = try parentAndChild(backend)
        let (first, second) = (Author("1", in: parent), Author("2", in: parent))
        try parent.save()
        let theirs = try child.fetch(FetchRequest(Author.self, sortBy: [SortDescriptor(\.name)]))
        theirs[0].name = "changed"
        child.delete(theirs[1])
        #expect(first.name == "1" && !second.isDeleted)
        try child.save()
        #expect(first.name == "changed" && first.isUpdated && second.isDeleted)
        try parent.save()
        #expect(try store.context().fetch(FetchRequest(Author.self)).map(\.name) == ["changed"])
        // And again, now that everything has moved on.
        theirs[0].name = "again"
        try child.save()
        #expect(first.name == "again")
        try parent.save()
    }

    @Test(arguments: Backend.allCases) func unsavedAttributesOfTheParentStay(_ backend: Backend) throws {
        let (_, parent, child) = try parentAndChild(backend)
        let book = Book("1", in: parent)
        try parent.save()
        let childs = try #require(try child.only(Book.self, "title", "1"))
        book.title = "parent's"
        childs.author = Author("child's", in: child)
        try child.save()
        #expect(book.title == "parent's" && book.author?.name == "child's")
    }

    @Test(arguments: Backend.allCases) func relationshipsOfEveryKindReachTheParent(_ backend: Backend) throws {
        let (store, parent, child) = try parentAndChild(backend)
        let book = Book("1", in: parent)
        book.chapters = ["a", "b", "c"].map { Chapter($0, in: parent) }
        book.tags = [Tag("t", in: parent)]
        try parent.save()
        let childs = try #require(try child.only(Book.self, "title", "1"))
        #expect(childs.chapters.map(\.title) == ["a", "b", "c"] && childs.tags.map(\.name) == ["t"])
        childs.chapters = [childs.chapters[2], Chapter("new", in: child), childs.chapters[0]]
        childs.tags = [Tag("u", in: child)]
        childs.cover = Cover("red", in: child)
        try child.save()
        #expect(book.chapters.map(\.title) == ["c", "new", "a"])
        #expect(book.tags.map(\.name) == ["u"] && book.cover?.colour == "red")
        try parent.save()
        let fresh = store.context()
        let found = try #require(try fresh.only(Book.self, "title", "1"))
        #expect(found.chapters.map(\.title) == ["c", "new", "a"])
        #expect(found.tags.map(\.name) == ["u"] && found.cover?.colour == "red")
    }

    @Test(arguments: Backend.allCases) func aRefreshReadsTheParent(_ backend: Backend) throws {
        let (_, parent, child) = try parentAndChild(backend)
        let author = Author("1", in: parent)
        try parent.save()
        let childs = try #require(try child.only(Author.self, "name", "1"))
        author.name = "2"
        #expect(childs.name == "1")
        try child.refresh(childs, mergeChanges: false)
        #expect(childs.name == "2")
        author.name = "3"
        try child.refresh(childs, mergeChanges: true)
        #expect(childs.name == "3")
    }

    @Test(arguments: Backend.allCases) func rollbackOfAChildLeavesTheParentAlone(_ backend: Backend) throws {
        let (_, parent, child) = try parentAndChild(backend)
        _ = Author("1", in: parent)
        let childs = try #require(try child.only(Author.self, "name", "1"))
        childs.name = "2"
        _ = Author("3", in: child)
        child.rollback()
        #expect(childs.name == "1")
        #expect(parent.insertedObjects.count == 1)
    }

    @Test(arguments: Backend.allCases) func aGrandchildReachesTheStoreThroughBoth(_ backend: Backend) throws {
        let (store, parent, child) = try parentAndChild(backend)
        let grandchild = try ManagedObjectContext(parent: child)
        Book("1", in: grandchild).author = Author("a", in: grandchild)
        try grandchild.save()
        #expect(child.hasChanges && !parent.hasChanges)
        try child.save()
        try parent.save()
        let fresh = store.context()
        #expect(try fresh.only(Book.self, "title", "1")?.author?.name == "a")
    }

    @Test(arguments: Backend.allCases) func whatTheParentDeletedIsAConflict(_ backend: Backend) throws {
        let (_, parent, child) = try parentAndChild(backend)
        let author = Author("1", in: parent)
        try parent.save()
        let childs = try #require(try child.only(Author.self, "name", "1"))
        childs.name = "2"
        parent.delete(author)
        let error = #expect(throws: StoreError.self) { try child.save() }
        #expect(error?.code == .mergeConflict && error?.conflicts.map(\.newVersion) == [0])
        #expect(childs.name == "2" && child.hasChanges)
    }

    @Test func aChildsSaveThatFailsValidationLeavesTheParentAlone() throws {
        let (_, parent, child) = try parentAndChild(.inMemory)
        _ = Author(context: child)
        #expect(throws: StoreError.self) { try child.save() }
        #expect(!parent.hasChanges && child.hasChanges)
    }

    @Test(.timeLimit(.minutes(15))) func contextsWithQueuesWaitForEachOther() async throws {
        let store = try Library.store(.sqlite)
        let parent = store.context(.privateQueue)
        let child = try ManagedObjectContext(concurrencyType: .privateQueue, parent: parent)
        try await child.perform {
            _ = Author("a", in: child)
            try child.save()
        }
        // The parent waits for the child, which needs the parent.
        let names = try parent.performAndWait {
            try child.performAndWait { try child.fetch(FetchRequest(Author.self)).map(\.name) }
        }
        #expect(names == ["a"])
        let asynchronous = try await child.fetch(FetchRequest(Author.self)) { $0.map(\.name) }
        #expect(asynchronous == ["a"])
        try await parent.perform { try parent.save() }
    }

    @Test func aChildWithAQueueNeedsAParentWithOne() throws {
        let (_, parent, _) = try parentAndChild(.inMemory)
        let error = #expect(throws: StoreError.self) {
            try ManagedObjectContext(concurrencyType: .privateQueue, parent: parent)
        }
        #expect(error?.code == .concurrency)
    }

    @Test(.timeLimit(.minutes(15))) func aChildMergesWhatItsParentAndSiblingsSave() async throws {
        let store = try Library.store(.sqlite)
        let parent = store.context(.privateQueue)
        let (child, sibling) = (
            try ManagedObjectContext(concurrencyType: .privateQueue, parent: parent),
            try ManagedObjectContext(concurrencyType: .privateQueue, parent: parent)
        )
        let id = try await parent.perform {
            let author = Author("1", in: parent)
            try parent.save()
            return author.objectID
        }
        child.automaticallyMergesChangesFromParent = true
        let held = try await child.perform {
            let author = try child.existingObject(with: id) as? Author
            return author.map { _ in child.registeredObjects.count }
        }
        #expect(held == 1)
        let kept = child.performAndWait { Kept(value: child.object(with: id)) }
        try await sibling.perform {
            (try sibling.existingObject(with: id) as? Author)?.name = "2"
            try sibling.save()
        }
        let name = child.performAndWait { (kept.value as? Author)?.name }
        #expect(name == "2")
    }
}

/// Keeps an object of another queue alive.
private struct Kept<Value>: @unchecked Sendable {
    // Unchecked: used on the object's queue alone.
    let value: Value
}
