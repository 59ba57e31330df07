import Foundation
import Testing

@testable import ManagedStore

/// Core Data keeps the first name of an entity in `Z_PRIMARYKEY`, and names it in the metadata as it is called now.
@Suite struct RenamedEntityTests {
    private static func table(_ name: String, _ columns: String = "ZNAME VARCHAR, ZBOSS INTEGER") -> String {
        "CREATE TABLE \(name) ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(columns) );"
    }

    private func entity(_ name: String) -> EntityDescription {
        EntityDescription(
            name: name, attributes: [AttributeDescription("name", .string)],
            relationships: [RelationshipDescription("boss", to: name)])
    }

    @Test(arguments: ["ZPERSON", "ZWORKER"])
    func anEntityIsFoundUnderItsFormerName(_ table: String) throws {
        let file = try CoreDataSketch(
            Self.table(table) + "INSERT INTO \(table) VALUES (1, 4, 1, 'Ada', NULL), (2, 4, 1, 'Bob', 1)",
            entities: [("Worker", 4, 0, 2)], hashed: ["Person"])
        let context = try file.context(entity("Person"))
        #expect(try context.only("Person", "name", "Bob").object("boss")?.string("name") == "Ada")
        let new = try EntityDescription.insertNewObject(forEntityName: "Person", into: context)
        try new.setValue("Eve", forKey: "name")
        try context.save()
        #expect(try file.database().lines("SELECT Z_PK, Z_ENT, ZNAME FROM \(table) WHERE Z_PK > 2") == ["3|4|Eve"])
        #expect(try file.database().lines("SELECT * FROM Z_PRIMARYKEY") == ["4|Worker|0|3"])
    }

    @Test func columnsTellSeveralApart() throws {
        let file = try CoreDataSketch(
            Self.table("ZA", "ZTITLE VARCHAR") + Self.table("ZB") + "INSERT INTO ZB VALUES (1, 2, 1, 'Ada', NULL)",
            entities: [("A", 1, 0, 0), ("B", 2, 0, 1)], hashed: ["Thing", "Person"])
        #expect(try file.context(entity("Person")).only("Person", "name", "Ada").entity.name == "Person")
    }

    @Test func aSubentityIsFoundToo() throws {
        let file = try CoreDataSketch(
            Self.table("ZANIMAL", "ZNAME VARCHAR, ZLEGS INTEGER") + "INSERT INTO ZANIMAL VALUES (1, 2, 1, 'Rex', 4)",
            entities: [("Animal", 1, 0, 1), ("Doggy", 2, 1, 0)], hashed: ["Animal", "Dog"])
        let animal = EntityDescription(name: "Animal", attributes: [AttributeDescription("name", .string)])
        let dog = EntityDescription(
            name: "Dog", attributes: [AttributeDescription("legs", .integer16)], superentity: animal)
        #expect(try file.context(animal, dog).only("Animal", "name", "Rex").entity.name == "Dog")
    }

    /// The advice is followed, and helps.
    @Test func whatCannotBeToldIsRefusedWithAdviceThatHelps() throws {
        let rows = "INSERT INTO ZB VALUES (1, 2, 1, 'Ada', NULL)"
        let file = try CoreDataSketch(
            Self.table("ZA") + Self.table("ZB") + rows, entities: [("A", 1, 0, 0), ("B", 2, 0, 1)],
            hashed: ["Thing", "Person"])
        let message = try file.refusal(entity("Person"))
        #expect(message.contains("its former name may be one of A, B"), "\(message)")
        #expect(message.contains("give the entity in the model the correct one of these names"), "\(message)")
        #expect(try file.context(entity("B")).only("B", "name", "Ada").entity.name == "B")

        let renamed = try CoreDataSketch(
            Self.table("ZANIMAL", "ZNAME VARCHAR") + "INSERT INTO ZANIMAL VALUES (1, 3, 1, 'Rex')",
            entities: [("Animal", 1, 0, 1), ("A", 2, 1, 0), ("B", 3, 1, 0)], hashed: ["Animal", "Dog", "Cat"])
        let animal = EntityDescription(name: "Animal", attributes: [AttributeDescription("name", .string)])
        let dog = EntityDescription(name: "Dog", attributes: [AttributeDescription](), superentity: animal)
        let advice = try renamed.refusal(animal, dog)
        #expect(advice.contains("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Dog' WHERE Z_ENT = 2 or 3"), "\(advice)")
        try renamed.database().execute("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Dog' WHERE Z_ENT = 3")
        #expect(try renamed.context(animal, dog).only("Animal", "name", "Rex").entity.name == "Dog")
    }

    @Test func anEntityWithOtherColumnsIsNotTakenForIt() throws {
        let file = try CoreDataSketch(
            Self.table("ZWORKER", "ZTITLE VARCHAR"), entities: [("Worker", 4, 0, 0)], hashed: ["Person"])
        let message = try file.refusal(entity("Person"))
        #expect(message.contains("former name may be one of Worker") && message.contains("do not fit"), "\(message)")
    }

    @Test func theUniqueIndexUnderTheFormerNameServes() throws {
        let file = try CoreDataSketch(
            Self.table("ZWORKER") + "CREATE UNIQUE INDEX Z_Worker_UNIQUE_name ON ZWORKER (ZNAME COLLATE BINARY ASC);",
            entities: [("Worker", 4, 0, 0)], hashed: ["Person"])
        let person = EntityDescription(
            name: "Person", attributes: [AttributeDescription("name", .string)], uniquenessConstraints: [["name"]])
        let context = try file.context(person)
        for _ in 1...2 {
            try EntityDescription.insertNewObject(forEntityName: "Person", into: context).setValue(
                "Ada", forKey: "name")
        }
        expectError(.constraintConflict) { try context.save() }
        #expect(
            try file.database().lines("SELECT name FROM sqlite_master WHERE sql LIKE '%UNIQUE%'") == [
                "Z_Worker_UNIQUE_name"
            ])
    }
}
