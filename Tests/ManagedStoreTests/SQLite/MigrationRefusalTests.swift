import Foundation
import Testing

@testable import ManagedStore

/// What no migration mends is refused, with what differs and what to do, and the file stays as it is.
@Suite struct MigrationRefusalTests {
    private static let note = AttributeDescription("note", .string, isOptional: true)

    @Test func aRequiredAttributeNeedsADefault() throws {
        let message = try VersionedFile.withItems().refusal(
            VersionedFile.entity("Item", AttributeDescription("rank", .integer64)))
        #expect(message.contains("lacks ZRANK, and Item.rank is required: give it a default value"), "\(message)")
    }

    @Test func aRequiredRelationshipIsRefused() throws {
        let album = RelationshipDescription("album", to: "Album", isOptional: false)
        let message = try VersionedFile.withItems().refusal(
            VersionedFile.entity("Item", relationships: [album]), VersionedFile.entity("Album"))
        #expect(message.contains("lacks ZALBUM, and Item.album is required: make it optional"), "\(message)")
    }

    @Test func anAttributeOfAnotherTypeIsRefused() throws {
        let message = try VersionedFile.withItems().refusal(
            EntityDescription(name: "Item", attributes: [AttributeDescription("name", .date)]))
        #expect(message.contains("ZITEM.ZNAME is VARCHAR, which cannot hold Item.name (date)"), "\(message)")
    }

    /// Its values would seem to be gone.
    @Test func anAttributeThatWasRenamedIsRefused() throws {
        let file = try VersionedFile.withItems()
        let renamed = EntityDescription(
            name: "Item", attributes: [AttributeDescription("title", .string, isOptional: true)])
        let message = try file.refusal(renamed)
        #expect(message.contains("ALTER TABLE ZITEM RENAME COLUMN ZNAME TO ZTITLE"), "\(message)")
        try file.database().execute("ALTER TABLE ZITEM RENAME COLUMN ZNAME TO ZTITLE")
        #expect(try file.open(renamed).only("Item", "title", "a").string("title") == "a")
    }

    private static func item(_ name: String, inverse: String = "items", isOrdered: Bool = false) -> EntityDescription {
        VersionedFile.entity(
            "Item",
            relationships: [
                RelationshipDescription(name, to: "Tag", inverse: inverse, isToMany: true, isOrdered: isOrdered)
            ])
    }

    private static func tag(_ name: String, inverse: String) -> EntityDescription {
        VersionedFile.entity(
            "Tag", relationships: [RelationshipDescription(name, to: "Item", inverse: inverse, isToMany: true)])
    }

    @Test func aManyToManyRelationshipThatWasRenamedIsRefusedWithTheWayToRenameIt() throws {
        let file = try VersionedFile()
        let context = try file.open(Self.item("tags", isOrdered: true), Self.tag("items", inverse: "tags"))
        let item = try context.insert("Item", "a")
        try item.setValue([try context.insert("Tag", "red"), try context.insert("Tag", "blue")], forKey: "tags")
        try context.save()
        try context.persistentStoreCoordinator.removePersistentStore()
        let renamed = [Self.item("labels", inverse: "things", isOrdered: true), Self.tag("things", inverse: "labels")]
        let message = try file.refusal(renamed[0], renamed[1])
        let start = try #require(message.range(of: "rename the table as well ("))
        let end = try #require(message.range(of: "), else keep the old relationship"))
        try file.database().execute(String(message[start.upperBound..<end.lowerBound]))
        let reader = try file.open(renamed[0], renamed[1])
        let labels = try reader.only("Item", "name", "a").value(forKey: "labels")
        #expect(try (labels as? [ManagedObject])?.map { try $0.string("name") } == ["red", "blue"])
    }

    /// Which of the two columns leads where, no name tells.
    @Test func aRenamedRelationshipOfAnEntityToItselfIsRefusedWithoutStatements() throws {
        func person(_ names: [String]) -> EntityDescription {
            VersionedFile.entity(
                "Person",
                relationships: zip(names, names.reversed()).map {
                    RelationshipDescription($0, to: "Person", inverse: $1, isToMany: true)
                })
        }
        let file = try VersionedFile()
        try file.open(person(["children", "parents"])).persistentStoreCoordinator.removePersistentStore()
        let message = try file.refusal(person(["kids", "olders"]))
        #expect(message.contains("each of which keeps its direction") && !message.contains("ALTER TABLE"), "\(message)")
    }

    /// A table in use, and pairs of other entities, are not those of a renamed relationship.
    @Test func anotherManyToManyRelationshipIsAdded() throws {
        let file = try VersionedFile()
        func open(_ names: [(String, String)], friends: Bool = false) throws -> ManagedObjectContext {
            let item = names.map { RelationshipDescription($0.0, to: "Tag", inverse: $0.1, isToMany: true) }
            let own = RelationshipDescription("friends", to: "Item", inverse: "friends", isToMany: true)
            let tag = names.map { RelationshipDescription($0.1, to: "Item", inverse: $0.0, isToMany: true) }
            return try file.open(
                VersionedFile.entity("Item", relationships: item + (friends ? [own] : [])),
                VersionedFile.entity("Tag", relationships: tag))
        }
        _ = try open([("tags", "items")])
        let context = try open([("tags", "items"), ("labels", "things")])
        try context.insert("Item", "a").setValue(Set([try context.insert("Tag", "red")]), forKey: "labels")
        try context.save()
        _ = try open([], friends: true)
    }

