import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Numbers at the ends of their range in a file: versions, keys, orders and entities.
@Suite struct HostileNumbersTests {
    private static let versions = [
        "2147483646", "2147483647", "2147483648", "4294967296", "9223372036854775807", "0", "-1", "-2147483648", "NULL",
        "'text'", "1.5", "1e300", "x'31'",
    ]

    @Test(arguments: versions) func aRowOfAnyVersionCanBeChangedAgainAndAgain(_ version: String) throws {
        let store = try TestStore()
        let ids = try store.seed(3)
        let database = try store.database()
        try database.execute("UPDATE ZITEM SET Z_OPT = \(version)")
        let context = store.context()
        let items = try context.items()
        for round in 0..<4 {
            for item in items { item.name = "round \(round)" }
            try context.save()
        }
        #expect(try database.rows("SELECT DISTINCT ZNAME FROM ZITEM") == [["round 3"]])
        #expect(try database.value("SELECT COUNT(*) FROM ZITEM WHERE Z_OPT > 0 AND typeof(Z_OPT) = 'integer'") == "3")
        #expect(try store.context().item(ids[0]).name == "round 3")
    }

    @Test(arguments: versions) func aStaleRowOfAnyVersionMeetsAConflict(_ version: String) throws {
        let store = try TestStore()
        try store.seed(2)
        try store.database().execute("UPDATE ZITEM SET Z_OPT = \(version)")
        let (mine, theirs) = (store.context(), store.context())
        let (my, their) = (try mine.items(), try theirs.items())
        for item in their { item.name = "theirs" }
        try theirs.save()
        my[0].name = "mine"
        let error = expectError(.mergeConflict) { try mine.save() }
        #expect(error?.conflicts.count == 1)
        #expect(try store.database().value("SELECT COUNT(*) FROM ZITEM WHERE ZNAME = 'theirs'") == "2")
    }

    @Test(arguments: versions) func aRowOfAnyVersionCanBeDeleted(_ version: String) throws {
        let store = try TestStore()
        try store.seed(2)
        try store.database().execute("UPDATE ZITEM SET Z_OPT = \(version)")
        let context = store.context()
        for item in try context.items() { context.delete(item) }
        try context.save()
        #expect(try store.database().value("SELECT COUNT(*) FROM ZITEM") == "0")
    }

    @Test func aBatchUpdateCountsTheVersionPastItsRange() throws {
        let store = try TestStore()
        try store.seed(2)
        try store.database().execute("UPDATE ZITEM SET Z_OPT = 2147483647")
        let context = store.context()
        let items = try context.items()
        _ = try store.context().execute(BatchUpdateRequest(Item.self, set: ["done": true]))
        items[0].name = "mine"
        expectError(.mergeConflict) { try context.save() }
        for item in items { try context.refresh(item, mergeChanges: false) }
        items[0].name = "mine"
        try context.save()
        #expect(try store.context().items()[0].name == "mine")
    }

