import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// The tables of many-to-many relationships with similar names are told apart.
@Suite struct JoinTableNameTests {
    private func model(_ names: [String]) throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            VersionedFile.entity(
                "Item",
                relationships: names.map {
                    RelationshipDescription($0, to: "Tag", inverse: "of\($0)", isToMany: true)
                }),
            VersionedFile.entity(
                "Tag",
                relationships: names.map {
                    RelationshipDescription("of\($0)", to: "Item", inverse: $0, isToMany: true)
                }),
        ])
    }

    @Test(arguments: Backend.databases) func aNewRelationshipGetsATableOfItsOwn(_ backend: Backend) throws {
        let store = try TestStore(backend, model: try model(["tags2"]))
        let context = store.context()
        let red = try context.insert("Tag", "red")
        try context.insert("Item", "a").setValue(Set([red]), forKey: "tags2")
        try context.save()
        let newer = ManagedObjectContext(coordinator: try store.secondCoordinator(try model(["tags", "tags2"])))
        let item = try newer.only("Item", "name", "a")
        #expect((try item.value(forKey: "tags") as? Set<ManagedObject>)?.count == 0)
        #expect((try item.value(forKey: "tags2") as? Set<ManagedObject>)?.count == 1)
    }
}