    @Test func aRequiredAttributeThatWasRenamedIsRefusedWithTheWayToRenameIt() throws {
        let file = try VersionedFile.withItems()
        let renamed = EntityDescription(name: "Item", attributes: [AttributeDescription("title", .string)])
        let message = try file.refusal(renamed)
        #expect(message.contains("ALTER TABLE ZITEM RENAME COLUMN ZNAME TO ZTITLE"), "\(message)")
    }

    /// Which of the two columns were whose would depend on the order in which they came.
    @Test func anAttributeNamedAsASiblingsIsRefused() throws {
        let file = try VersionedFile()
        let base = VersionedFile.entity("Item")
        let (left, right) = (
            VersionedFile.entity("Left", superentity: base), VersionedFile.entity("Right", Self.note, superentity: base)
        )
        _ = try file.open(base, left, right)
        let clashing = VersionedFile.entity("Left", Self.note, superentity: base)
        let message = try file.refusal(base, clashing, right)
        #expect(message.contains("Left.note, Right.note share a name in table ZITEM"), "\(message)")
    }

    /// A file in which both of two siblings have a note, the right one "kept".
    private func fileWithNotes() throws -> VersionedFile {
        let file = try VersionedFile()
        let base = VersionedFile.entity("Item")
        let siblings = ["Left", "Right"].map { VersionedFile.entity($0, Self.note, superentity: base) }
        let context = try file.open(base, siblings[0], siblings[1])
        try context.insert("Left", "a").setValue("gone", forKey: "note")
        try context.insert("Right", "b").setValue("kept", forKey: "note")
        try context.save()
        return file
    }

    /// Its column keeps its number, since its rows show which one it is.
    @Test func anAttributeWhoseNamesakeIsGoneKeepsItsValues() throws {
        let file = try fileWithNotes()
        let base = VersionedFile.entity("Item")
        let right = VersionedFile.entity("Right", Self.note, superentity: base)
        let context = try file.open(base, VersionedFile.entity("Left", superentity: base), right)
        let object = try context.only("Right", "name", "b")
        #expect(try object.string("note") == "kept")
        try object.setValue("changed", forKey: "note")
        try context.save()
        #expect(try file.database().rows("SELECT ZNOTE FROM ZITEM ORDER BY Z_PK")[0] == ["gone"])
    }

    /// Which of the two columns the common attribute were to have would hide the other.
    @Test func anAttributeThatMovesToTheSuperentityIsRefused() throws {
        let base = VersionedFile.entity("Item", Self.note)
        let message = try fileWithNotes().refusal(
            base, VersionedFile.entity("Left", superentity: base), VersionedFile.entity("Right", superentity: base))
        #expect(message.contains("Item.note: ZNOTE, ZNOTE1"), "\(message)")
    }

    /// The column of the new one would be that of the old one, whose name is the same with a digit.
    @Test func anAttributeWhoseColumnIsAnotherOnesIsRefused() throws {
        let file = try VersionedFile()
        let base = VersionedFile.entity("Item")
        let (note, note1) = (Self.note, AttributeDescription("note1", .string, isOptional: true))
        let left = VersionedFile.entity("Left", note, superentity: base)
        _ = try file.open(base, left, VersionedFile.entity("Right", note1, superentity: base))
        let message = try file.refusal(base, left, VersionedFile.entity("Right", note, note1, superentity: base))
        #expect(message.contains("whose own column ZNOTE1 would be another property's"), "\(message)")
    }

    @Test func anEntityThatInheritsOnlyNowIsRefused() throws {
        let base = VersionedFile.entity("Base")
        let message = try VersionedFile.withItems().refusal(base, VersionedFile.entity("Item", superentity: base))
        #expect(message.contains("Item inherits from none in the file, from Base in the model"), "\(message)")
    }

    @Test func aTableOfNoEntityIsRefused() throws {
        let file = try VersionedFile.withItems()
        try file.database().execute("CREATE TABLE ZALBUM (Z_PK INTEGER PRIMARY KEY)")
        let message = try file.refusal(VersionedFile.entity("Item"), VersionedFile.entity("Album"))
        #expect(message.contains("the file has no entity Album, but a table ZALBUM"), "\(message)")
        #expect(message.contains("rename the table (ALTER TABLE ZALBUM RENAME TO ...)"), "\(message)")
        try file.database().execute("ALTER TABLE ZALBUM RENAME TO records")
        _ = try file.open(VersionedFile.entity("Item"), VersionedFile.entity("Album"))
    }

