import Foundation
import Testing

@testable import ManagedStore

/// A file that Apple's Core Data wrote is read, changed and saved given a model that fits it.
@Suite struct CoreDataFileTests {
    @Test func rowsAreRead() throws {
        let file = try CoreDataFile()
        let context = try file.context()
        #expect(context.persistentStoreCoordinator.storeIdentifier?.uuidString == CoreDataFile.identifier)
        let home = try context.only("Folder", "name", "Home")
        #expect(try home.value(forKey: "createdAt") as? Date == Date(timeIntervalSinceReferenceDate: 694_224_000.125))
        #expect(
            try home.value(forKey: "identifier") as? UUID == UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
        let note = try context.only("Note", "title", "Shopping")
        #expect(try note.value(forKey: "isPinned") as? Bool == true, "any number but 0 is true")
        #expect(try note.value(forKey: "price") as? Decimal == 12)
        #expect(try note.value(forKey: "link") as? URL == URL(string: "https://example.com"))
        #expect(try note.value(forKey: "body") as? Data == Data([1, 255]))
        #expect(try context.fetch(FetchRequest(entityName: "Medium")).map(\.entity.name) == ["Image", "Note", "Note"])
    }

    @Test func relationshipsLeadWhereTheyDid() throws {
        let file = try CoreDataFile()
        let context = try file.context()
        let (home, ideas) = (try context.only("Folder", "name", "Home"), try context.only("Folder", "name", "Ideas"))
        #expect(try home.strings("title", of: "notes") == ["Reading", "Shopping"], "in the order of Z_FOK_FOLDER")
        #expect(try home.object("cover")?.string("title") == "Photo")
        #expect(try ideas.object("cover")?.string("title") == "Shopping")
        #expect(try ideas.object("parent") === home)
        let urgent = try context.only("Tag", "name", "urgent")
        #expect(try urgent.strings("title", of: "notes") == ["Reading", "Shopping"], "in the order of Z_FOK_4NOTES")
    }

    @Test func changesLookAsCoreDataWritesThem() throws {
        let file = try CoreDataFile()
        let context = try file.context()
        let (home, ideas) = (try context.only("Folder", "name", "Home"), try context.only("Folder", "name", "Ideas"))
        try home.setValue("House", forKey: "name")
        try ideas.setValue(try context.only("Image", "title", "Photo"), forKey: "cover")
        try context.only("Note", "title", "Reading").setValue("Books", forKey: "title")
        try context.save()
        let database = try file.database()
        #expect(
            try database.lines("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME, ZCOVER, Z2_COVER FROM ZFOLDER ORDER BY Z_PK")
                == ["1|1|13|House|3|3", "2|1|1|Ideas|3|3"])
        #expect(try database.lines("SELECT ZTITLE, ZTITLE1, Z_OPT FROM ZMEDIUM WHERE Z_PK = 7") == ["|Books|4"])
        #expect(try database.value("PRAGMA integrity_check") == "ok")
    }

    @Test func newRowsLookAsCoreDataWritesThem() throws {
        let file = try CoreDataFile()
        let context = try file.context()
        let note = try EntityDescription.insertNewObject(forEntityName: "Note", into: context)
        try note.setValue("New", forKey: "title")
        try note.setValue(try context.only("Folder", "name", "Home"), forKey: "folder")
        let tag = try EntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        try tag.setValue("new", forKey: "name")
        try tag.setValue([note], forKey: "notes")
        try context.save()
        let database = try file.database()
        #expect(
            try database.lines("SELECT Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTITLE1, ZFOLDER FROM ZMEDIUM WHERE Z_PK > 7")
                == ["8|4|1||New|1"])
        #expect(try database.lines("SELECT * FROM ZTAG WHERE Z_PK > 2") == ["3|5|1|new"], "its Z_MAX was NULL")
        #expect(try database.lines("SELECT Z_4NOTES, Z_5TAGS FROM Z_4TAGS WHERE Z_5TAGS = 3") == ["8|3"])
        #expect(
            try database.lines("SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT < 16000") == [
                "1|2", "2|8", "3|0", "4|", "5|3",
            ])
        #expect(try database.value("SELECT ZCOUNTOFNOTES FROM ZFOLDER WHERE Z_PK = 1") == "3", "the trigger ran")
    }

    @Test func historyAndWhatElseIsNotOursStays() throws {
        let file = try CoreDataFile()
        let before = try file.history()
        let context = try file.context()
        try context.only("Folder", "name", "Home").setValue("House", forKey: "name")
        context.delete(try context.only("Note", "title", "Reading"))
        try context.save()
        #expect(try file.history() == before)
        #expect(try file.database().lines("SELECT * FROM Z_4TAGS") == ["5|1|900"])
    }

    @Test func coreDatasMetadataStaysWhenOursIsSaved() throws {
        let file = try CoreDataFile()
        let context = try file.context()
        #expect(context.persistentStoreCoordinator.metadata == ["LastSynced": .date(60)])
        let before = try plist(file)
        context.persistentStoreCoordinator.metadata["Theme"] = .string("dark")
        try context.save()
        let after = try plist(file)
        #expect(NSDictionary(dictionary: after.filter { $0.key != "Theme" }) == NSDictionary(dictionary: before))
        #expect((after["NSStoreModelVersionHashes"] as? [String: Data])?["Note"] == Data(repeating: 4, count: 32))
    }

    private func plist(_ file: CoreDataFile) throws -> [String: Any] {
        let bytes = try file.database().blob("SELECT Z_PLIST FROM Z_METADATA")
        return try #require(try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any])
    }

    @Test func batchRequestsCountUpVersionsThatWereNull() throws {
        let file = try CoreDataFile()
        let request = BatchUpdateRequest(entityName: "Folder", set: ["name": "x"])
        _ = try file.context().execute(request)
        #expect(try file.database().lines("SELECT Z_OPT FROM ZFOLDER ORDER BY Z_PK") == ["13", "1"])
    }

    /// Read twice, a row without a version is saved once.
    @Test func aRowWithoutAVersionMeetsConflictsToo() throws {
        let file = try CoreDataFile()
        let (first, second) = (try file.context(), try file.context())
        let (mine, theirs) = (try first.only("Folder", "name", "Ideas"), try second.only("Folder", "name", "Ideas"))
        try theirs.setValue("Theirs", forKey: "name")
        try second.save()
        try mine.setValue("Mine", forKey: "name")
        expectError(.mergeConflict) { try first.save() }
    }
}