    @Test(arguments: ["9223372036854775807", "9223372036854775806", "1e300"])
    func aTableWithoutKeysLeftIsAnErrorBeforeAnythingIsWritten(_ highest: String) throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(1)
        try store.database().execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(highest) WHERE Z_NAME = 'Item'")
        Item("new", in: context)
        items[0].name = "changed"
        let error = expectError(.storeFailure) { try context.save() }
        #expect(error?.message.contains("ZITEM has no keys left") == true)
        expectError(.storeFailure) { try context.obtainPermanentIDs(for: [Item("another", in: context)]) }
        #expect(try store.database().rows("SELECT ZNAME FROM ZITEM") == [["Item 0"]])
        #expect(context.hasChanges)
    }

    /// New objects refer to each other by their temporary keys until all of them have permanent ones.
    @Test func whatNoKeysCanBeReservedForKeepsItsRelationships() throws {
        let store = try Library.store(.sqlite)
        let context = store.context()
        let (author, book, tag) = (Author("a", in: context), Book("1", in: context), Tag("t", in: context))
        book.author = author
        book.tags = [tag]
        for entity in ["Author", "Book", "Tag"] {
            let found = try store.database().rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'")
            let highest = try #require(found[0][0])
            let set = "UPDATE Z_PRIMARYKEY SET Z_MAX = "
            try store.database().execute("\(set)9223372036854775807 WHERE Z_NAME = '\(entity)'")
            expectError(.storeFailure) { try context.obtainPermanentIDs(for: [author, book, tag]) }
            let objects: [ManagedObject] = [author, book, tag]
            #expect(objects.allSatisfy { $0.objectID.isTemporaryID })
            #expect(book.author === author && book.tags == [tag])
            try store.database().execute("\(set)\(highest) WHERE Z_NAME = '\(entity)'")
        }
        try context.save()
        let other = store.context()
        let fresh = try #require(try other.only(Book.self, "title", "1"))
        #expect(fresh.author?.name == "a" && fresh.tags.map(\.name) == ["t"])
    }

    @Test(arguments: ["-5", "NULL", "'text'", "-9223372036854775808", "0"])
    func aHighestKeyThatIsNoneIsFoundAnew(_ highest: String) throws {
        let store = try TestStore()
        try store.seed(2)
        try store.coordinator.removePersistentStore()
        try store.database().execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(highest) WHERE Z_NAME = 'Item'")
        let context = ManagedObjectContext(coordinator: try store.secondCoordinator())
        Item("new", at: 9, in: context)
        try context.save()
        #expect(try context.items().map(\.name) == ["Item 0", "Item 1", "new"])
    }

    @Test func theGreatestKeyCanBeReadChangedAndDeleted() throws {
        let store = try TestStore()
        try store.seed(2)
        try store.database().execute("UPDATE ZITEM SET Z_PK = 9223372036854775807 WHERE Z_PK = 2")
        let context = store.context()
        let items = try context.items()
        #expect(items.map { $0.objectID.uriRepresentation().lastPathComponent } == ["p1", "p9223372036854775807"])
        for item in items { item.name += "!" }
        try context.save()
        let ids = try context.fetchObjectIDs(FetchRequest(Item.self, predicate: .objectID(in: items.map(\.objectID))))
        #expect(ids.count == 2)
        var batched = FetchRequest(Item.self)
        batched.fetchBatchSize = 1
        let other = store.context()
        #expect(try other.fetch(batched).map(\.name) == ["Item 0!", "Item 1!"])
        for item in items { context.delete(item) }
        try context.save()
        #expect(try store.context().items().isEmpty)
    }

    @Test(arguments: ["0", "-1", "-9223372036854775808"]) func aKeyThatIsNotPositiveIsAnError(_ key: String) throws {
        let store = try TestStore()
        try store.seed(2)
        try store.database().execute("UPDATE ZITEM SET Z_PK = \(key) WHERE Z_PK = 2")
        expectError(.incompatibleStore) { try store.context().items() }
        expectError(.incompatibleStore) { try store.context().fetchObjectIDs(FetchRequest(Item.self)) }
    }

    @Test(arguments: ["9223372036854775807", "9223372036854775806", "-9223372036854775808", "NULL", "1e300"])
    func anyOrderOfAToManyRelationshipCanBeChanged(_ number: String) throws {
        let store = try Library.store(.sqlite)
        let context = store.context()
        let book = Book("b", in: context)
        let tag = Tag("t", in: context)
        book.chapters = [Chapter("0", in: context), Chapter("1", in: context)]
        tag.books = [book, Book("c", in: context)]
        try context.save()
        let database = try store.database()
        try database.execute("UPDATE ZCHAPTER SET Z_FOK_BOOK = \(number)")
        let join = try #require(
            try database.value("SELECT name FROM sqlite_master WHERE name LIKE 'Z\\__TAGS' ESCAPE '\\'")
                ?? database.value("SELECT name FROM sqlite_master WHERE name LIKE 'Z\\__BOOKS' ESCAPE '\\'"))
        let column = try #require(
            try database.value("SELECT name FROM pragma_table_info('\(join)') WHERE name LIKE 'Z\\_FOK%' ESCAPE '\\'"))
        try database.execute("UPDATE \(join) SET \(column) = \(number)")
        let other = store.context()
        let (read, readTag) = (
            try #require(try other.fetch(FetchRequest(Book.self)).first { $0.title == "b" }),
            try #require(try other.fetch(FetchRequest(Tag.self)).first)
        )
        for round in 2..<5 {
            read.chapters.append(Chapter("\(round)", in: other))
            readTag.books.append(Book("\(round)", in: other))
            try other.save()
        }
        let third = store.context()
        let last = try #require(try third.fetch(FetchRequest(Book.self)).first { $0.title == "b" })
        #expect(last.chapters.map(\.title) == read.chapters.map(\.title))
        #expect(last.chapters.map(\.title).suffix(3) == ["2", "3", "4"])
        let lastTag = try #require(try third.fetch(FetchRequest(Tag.self)).first)
        #expect(lastTag.books.map(\.title).suffix(3) == ["2", "3", "4"])
    }

    @Test(arguments: ["-9223372036854775808", "9223372036854775807", "-1", "15999"])
    func anEntityOfAnyNumberOpensOrIsRefused(_ number: String) throws {
        let store = try TestStore()
        try store.seed(1)
        try store.coordinator.removePersistentStore()
        try store.database().execute(
            "UPDATE Z_PRIMARYKEY SET Z_ENT = \(number) WHERE Z_NAME = 'Item'; UPDATE ZITEM SET Z_ENT = \(number); "
                + "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Everything'; DROP TABLE ZEVERYTHING")
        do {
            let context = ManagedObjectContext(coordinator: try store.secondCoordinator())
            try context.items().first?.name = "changed"
            Item("new", in: context)
            Everything("new", in: context)
            try context.save()
            #expect(try context.items().count == 2)
        } catch {
            #expect(error is StoreError)
        }
    }
}