    @Test func aTableThatIsMissingIsRefusedWithWhatToDo() throws {
        let file = try VersionedFile()
        let base = VersionedFile.entity("Base")
        let (left, right) = (VersionedFile.entity("Left", superentity: base), VersionedFile.entity("Right"))
        try file.open(base, left, right).persistentStoreCoordinator.removePersistentStore()
        try file.database().execute("ALTER TABLE ZBASE RENAME TO t")
        _ = try file.refusal(base, left, right)
        try file.database().execute("ALTER TABLE t RENAME TO ZBASE")
        try file.open(base, left, right).persistentStoreCoordinator.removePersistentStore()
        try file.database().execute("DROP TABLE ZBASE")
        let message = try file.refusal(base, left, right)
        #expect(message.contains("the file has the entity Base, but no table ZBASE: restore the file"), "\(message)")
        let statement = try #require(message.firstMatch(of: /DELETE FROM [^;]*/)?.output)
        try file.database().execute(String(statement))
        let context = try file.open(base, left, right)
        try context.insert("Left", "a")
        try context.save()
    }

    @Test(arguments: ["", " STORED"]) func aGeneratedColumnIsRefused(storage: String) throws {
        let file = try VersionedFile()
        _ = try file.open(VersionedFile.entity("Item"))
        try file.database().execute(
            "DROP TABLE ZITEM; CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, "
                + "ZNOTE VARCHAR AS (upper(ZNAME))\(storage))")
        let message = try file.refusal(VersionedFile.entity("Item", Self.note))
        #expect(message.contains("ZITEM.ZNOTE is a generated column, which cannot be written"), "\(message)")
        // One that the model does not have is left alone.
        let context = try file.open(VersionedFile.entity("Item"))
        try context.insert("Item", "a")
        try context.save()
        #expect(try file.database().value("SELECT ZNOTE FROM ZITEM") == "A")
    }

    /// What is found out only while the file is written leaves it in the journal mode that it has.
    @Test func aFileThatIsRefusedLateKeepsItsJournalMode() throws {
        let file = try VersionedFile.withItems()
        try file.database().execute("PRAGMA journal_mode=DELETE; UPDATE ZITEM SET ZNAME = 'a'")
        let unique = EntityDescription(
            name: "Item", attributes: [VersionedFile.name], uniquenessConstraints: [["name"]])
        let message = try file.refusal(unique)
        #expect(message.contains("share values which must be unique in the model"), "\(message)")
        try file.database().execute("UPDATE ZITEM SET ZNAME = 'b' WHERE Z_PK = 2")
        _ = try file.open(unique)
        #expect(try file.database().value("PRAGMA journal_mode") == "wal")
    }

    /// A log that was left behind is not written back by a store that then refuses the file.
    @Test func aFileThatIsRefusedLateKeepsItsLog() throws {
        let file = try VersionedFile.withItems()
        let context = try file.open(VersionedFile.entity("Item"))
        try context.insert("Item", "a")
        try context.save()
        let left = try file.directory.contents()
        try context.persistentStoreCoordinator.removePersistentStore()
        for (name, bytes) in left where !name.hasSuffix("-shm") { try file.directory.write(bytes, to: name) }
        let unique = EntityDescription(
            name: "Item", attributes: [VersionedFile.name], uniquenessConstraints: [["name"]])
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: [unique]))
        expectError(.incompatibleStore) {
            try coordinator.addPersistentStore(.sqlite, at: file.url, options: SQLiteStoreOptions(synchronous: .off))
        }
        let after = try file.directory.contents()
        for (name, bytes) in left where !name.hasSuffix("-shm") { #expect(after[name] == bytes, "\(name)") }
        #expect(left["store.sqlite-wal"]?.isEmpty == false)
        #expect(try file.open(VersionedFile.entity("Item")).fetch(FetchRequest(entityName: "Item")).count == 3)
    }

    @Test func migrationCanBeTurnedOff() throws {
        let file = try VersionedFile.withItems()
        let message = try file.refusal(VersionedFile.entity("Item", Self.note), migrates: false)
        #expect(message.contains("table ZITEM lacks ZNOTE; set migratesAutomatically"), "\(message)")
    }

    @Test func aMigrationThatFailsLeavesTheFileAsItIs() throws {
        let file = try VersionedFile.withItems()
        try file.database().execute(
            "CREATE TRIGGER stop BEFORE UPDATE ON ZITEM WHEN OLD.ZNAME = 'b' BEGIN SELECT RAISE(ABORT, 'not now'); END")
        let before = try file.dump()
        let rank = AttributeDescription("rank", .integer64, defaultValue: .integer64(1))
        let error = expectError(.storeFailure) {
            try file.open(VersionedFile.entity("Album"), VersionedFile.entity("Item", rank))
        }
        #expect(error?.message.contains("could not be migrated") == true && error?.message.contains("not now") == true)
        #expect(try file.dump() == before)
        try file.database().execute("DROP TRIGGER stop")
        #expect(
            try file.open(VersionedFile.entity("Item", rank)).only("Item", "name", "b").value(forKey: "rank") as? Int64
                == 1)
    }
}
