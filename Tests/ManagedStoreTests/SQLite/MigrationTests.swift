import Foundation
import Testing

@testable import ManagedStore

/// A file made with an older model is given what it lacks when it is opened.
@Suite struct MigrationTests {
    private static let note = AttributeDescription("note", .string, isOptional: true)

    @Test func anOptionalAttributeIsAdded() throws {
        let file = try VersionedFile.withItems()
        let context = try file.open(VersionedFile.entity("Item", Self.note))
        let item = try context.only("Item", "name", "a")
        #expect(try item.value(forKey: "note") == nil)
        try item.setValue("new", forKey: "note")
        try context.save()
        #expect(
            try file.database().lines("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME, ZNOTE FROM ZITEM") == [
                "1|1|2|a|new", "2|1|1|b|",
            ])
        #expect(try file.database().lines("SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY") == ["1|Item|2"])
    }

    @Test func defaultValuesAreFilledIn() throws {
        let file = try VersionedFile.withItems()
        let context = try file.open(
            VersionedFile.entity(
                "Item", AttributeDescription("done", .boolean, defaultValue: .boolean(true)),
                AttributeDescription("due", .date, isOptional: true, defaultValue: .date(60.5)),
                AttributeDescription("mark", .string, defaultValue: .string("it's\u{0}")),
                AttributeDescription("price", .decimal, defaultValue: .decimal(1.25))))
        let item = try context.only("Item", "name", "b")
        #expect(try item.value(forKey: "done") as? Bool == true)
        #expect(try item.value(forKey: "due") as? Date == Date(timeIntervalSinceReferenceDate: 60.5))
        #expect(try item.string("mark") == "it's\u{0}")
        #expect(try item.value(forKey: "price") as? Decimal == 1.25)
        #expect(
            try file.database().lines("SELECT ZDONE, ZDUE, ZPRICE, Z_OPT FROM ZITEM") == [
                "1|60.5|1.25|1", "1|60.5|1.25|1",
            ])
    }

    @Test func anAttributeThatBecomesRequiredGetsItsDefault() throws {
        let file = try VersionedFile.withItems()
        _ = try file.open(VersionedFile.entity("Item", Self.note))
        let required = AttributeDescription("note", .string, defaultValue: .string("none"))
        for _ in 0..<2 {
            let context = try file.open(VersionedFile.entity("Item", required))
            let item = try context.only("Item", "name", "a")
            #expect(try item.string("note") == "none")
            try item.setValue("a", forKey: "name")
            try item.setValue("x", forKey: "note")
            try context.save()
            try context.persistentStoreCoordinator.removePersistentStore()
            // The older model may make rows without a value again.
            let old = try file.open(VersionedFile.entity("Item", Self.note))
            try old.only("Item", "name", "a").setValue(nil, forKey: "note")
            try old.save()
            try old.persistentStoreCoordinator.removePersistentStore()
        }
        let kept = try file.open(VersionedFile.entity("Item", required), migrates: false)
        #expect(try kept.only("Item", "name", "a").string("note") == nil)
        try kept.persistentStoreCoordinator.removePersistentStore()
        let context = try file.open(VersionedFile.entity("Item", required))
        #expect(try context.fetch(FetchRequest(entityName: "Item")).map { try $0.string("note") } == ["none", "none"])
        #expect(context.persistentStoreCoordinator.metadata.isEmpty)
    }

    /// Only the rows of the entity that declares it.
    @Test func aSubentitysAttributeThatBecomesRequiredGetsItsDefault() throws {
        let file = try VersionedFile()
        func models(isOptional: Bool) -> [EntityDescription] {
            let item = VersionedFile.entity("Item")
            let mark = AttributeDescription(
                "mark", .integer64, isOptional: isOptional, defaultValue: isOptional ? nil : .integer64(7))
            return [item, VersionedFile.entity("Note", mark, superentity: item)]
        }
        let before = models(isOptional: true)
        let old = try file.open(before[0], before[1])
        try old.insert("Item", "a")
        try old.insert("Note", "b")
        try old.save()
        try old.persistentStoreCoordinator.removePersistentStore()
        let after = models(isOptional: false)
        let context = try file.open(after[0], after[1])
        #expect(try context.only("Note", "name", "b").value(forKey: "mark") as? Int64 == 7)
        #expect(try file.database().lines("SELECT ZNAME, ZMARK, Z_OPT FROM ZITEM ORDER BY ZNAME") == ["a||1", "b|7|1"])
    }

    @Test func aNewEntityLeavesNumbersAsTheyAre() throws {
        let file = try VersionedFile.withItems()
        let context = try file.open(VersionedFile.entity("Album"), VersionedFile.entity("Item"))
        try context.insert("Album", "first")
        try context.save()
        #expect(
            try file.database().lines("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY")
                == ["1|Item|0|2", "2|Album|0|1"])
        #expect(try file.database().lines("SELECT Z_ENT, ZNAME FROM ZALBUM") == ["2|first"])
        #expect(try context.fetch(FetchRequest(entityName: "Item")).count == 2)
    }

    @Test func relationshipsAreAdded() throws {
        let file = try VersionedFile.withItems()
        let item = VersionedFile.entity(
            "Item",
            relationships: [
                RelationshipDescription("album", to: "Album", inverse: "items"),
                RelationshipDescription("albums", to: "Album", inverse: "members", isToMany: true),
            ])
        let album = VersionedFile.entity(
            "Album",
            relationships: [
                RelationshipDescription("items", to: "Item", inverse: "album", isToMany: true, isOrdered: true),
                RelationshipDescription("members", to: "Item", inverse: "albums", isToMany: true),
            ])
        let context = try file.open(album, item)
        let (a, b) = (try context.only("Item", "name", "a"), try context.only("Item", "name", "b"))
        let new = try context.insert("Album", "new")
        try new.setValue([b, a], forKey: "items")
        try new.setValue([a], forKey: "members")
        try context.save()
        let later = try file.open(album, item)
        let again = try later.only("Album", "name", "new")
        #expect(try again.strings("name", of: "items") == ["b", "a"])
        #expect((try again.value(forKey: "members") as? Set<ManagedObject>)?.count == 1)
        #expect(
            try file.database().lines("SELECT name FROM sqlite_master WHERE name = 'ZITEM_ZALBUM_INDEX'").count == 1)
    }

    @Test func aSubentityIsAddedAndReferencesToldApart() throws {
        let file = try VersionedFile()
        let owner = VersionedFile.entity("Owner", relationships: [RelationshipDescription("item", to: "Item")])
        let first = try file.open(VersionedFile.entity("Item"), owner)
        let (item, mine) = (try first.insert("Item", "plain"), try first.insert("Owner", "mine"))
        try mine.setValue(item, forKey: "item")
        try first.save()
        let base = VersionedFile.entity("Item")
        let special = VersionedFile.entity(
            "Special", AttributeDescription("rank", .integer64, defaultValue: .integer64(7)), superentity: base)
        let context = try file.open(base, special, owner)
        #expect(try context.only("Owner", "name", "mine").object("item")?.string("name") == "plain")
        let new = try context.insert("Special", "special")
        try context.only("Owner", "name", "mine").setValue(new, forKey: "item")
        try context.save()
        let database = try file.database()
        #expect(
            try database.lines("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY") == [
                "1|Item|0", "2|Owner|0", "3|Special|1",
            ])
        #expect(try database.lines("SELECT Z_ENT, ZNAME, ZRANK FROM ZITEM") == ["1|plain|", "3|special|7"])
        #expect(try database.lines("SELECT ZITEM, Z1_ITEM FROM ZOWNER") == ["2|3"])
    }

    @Test func onlyRowsOfTheEntityGetItsDefault() throws {
        let file = try VersionedFile()
        func model(_ rank: AttributeDescription...) -> [EntityDescription] {
            let base = VersionedFile.entity("Item")
            return [
                base, EntityDescription(name: "Left", attributes: rank, superentity: base),
                VersionedFile.entity("Right", superentity: base),
            ]
        }
        let old = model()
        let context = try file.open(old[0], old[1], old[2])
        for name in ["Item", "Left", "Right"] { try context.insert(name, name) }
        try context.save()
        let new = model(AttributeDescription("rank", .integer32, defaultValue: .integer32(5)))
        _ = try file.open(new[0], new[1], new[2])
        #expect(
            try file.database().lines("SELECT ZNAME, ZRANK FROM ZITEM ORDER BY ZNAME") == ["Item|", "Left|5", "Right|"])
    }

    @Test func aRelationshipThatComesToBeOrderedHasAnOrder() throws {
        let file = try VersionedFile()
        func album(ordered: Bool) -> EntityDescription {
            VersionedFile.entity(
                "Album",
                relationships: [
                    RelationshipDescription("items", to: "Item", inverse: "album", isToMany: true, isOrdered: ordered)
                ])
        }
        let item = VersionedFile.entity(
            "Item", relationships: [RelationshipDescription("album", to: "Album", inverse: "items")])
        let context = try file.open(album(ordered: false), item)
        let owner = try context.insert("Album", "album")
        for name in ["a", "b", "c"] { try context.insert("Item", name).setValue(owner, forKey: "album") }
        try context.save()
        let migrated = try file.open(album(ordered: true), item)
        let names = try migrated.only("Album", "name", "album").strings("name", of: "items")
        #expect(names == ["a", "b", "c"])
    }

    @Test func whatTheModelNoLongerHasStays() throws {
        let file = try VersionedFile()
        let context = try file.open(VersionedFile.entity("Item", Self.note), VersionedFile.entity("Album"))
        try context.insert("Item", "a").setValue("kept", forKey: "note")
        try context.save()
        let later = try file.open(VersionedFile.entity("Item"))
        try later.only("Item", "name", "a").setValue("b", forKey: "name")
        try later.save()
        #expect(try file.database().lines("SELECT ZNAME, ZNOTE FROM ZITEM") == ["b|kept"])
    }
}
