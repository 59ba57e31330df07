import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Files that Apple's Core Data wrote itself are read, changed and saved, and read again as they were saved.
@Suite(.enabled(if: AppleFiles.areThere, AppleFiles.absence)) struct AppleFileTests {
    private func library() throws -> (AppleFile, ManagedObjectContext) {
        let file = try AppleFile(AppleFiles.library)
        return (file, try file.context(AppleFile.libraryModel()))
    }

    private func objects(_ entity: String, in context: ManagedObjectContext) throws -> [ManagedObject] {
        try context.fetch(FetchRequest(entityName: entity, sortDescriptors: []))
    }

    @Test func everyRowOfTheLibraryIsRead() throws {
        let (file, context) = try library()
        let database = try file.database()
        for entity in ["Writer", "Author", "Book", "GraphicNovel", "Page", "Feedback"] {
            let expected = try context.count(for: FetchRequest(entityName: entity))
            #expect(try objects(entity, in: context).count == expected)
        }
        #expect(try objects("Book", in: context).map(\.entity.name).sorted() == ["Book", "Book", "GraphicNovel"])
        for (table, entity) in [("ZBOOK", "Book"), ("ZPAGE", "Page"), ("ZFEEDBACK", "Feedback"), ("ZWRITER", "Writer")]
        {
            let count = try database.value("SELECT COUNT(*) FROM \(table)").flatMap { Int($0) }
            #expect(try objects(entity, in: context).count == count)
        }
        let novel = try context.only("Book", "title", "title graphic novel - author 1")
        #expect(try novel.value(forKey: "isBlackAndWhite") as? Bool == true)
        #expect(try novel.value(forKey: "pagesCount") as? Int64 == 19)
        #expect(try novel.object("author")?.string("alias") == "Alessandro")
        #expect(
            try novel.value(forKey: "uniqueID") as? UUID == UUID(uuidString: "697B7706-16D7-4504-B474-226B987E1BED"))
        #expect(try (novel.value(forKey: "pages") as? Set<ManagedObject>)?.count == 19)
        let price = try #require(try novel.value(forKey: "price") as? Decimal)
        #expect(abs(NSDecimalNumber(decimal: price).doubleValue - 3.3333333333) < 1e-9)
    }

    @Test func theLibraryIsChangedSavedAndReadAgain() throws {
        let (file, context) = try library()
        let history = try file.database().lines("SELECT * FROM ACHANGE")
        let schema = try file.database().lines("SELECT type, name, sql FROM sqlite_master ORDER BY name")
        let first = try context.only("Book", "title", "title 1 - author 1")
        try first.setValue("Renamed", forKey: "title")
        try first.setValue(Decimal(string: "12.5"), forKey: "price")
        let novel = try EntityDescription.insertNewObject(forEntityName: "GraphicNovel", into: context)
        try novel.setValue(UUID(), forKey: "uniqueID")
        try novel.setValue("New", forKey: "title")
        try novel.setValue(true, forKey: "isBlackAndWhite")
        let author = try EntityDescription.insertNewObject(forEntityName: "Author", into: context)
        try author.setValue("Ada", forKey: "alias")
        try author.setValue(Int16(36), forKey: "age")
        try novel.setValue(author, forKey: "author")
        for number in 1...3 {
            let page = try EntityDescription.insertNewObject(forEntityName: "Page", into: context)
            try page.setValue(Int32(number), forKey: "number")
            try page.setValue(novel, forKey: "book")
        }
        context.delete(try context.only("Feedback", "comment", "great book"))
        context.delete(try context.only("Book", "title", "title 2 - author 1"))
        try context.save()

        let again = try file.context(AppleFile.libraryModel())
        let read = try again.only("Book", "title", "New")
        #expect(read.entity.name == "GraphicNovel")
        #expect(try read.value(forKey: "pagesCount") as? Int64 == 3)
        #expect(try read.object("author")?.value(forKey: "age") as? Int16 == 36)
        #expect(
            try again.only("Book", "title", "Renamed").value(forKey: "price") as? Decimal == Decimal(string: "12.5"))
        #expect(try objects("Book", in: again).count == 3)
        #expect(try objects("Page", in: again).count == 119 - 1 + 3)
        #expect(try objects("Feedback", in: again).count == 2)
        let database = try file.database()
        #expect(
            try database.lines("SELECT Z_ENT, Z_PK, Z_OPT, ZPAGESCOUNT FROM ZBOOK WHERE ZTITLE = 'New'") == ["2|4|1|3"])
        #expect(try database.lines("SELECT Z1_BOOK FROM ZPAGE WHERE ZBOOK = 4 GROUP BY 1") == ["2"])
        #expect(try database.value("PRAGMA integrity_check") == "ok")
        #expect(try database.lines("SELECT * FROM ACHANGE") == history)
        #expect(try database.lines("SELECT type, name, sql FROM sqlite_master ORDER BY name") == schema)
    }

    @Test func aUniqueValueThatIsThereIsAConflict() throws {
        let (_, context) = try library()
        let author = try EntityDescription.insertNewObject(forEntityName: "Author", into: context)
        try author.setValue("Alessandro", forKey: "alias")
        try author.setValue(Int16(1), forKey: "age")
        expectError(.constraintConflict) { try context.save() }
    }

    /// The indexes are made anew when rows swap values: as Core Data made them.
    @Test func swappedUniqueValuesLeaveTheIndexesAsTheyWere() throws {
        let (file, context) = try library()
        let schema = try file.database().lines("SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name")
        let books = try objects("Book", in: context)
        let ids = try books.prefix(2).map { try $0.value(forKey: "uniqueID") as? UUID }
        try books[0].setValue(ids[1], forKey: "uniqueID")
        try books[1].setValue(ids[0], forKey: "uniqueID")
        try context.save()
        #expect(
            try file.database().lines("SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name")
                == schema)
    }

    @Test func usersAreReadChangedAndReadAgain() throws {
        let file = try AppleFile(AppleFiles.users)
        let context = try file.context(AppleFile.userModel())
        let users = try objects("User", in: context)
        let rows = try file.database().lines("SELECT ZNAME, ZPETNAME FROM ZUSER ORDER BY Z_PK")
        #expect(try users.map { "\(try $0.string("name") ?? "")|\(try $0.string("petName") ?? "")" } == rows)
        try users[0].setValue("Ada", forKey: "name")
        context.delete(users[1])
        let new = try EntityDescription.insertNewObject(forEntityName: "User", into: context)
        try new.setValue("Bob", forKey: "name")
        try context.save()
        let again = try objects("User", in: file.context(AppleFile.userModel()))
        #expect(again.count == 12)
        #expect(try again.first?.string("name") == "Ada")
        #expect(try again.last?.string("name") == "Bob")
        #expect(try again.last?.string("petName") == nil)
    }

    @Test func archivesAreNeitherReadNorReplaced() throws {
        let (file, context) = try library()
        let covers = try file.database().lines("SELECT hex(ZFRONTCOVER) FROM ZBOOK")
        let book = try context.only("Book", "title", "title 1 - author 1")
        try book.setValue("Other", forKey: "title")
        try context.save()
        #expect(try file.database().lines("SELECT hex(ZFRONTCOVER) FROM ZBOOK") == covers)
        try book.setValue(Data("{}".utf8), forKey: "frontCover")
        let error = expectError(.wrongType) { try context.save() }
        #expect(error?.message.contains("Book.frontCover") == true)
        #expect(try file.database().lines("SELECT hex(ZFRONTCOVER) FROM ZBOOK") == covers)
    }

    @Test func aModelOfAuthorsAloneMayNotDeleteOneWhoHasBooks() throws {
        let file = try AppleFile(AppleFiles.library)
        let writer = EntityDescription(name: "Writer", attributes: [AttributeDescription("age", .integer16)])
        let author = EntityDescription(
            name: "Author", attributes: [AttributeDescription("alias", .string)], superentity: writer)
        let context = try file.context(try ManagedObjectModel(entities: [writer, author]))
        context.delete(try context.only("Author", "alias", "Alessandro"))
        let error = expectError(.validationRelationshipDeniedDelete) { try context.save() }
        #expect(error?.message.contains("ZBOOK") == true && error?.message.contains("ZAUTHOR") == true)
        #expect(try file.database().value("SELECT COUNT(*) FROM ZWRITER") == "1")
    }
}
