import Foundation
import Testing

@testable import ManagedStore

/// Declaring what must be unique, and what SQLite is told of it.
@Suite struct UniquenessConstraintTests {
    @Test func anEntityHasItsSuperentitysConstraintsAndItsOwn() throws {
        let model = try Member.model()
        #expect(try model.entity(named: "Member").uniquenessConstraints == [["email"], ["club", "number"]])
        #expect(
            try model.entity(named: "Officer").uniquenessConstraints == [["email"], ["club", "number"], ["title"]])
    }

    @Test(
        arguments: [
            ([[]], "is empty"), ([["nmae"]], "there is no attribute"), ([["name", "name"]], "twice"),
            ([["name"], ["name"]], "twice"), ([["bytes"]], "cannot be unique"), ([["any"]], "cannot be unique"),
        ] as [([[String]], String)])
    func aConstraintThatMakesNoSenseIsRefused(_ constraints: [[String]], _ words: String) {
        let entity = EntityDescription(
            name: "Thing",
            attributes: [
                AttributeDescription("name", .string), AttributeDescription("bytes", .binaryData),
                AttributeDescription("any", .transformable),
            ], uniquenessConstraints: constraints)
        let error = expectError(.invalidModel) { try ManagedObjectModel(entities: [entity]) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func anInheritedAttributeIsMadeUniqueWhereItIsDeclared() {
        let base = EntityDescription(name: "Base", attributes: [AttributeDescription("name", .string)])
        let sub = EntityDescription(
            name: "Sub", attributes: [AttributeDescription](), superentity: base, uniquenessConstraints: [["name"]])
        let error = expectError(.invalidModel) { try ManagedObjectModel(entities: [base, sub]) }
        #expect(error?.message.contains("inherited") == true)
    }

    @Test func theFileHasAUniqueIndexPerConstraint() throws {
        let store = try TestStore(model: Member.model())
        let indexes = try store.database().rows(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND name LIKE '%UNIQUE%' ORDER BY name")
        #expect(
            indexes.map { $0[0] } == [
                "Z_Member_UNIQUE_club_number", "Z_Member_UNIQUE_email", "Z_Officer_UNIQUE_title",
            ])
        #expect(indexes[1][1] == "CREATE UNIQUE INDEX Z_Member_UNIQUE_email ON ZMEMBER (ZEMAIL)")
    }

    @Test func aFileGetsTheIndexesThatItsModelGained() throws {
        let plain = try ManagedObjectModel(entities: [
            EntityDescription(name: "Thing", attributes: [AttributeDescription("name", .string)])
        ])
        let unique = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "Thing", attributes: [AttributeDescription("name", .string)], uniquenessConstraints: [["name"]])
        ])
        let store = try TestStore(model: plain)
        let context = store.context()
        let things = try (0..<2).map { _ in
            let thing = try EntityDescription.insertNewObject(forEntityName: "Thing", into: context)
            try thing.setValue("same", forKey: "name")
            return thing
        }
        try context.save()
        let count = "SELECT COUNT(*) FROM sqlite_master WHERE name = 'Z_Thing_UNIQUE_name'"
        let error = expectError(.incompatibleStore) { try store.secondCoordinator(unique) }
        #expect(error?.message.contains("Z_Thing_UNIQUE_name") == true)
        #expect(try store.database().value(count) == "0")
        context.delete(things[0])
        try context.save()
        _ = try store.secondCoordinator(unique)
        #expect(try store.database().value(count) == "1")
    }

    private func model(_ constraints: [[String]], _ names: [String] = ["name", "other"]) throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(
                name: "Thing", attributes: names.map { AttributeDescription($0, .string, isOptional: true) },
                uniquenessConstraints: constraints)
        ])
    }

    /// The unique indexes of a file that was made with constraints on each attribute and on both, after `model` opened
    /// it.
    private func indexesLeft(
        by model: ManagedObjectModel, migrates: Bool = true
    ) throws -> (names: [String], PersistentStoreCoordinator, TestStore) {
        let store = try TestStore(model: self.model([["name"], ["other"], ["name", "other"]]))
        try store.coordinator.removePersistentStore()
        try store.database().execute("CREATE UNIQUE INDEX Z_Thing_UNIQUE_mine ON ZTHING (ZNAME, Z_PK)")
        let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            .sqlite, at: store.url, options: SQLiteStoreOptions(migratesAutomatically: migrates))
        let names = try store.database().lines(
            "SELECT substr(name, 16) FROM sqlite_master WHERE name LIKE '%UNIQUE%' ORDER BY name")
        return (names, coordinator, store)
    }

    @Test func aFileLosesTheIndexesThatItsModelLost() throws {
        let (names, coordinator, store) = try indexesLeft(by: model([["other"]]))
        #expect(names == ["mine", "other"])
        let context = ManagedObjectContext(coordinator: coordinator)
        for _ in 0..<2 {
            let thing = try EntityDescription.insertNewObject(forEntityName: "Thing", into: context)
            try thing.setValue("same", forKey: "name")
        }
        try context.save()
        withExtendedLifetime(store) {}
    }

    /// Otherwise the second one would have no index.
    @Test func constraintsWhoseIndexesHaveOneNameAreRefused() throws {
        let error = expectError(.invalidModel) { try model([["a", "b_c"], ["A_b", "c"]], ["a", "b_c", "A_b", "c"]) }
        #expect(error?.message.contains("would have one index; rename an attribute") == true)
    }

    @Test func anIndexOfWhatTheModelLacksStays() throws {
        #expect(try indexesLeft(by: model([], ["name"])).names == ["mine", "name_other", "other"])
    }

    @Test func indexesStayWhereNothingIsMigrated() throws {
        #expect(try indexesLeft(by: model([]), migrates: false).names == ["mine", "name", "name_other", "other"])
    }
}
