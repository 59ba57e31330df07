import Foundation
import Testing

@testable import ManagedStore

/// Which differences between a model and a file that others wrote are harmless, and which are said.
@Suite struct CoreDataFileFitTests {
    private func model(_ entities: EntityDescription...) throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: entities)
    }

    private func refusal(_ file: CoreDataFile, _ model: ManagedObjectModel? = nil) throws -> String {
        let error = expectError(.incompatibleStore) { try file.context(model) }
        return error?.message ?? ""
    }

    /// Its title is in the second of two columns, which only its rows tell.
    @Test func anEntityFindsItsColumnsWithoutItsSiblings() throws {
        let file = try CoreDataFile()
        let medium = EntityDescription(name: "Medium", attributes: [AttributeDescription](), isAbstract: true)
        let note = EntityDescription(
            name: "Note", attributes: [AttributeDescription("title", .string, isOptional: true)], superentity: medium)
        let context = try file.context(try model(medium, note))
        #expect(
            try context.fetch(FetchRequest(entityName: "Medium")).map { try $0.string("title") } == [
                "Shopping", "Reading",
            ])
    }

    @Test func siblingsFindTheirColumnsInAnotherOrder() throws {
        let file = try CoreDataFile("UPDATE ZMEDIUM SET ZTITLE = ZTITLE1, ZTITLE1 = ZTITLE")
        let context = try file.context()
        #expect(try context.only("Image", "title", "Photo").entity.name == "Image")
        let note = try context.only("Note", "title", "Reading")
        try note.setValue("Books", forKey: "title")
        try context.save()
        #expect(try file.database().lines("SELECT ZTITLE, ZTITLE1 FROM ZMEDIUM WHERE Z_PK = 7") == ["Books|"])
    }

    @Test func columnsThatRowsDoNotTellApartAreRefused() throws {
        let file = try CoreDataFile("UPDATE ZMEDIUM SET ZTITLE = 'both' WHERE Z_PK = 7")
        #expect(try refusal(file).contains("Note.title: ZTITLE, ZTITLE1"))
    }

    @Test func rowsOfEntitiesThatTheModelLacksAreLeftAlone() throws {
        let file = try CoreDataFile()
        let medium = EntityDescription(
            name: "Medium", attributes: [AttributeDescription("isPinned", .boolean, isOptional: true)])
        let folder = EntityDescription(
            name: "Folder", attributes: [AttributeDescription("name", .string)],
            relationships: [RelationshipDescription("cover", to: "Medium")])
        let context = try file.context(try model(medium, folder))
        #expect(try context.fetch(FetchRequest(entityName: "Medium")).isEmpty)
        #expect(try context.only("Folder", "name", "Home").object("cover") == nil)
        let new = try EntityDescription.insertNewObject(forEntityName: "Medium", into: context)
        try context.only("Folder", "name", "Ideas").setValue(new, forKey: "cover")
        try context.save()
        #expect(try context.fetch(FetchRequest(entityName: "Medium")).count == 1)
        #expect(try file.database().lines("SELECT ZCOVER, Z2_COVER FROM ZFOLDER ORDER BY Z_PK") == ["3|3", "8|2"])
    }

    @Test func columnsThatTheModelLacksKeepWhatTheyHold() throws {
        let file = try CoreDataFile("ALTER TABLE ZTAG ADD COLUMN ZCOLOUR VARCHAR DEFAULT 'red'")
        let context = try file.context()
        try context.only("Tag", "name", "later").setValue("soon", forKey: "name")
        try context.save()
        #expect(try file.database().lines("SELECT ZNAME, ZCOLOUR FROM ZTAG") == ["urgent|red", "soon|red"])
    }

    @Test func aColumnThatNoAttributeFillsIsRefused() throws {
        let file = try CoreDataFile(
            "DROP TABLE ZTAG; CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZNAME VARCHAR, ZRANK INTEGER NOT NULL)"
        )
        #expect(try refusal(file).contains("ZTAG has ZRANK, which must not be NULL"))
    }

    @Test func anotherTypeIsRefused() throws {
        let tag = EntityDescription(name: "Tag", attributes: [AttributeDescription("name", .integer64)])
        let message = try refusal(CoreDataFile(), model(tag))
        #expect(message.contains("ZTAG.ZNAME is VARCHAR, which cannot hold Tag.name (integer64)"), "\(message)")
    }

    @Test func anotherSuperentityIsRefused() throws {
        let note = EntityDescription(name: "Note", attributes: [AttributeDescription]())
        #expect(try refusal(CoreDataFile(), model(note)).contains("Note inherits from Medium in the file, from none"))
    }

    @Test(arguments: [
        "ALTER TABLE Z_4TAGS RENAME COLUMN Z_4NOTES TO Z_4NOTES1; ALTER TABLE Z_4TAGS RENAME COLUMN Z_FOK_4NOTES TO Z_FOK_4NOTES1",
        "ALTER TABLE Z_4TAGS RENAME TO Z_4TAGS1", "ALTER TABLE Z_4TAGS RENAME TO Z_5NOTES",
    ])
    func joinTablesHaveOtherNames(_ rename: String) throws {
        let file = try CoreDataFile(rename)
        let context = try file.context()
        #expect(try context.only("Tag", "name", "urgent").strings("title", of: "notes") == ["Reading", "Shopping"])
    }

    @Test func entitiesHaveOtherNumbers() throws {
        let file = try CoreDataFile(
            """
            UPDATE Z_PRIMARYKEY SET Z_ENT = 44 WHERE Z_ENT = 4; UPDATE ZMEDIUM SET Z_ENT = 44 WHERE Z_ENT = 4;
            UPDATE ZFOLDER SET Z2_COVER = 44 WHERE Z2_COVER = 4; ALTER TABLE Z_4TAGS RENAME TO Z_44TAGS;
            ALTER TABLE Z_44TAGS RENAME COLUMN Z_4NOTES TO Z_44NOTES;
            ALTER TABLE Z_44TAGS RENAME COLUMN Z_FOK_4NOTES TO Z_FOK_44NOTES;
            """)
        let context = try file.context()
        #expect(try context.only("Folder", "name", "Ideas").object("cover")?.string("title") == "Shopping")
        #expect(try context.only("Tag", "name", "urgent").strings("title", of: "notes") == ["Reading", "Shopping"])
    }

    @Test func filesOfCoreDataAreNotMigrated() throws {
        let tag = EntityDescription(
            name: "Tag",
            attributes: [
                AttributeDescription("name", .string), AttributeDescription("note", .string, isOptional: true),
            ])
        let file = try CoreDataFile()
        let bytes = try Data(contentsOf: file.url)
        let message = try refusal(file, model(tag))
        #expect(message.contains("ZTAG lacks ZNOTE") && message.contains("Apple's Core Data"), "\(message)")
        #expect(try Data(contentsOf: file.url) == bytes)
    }
}
