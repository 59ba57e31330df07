import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// A database made with an older model is given what it lacks when it is opened.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLMigrationTests {
    private static let note = AttributeDescription("note", .string, isOptional: true)
    private let store: TestStore

    /// A store with two items, "a" and "b", of an entity with a name.
    init() throws {
        store = try TestStore(.postgreSQL, model: try ManagedObjectModel(entities: [VersionedFile.entity("Item")]))
        let context = store.context()
        for name in ["a", "b"] { try context.insert("Item", name) }
        try context.save()
    }

    private func open(_ entities: EntityDescription...) throws -> ManagedObjectContext {
        let model = try ManagedObjectModel(entities: entities)
        return ManagedObjectContext(coordinator: try store.secondCoordinator(model))
    }

    /// Expects a model to be refused, and hands over what was said.
    private func refusal(_ entities: EntityDescription...) throws -> String {
        let model = try ManagedObjectModel(entities: entities)
        return expectError(.incompatibleStore) { try store.secondCoordinator(model) }?.message ?? ""
    }

    @Test func anOptionalAttributeIsAdded() throws {
        let context = try open(VersionedFile.entity("Item", Self.note))
        let item = try context.only("Item", "name", "a")
        #expect(try item.value(forKey: "note") == nil)
        try item.setValue("new", forKey: "note")
        try context.save()
        let again = try open(VersionedFile.entity("Item", Self.note)).only("Item", "name", "a")
        #expect(try again.string("note") == "new")
    }

    @Test func defaultValuesAreFilledIn() throws {
        let context = try open(
            VersionedFile.entity(
                "Item", AttributeDescription("done", .boolean, defaultValue: .boolean(true)),
                AttributeDescription("due", .date, isOptional: true, defaultValue: .date(60.5)),
                AttributeDescription("mark", .string, defaultValue: .string("it's")),
                AttributeDescription("price", .decimal, defaultValue: .decimal(1.25))))
        let item = try context.only("Item", "name", "b")
        #expect(try item.value(forKey: "done") as? Bool == true)
        #expect(try item.value(forKey: "due") as? Date == Date(timeIntervalSinceReferenceDate: 60.5))
        #expect(try item.string("mark") == "it's")
        #expect(try item.value(forKey: "price") as? Decimal == 1.25)
    }

    @Test func anAttributeThatBecomesRequiredGetsItsDefault() throws {
        _ = try open(VersionedFile.entity("Item", Self.note))
        let required = AttributeDescription("note", .string, defaultValue: .string("none"))
        let context = try open(VersionedFile.entity("Item", required))
        #expect(try context.fetch(FetchRequest(entityName: "Item")).map { try $0.string("note") } == ["none", "none"])
        try context.only("Item", "name", "a").setValue("b", forKey: "name")
        try context.save()
        #expect(context.persistentStoreCoordinator.metadata.isEmpty)
    }

    @Test func rowsOfAnOlderModelGetTheDefaultValues() throws {
        let old = store.context()
        let mark = AttributeDescription("mark", .string, defaultValue: .string("it's"))
        let new = try open(VersionedFile.entity("Item", mark))
        try old.insert("Item", "late")
        try old.save()
        #expect(try new.only("Item", "name", "late").string("mark") == "it's")
    }

    @Test func aDefaultValueThatTheServerCannotHoldIsRefused() throws {
        let mark = AttributeDescription("mark", .string, defaultValue: .string("\0"))
        let said = try refusal(VersionedFile.entity("Item", mark))
        #expect(said.contains("cannot hold a default value with the character NUL"))
    }

    @Test func entitiesAndRelationshipsAreAdded() throws {
        let item = VersionedFile.entity(
            "Item",
            relationships: [
                RelationshipDescription("album", to: "Album", inverse: "items"),
                RelationshipDescription("tags", to: "Tag", inverse: "items", isToMany: true),
            ])
        let album = VersionedFile.entity(
            "Album",
            relationships: [RelationshipDescription("items", to: "Item", inverse: "album", isToMany: true)])
        let tag = VersionedFile.entity(
            "Tag", relationships: [RelationshipDescription("items", to: "Item", inverse: "tags", isToMany: true)])
        let context = try open(album, item, tag)
        let (first, made) = (try context.only("Item", "name", "a"), try context.insert("Album", "x"))
        try first.setValue(made, forKey: "album")
        try first.setValue(Set([try context.insert("Tag", "red")]), forKey: "tags")
        try context.save()
        let request = FetchRequest<ManagedObject>(
            entityName: "Item", predicate: .any("tags", .compare("name", .equal, "red")))
        let found = try open(album, item, tag).fetch(request)
        #expect(try found.map { try $0.string("name") } == ["a"])
    }

    @Test func aConstraintIsAddedAndDropped() throws {
        let unique = EntityDescription(
            name: "Item", attributes: [VersionedFile.name], uniquenessConstraints: [["name"]])
        let context = try open(unique)
        try context.insert("Item", "a")
        expectError(.constraintConflict) { try context.save() }
        let free = try open(VersionedFile.entity("Item"))
        try free.insert("Item", "a")
        try free.save()
        #expect(try refusal(unique).contains("share values which must be unique in the model (Z_Item_UNIQUE_name)"))
    }

    @Test func whatCannotBeAddedIsNamed() throws {
        let required = try refusal(VersionedFile.entity("Item", AttributeDescription("mark", .string)))
        #expect(required.contains("table ZITEM lacks ZMARK, and Item.mark is required"))
        let typed = try refusal(EntityDescription(name: "Item", attributes: [AttributeDescription("name", .integer64)]))
        #expect(typed.contains("ZITEM.ZNAME is text, which cannot hold Item.name (integer64)"))
        let renamed = try refusal(
            EntityDescription(name: "Item", attributes: [AttributeDescription("title", .string, isOptional: true)]))
        #expect(renamed.contains("ALTER TABLE \"ZITEM\" RENAME COLUMN \"ZNAME\" TO \"ZTITLE\""))
        let options = PostgreSQLStoreOptions(migratesAutomatically: false)
        let model = try ManagedObjectModel(entities: [VersionedFile.entity("Item", Self.note)])
        let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
        let error = expectError(.incompatibleStore) {
            try coordinator.addPersistentStore(.postgreSQL, at: store.url, options: options)
        }
        #expect(error?.message.contains("table ZITEM lacks ZNOTE; set migratesAutomatically to add this") == true)
    }

    @Test func coordinatorsMayMigrateAtTheSameTime() throws {
        let model = try ManagedObjectModel(entities: [VersionedFile.entity("Item", Self.note)])
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            do {
                _ = try store.secondCoordinator(model)
            } catch {
                Issue.record(error)
            }
        }
    }
}
