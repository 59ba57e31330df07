import Foundation
import ManagedStore
import Testing

/// What others may have put into the file.
@Suite struct OddValuesTests {
    /// The only item, after `sql` ran on the file.
    private func item(_ sql: String) throws -> (ManagedObjectContext, Item) {
        let store = try TestStore()
        try store.seed(1)
        try store.database().execute(sql)
        let context = store.context()
        return (context, try #require(try context.items().first))
    }

    @Test func invalidUTF8IsRepairedWhenItIsRead() throws {
        let (context, item) = try item("UPDATE ZITEM SET ZNAME = CAST(x'61FF62' AS TEXT)")
        #expect(item.name == "a\u{FFFD}b")
        #expect(try context.items(.string("name", .beginsWith, "a")).count == 1)
        #expect(try context.items(.string("name", .endsWith, "B", .caseInsensitive)).count == 1)
    }

    @Test func invalidUTF8IsLeftAloneWhenSomethingElseChanges() throws {
        let store = try TestStore()
        try store.seed(1)
        let database = try store.database()
        try database.execute("UPDATE ZITEM SET ZNAME = CAST(x'61FF62' AS TEXT)")
        let context = store.context()
        try context.items().first?.done = true
        try context.save()
        #expect(try database.value("SELECT hex(ZNAME) || ZDONE FROM ZITEM") == "61FF621")
    }

    @Test func aMissingRequiredValueReadsAsZero() throws {
        let (_, item) = try item("UPDATE ZITEM SET ZNAME = NULL, ZDONE = NULL, ZCREATEDAT = NULL")
        #expect(item.name == "" && !item.done && item.createdAt == Date(timeIntervalSinceReferenceDate: 0))
        #expect(try item.value(forKey: "name") == nil)
    }

    @Test func numbersAreReadAsTheirAttributesType() throws {
        let (_, item) = try item("UPDATE ZITEM SET ZNAME = 12, ZDONE = 2, ZCREATEDAT = 5")
        #expect(item.name == "12" && item.done && item.createdAt == Date(timeIntervalSinceReferenceDate: 5))
    }

    /// The only object of all types, after `sql` ran on the file.
    private func everything(_ sql: String) throws -> Everything {
        let store = try TestStore()
        let context = store.context()
        Everything("a", in: context)
        try context.save()
        try store.database().execute(sql)
        var request = FetchRequest(Everything.self)
        request.returnsObjectsAsFaults = false
        return try #require(try store.context().fetch(request).first)
    }

    @Test func integersOutOfRangeAreClamped() throws {
        let read = try everything("UPDATE ZEVERYTHING SET ZSMALL = 70000, ZMEDIUM = -5000000000, ZNUMBER = 1e300")
        #expect(read.small == .max && read.medium == .min && read.number == .max)
    }

    @Test func textReadsAsTheNumberThatItBeginsWith() throws {
        let read = try everything(
            "UPDATE ZEVERYTHING SET ZSMALL = '12 apples', ZMEDIUM = 'none', ZAMOUNT = '1.5 kg', ZSINGLE = 'x'")
        #expect(read.small == 12 && read.medium == 0 && read.amount == 1.5 && read.single == 0)
        #expect(try read.value(forKey: "medium") as? Int32 == 0)
    }

    @Test func aDecimalBeyondItsTypeIsClamped() throws {
        let read = try everything("UPDATE ZEVERYTHING SET ZAMOUNT = 1e300, ZOPTIONALAMOUNT = -1e-300")
        #expect(read.amount == .greatestFiniteMagnitude && read.optionalAmount == 0)
    }

    @Test func aUUIDOfTheWrongLengthIsAnErrorThatNamesIt() throws {
        let error = expectError(.storeFailure) { try everything("UPDATE ZEVERYTHING SET ZIDENTIFIER = x'0102'") }
        #expect(error?.message.contains("table ZEVERYTHING, row 1: ZIDENTIFIER holds 2 bytes") == true)
    }

    @Test func aUUIDOfTheWrongLengthReadsAsMissingInAFaultAndStaysInTheFile() throws {
        let store = try TestStore()
        let context = store.context()
        let id = Everything("a", in: context)
        try context.save()
        let database = try store.database()
        try database.execute("UPDATE ZEVERYTHING SET ZIDENTIFIER = 'text', ZOPTIONALIDENTIFIER = x'01'")
        let other = store.context()
        other.stalenessInterval = 0
        let fault = try #require(other.object(with: id.objectID) as? Everything)
        #expect(fault.optionalIdentifier == nil && fault.text == "a")
        #expect(try fault.value(forKey: "identifier") == nil)
        fault.identifier = UUID()
        try other.save()
        #expect(try database.rows("SELECT hex(ZOPTIONALIDENTIFIER) FROM ZEVERYTHING") == [["01"]])
    }

    @Test func textThatIsNoURLReadsAsNilOrBlankAndIsAnErrorByKey() throws {
        let read = try everything("UPDATE ZEVERYTHING SET ZLINK = 'http://[', ZOPTIONALLINK = ''")
        #expect(read.link.absoluteString == "about:blank" && read.optionalLink == nil)
        let error = expectError(.wrongType) { try read.value(forKey: "link") }
        #expect(error?.message.contains("Everything.link: \"http://[\" is not a URL") == true)
        #expect(try read.storedValue(forKey: "link") == .uri("http://["))
    }

    @Test func aColumnThatTheModelDoesNotKnowIsLeftAlone() throws {
        let store = try TestStore()
        try store.coordinator.removePersistentStore()
        let database = try store.database()
        try database.execute("ALTER TABLE ZITEM ADD COLUMN ZEXTRA INTEGER DEFAULT 7")
        let context = ManagedObjectContext(coordinator: try store.secondCoordinator())
        let item = Item("a", in: context)
        try context.save()
        item.done = true
        try context.save()
        #expect(try database.rows("SELECT ZEXTRA, Z_OPT FROM ZITEM") == [["7", "2"]])
    }

    @Test func theSchemaMayChangeWhileTheStoreIsOpen() throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(2)
        try store.database().execute("CREATE INDEX ITEM_NAME ON ZITEM (ZNAME); CREATE TABLE other (a)")
        items[0].name = "changed"
        try context.save()
        #expect(try store.context().items().map(\.name) == ["changed", "Item 1"])
    }
}
