import Foundation
import Testing

@testable import ManagedStore

/// Attributes that triggers of a file keep are heard of, and never written.
@Suite struct DerivedAttributeTests {
    private let file: CoreDataSketch
    private let coordinator: PersistentStoreCoordinator
    private let context: ManagedObjectContext

    init() throws {
        file = try CoreDataSketch.books()
        coordinator = try file.coordinator(
            try ManagedObjectModel(entities: [CoreDataSketch.book, CoreDataSketch.page]))
        context = ManagedObjectContext(coordinator: coordinator)
    }

    private func book(_ title: String, in other: ManagedObjectContext? = nil) throws -> ManagedObject {
        try (other ?? context).only("Book", "title", title)
    }

    private func count(_ book: ManagedObject) throws -> Int64? { try book.value(forKey: "pagesCount") as? Int64 }

    private func addPage(to book: ManagedObject, in other: ManagedObjectContext? = nil) throws {
        let page = try EntityDescription.insertNewObject(forEntityName: "Page", into: other ?? context)
        try page.setValue(Int32(9), forKey: "number")
        try page.setValue(book, forKey: "book")
    }

    @Test func aRefreshedObjectShowsWhatTheTriggerWrote() throws {
        let tides = try book("Tides")
        #expect(try count(tides) == 2)
        try addPage(to: tides)
        try context.save()
        #expect(try count(tides) == 2, "until it is refreshed")
        try context.refresh(tides, mergeChanges: false)
        #expect(try count(tides) == 3)
        try addPage(to: tides)
        try context.save()
        try context.refresh(tides, mergeChanges: true)
        #expect(try count(tides) == 4)
    }

    /// A save of the book itself does not bring back what its context read before.
    @Test func aLaterSaveOfTheObjectLeavesWhatTheTriggerWrote() throws {
        let tides = try book("Tides")
        #expect(try count(tides) == 2)
        try addPage(to: tides)
        try context.save()
        try tides.setValue("Moon", forKey: "title")
        try context.save()
        let other = ManagedObjectContext(coordinator: coordinator)
        #expect(try count(other.existingObject(with: tides.objectID)) == 3)
        try context.refresh(tides, mergeChanges: false)
        #expect(try count(tides) == 3)
        try tides.setValue("Sun", forKey: "title")
        try context.save()
        try context.refresh(tides, mergeChanges: true)
        #expect(try count(tides) == 3 && tides.string("searchTitle") == "sun")
    }

    @Test func otherContextsReadAnewWhatTheTriggerWrote() throws {
        let other = ManagedObjectContext(coordinator: coordinator)
        let theirs = try book("Tides", in: other)
        #expect(try count(theirs) == 2)
        let recorder = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: context)
        try addPage(to: book("Tides"))
        try context.save()
        let fresh = ManagedObjectContext(coordinator: coordinator)
        #expect(try count(fresh.existingObject(with: theirs.objectID)) == 3, "the row cache forgot the row")
        for notification in recorder.notifications { try other.mergeChanges(fromContextDidSave: notification) }
        #expect(try count(theirs) == 3)
    }

    @Test func aFetchThatRefreshesShowsIt() throws {
        let tides = try book("Tides")
        try addPage(to: tides)
        try context.save()
        var request = FetchRequest(entityName: "Book", predicate: .compare("pagesCount", .equal, Int64(3)))
        request.shouldRefreshRefetchedObjects = true
        #expect(try context.fetch(request) == [tides])
        #expect(try count(tides) == 3)
    }

    @Test func movingAndDeletingPagesIsHeardToo() throws {
        let (tides, winds) = (try book("Tides"), try book("Winds"))
        let pages = try context.fetch(FetchRequest(entityName: "Page"))
        try pages[0].setValue(winds, forKey: "book")
        try context.save()
        try context.refreshAllObjects()
        #expect(try [count(tides), count(winds)] == [1, 1])
        context.delete(pages[1])
        try context.save()
        try context.refreshAllObjects()
        #expect(try [count(tides), count(winds)] == [0, 1])
    }

    @Test func whatIsSetIsNotWritten() throws {
        let tides = try book("Tides")
        try tides.setValue(Int64(77), forKey: "pagesCount")
        try context.save()
        #expect(try file.database().lines("SELECT Z_OPT, ZPAGESCOUNT FROM ZBOOK WHERE Z_PK = 1") == ["3|2"])
        #expect(try count(tides) == 2)
        try tides.setValue(Int64(78), forKey: "pagesCount")
        try tides.setValue("Moon", forKey: "title")
        try context.save()
        #expect(
            try file.database().lines("SELECT Z_OPT, ZPAGESCOUNT, ZSEARCHTITLE FROM ZBOOK WHERE Z_PK = 1") == [
                "4|2|moon"
            ])
        let new = try EntityDescription.insertNewObject(forEntityName: "Book", into: context)
        try new.setValue("Ébb", forKey: "title")
        try new.setValue(Int64(79), forKey: "pagesCount")
        try addPage(to: new)
        try context.save()
        try context.refresh(new, mergeChanges: false)
        #expect(try count(new) == 1)
        #expect(try new.string("searchTitle") == "ebb")
    }

    /// The next save must not meet a conflict with what the trigger did to the row.
    @Test func anObjectThatTheTriggerChangedIsSavedAgainAndAgain() throws {
        let tides = try book("Tides")
        for number in 1...3 {
            try addPage(to: tides)
            try tides.setValue("Tides \(number)", forKey: "title")
            try context.save()
        }
        try context.refresh(tides, mergeChanges: false)
        #expect(try count(tides) == 5)
        #expect(try tides.string("searchTitle") == "tides 3")
        let savedAt = try #require(try tides.value(forKey: "savedAt") as? Date)
        #expect(savedAt > Date(timeIntervalSinceReferenceDate: 600_000_001))
    }

    @Test func overwritingDoesNotBringBackAStaleCount() throws {
        let other = ManagedObjectContext(coordinator: coordinator)
        context.mergePolicy = .overwrite
        let tides = try book("Tides")
        let theirs = try book("Tides", in: other)
        try theirs.setValue("Theirs", forKey: "title")
        try addPage(to: theirs, in: other)
        try other.save()
        try tides.setValue("Mine", forKey: "title")
        try context.save()
        #expect(try file.database().lines("SELECT ZTITLE, ZPAGESCOUNT FROM ZBOOK WHERE Z_PK = 1") == ["Mine|3"])
    }

    @Test func batchRequestsAreHeard() throws {
        let tides = try book("Tides")
        _ = try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Page")))
        try context.refresh(tides, mergeChanges: false)
        #expect(try count(tides) == 0)
        let request = BatchUpdateRequest(entityName: "Book", set: ["pagesCount": 5])
        let error = expectError(.invalidRequest) { try context.execute(request) }
        #expect(error?.message.contains("Book.pagesCount is a derived attribute") == true)
        let insertion = BatchInsertRequest(entityName: "Book", objects: [["title": "Sun", "pagesCount": Int64(9)]])
        _ = try context.execute(insertion)
        #expect(try count(book("Sun")) == 0)
    }

    @Test func triggersThatReportNothingMakeTheCacheForget() throws {
        try file.database().execute(
            """
            CREATE TRIGGER OTHER AFTER INSERT ON ZPAGE BEGIN UPDATE "ZBOOK" SET ZTITLE = upper(ZTITLE), Z_OPT = Z_OPT WHERE \
            Z_PK = NEW.ZBOOK; END
            """)
        let context = ManagedObjectContext(coordinator: try file.coordinator(context.model))
        let tides = try book("Tides", in: context)
        try addPage(to: tides, in: context)
        try context.save()
        try context.refresh(tides, mergeChanges: false)
        #expect(try tides.string("title") == "TIDES")
        try tides.setValue("Moon", forKey: "title")
        try context.save()
        #expect(
            try file.database().value("SELECT ZTITLE FROM ZBOOK WHERE Z_PK = 1") == "Moon", "it is no derived attribute"
        )
    }

    @Test func theTextOfATriggerTellsWhatItSets() {
        let trigger = TriggerText(
            """
            CREATE TRIGGER t AFTER UPDATE OF ZA ON ZP WHEN NEW.ZA = 'UPDATE ZX SET ZY = 1' BEGIN
            UPDATE OR IGNORE [ZB] SET "za" = (SELECT MAX(1, 2), 3 FROM ZP WHERE ZQ = 1), ZC = IFNULL(ZC, 0) + 1 /* , ZD = 1 */
            WHERE Z_PK = NEW.ZB; -- UPDATE ZE SET ZF = 1
            DELETE FROM ZG; INSERT INTO ZH SELECT 1 FROM ZI; SELECT NSCoreDataTriggerUpdateAffectedObjectValue('ZB'); END
            """)
        #expect(trigger.columns == ["ZB": ["ZA", "ZC"]])
        #expect(trigger.tables == ["ZB", "ZG", "ZH"])
        #expect(trigger.reports)
    }
}
