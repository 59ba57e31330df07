import Foundation
import Testing

@testable import ManagedStore

/// Names of entities, attributes and relationships in the letters of any script.
@Suite struct NamesOfAnyScriptTests {
    private static func model(_ more: [AttributeDescription] = []) throws -> ManagedObjectModel {
        let shelf = EntityDescription(
            name: "Œuvre", attributes: [AttributeDescription("ім_я", .string)],
            relationships: [RelationshipDescription("本", to: "Книга", inverse: "棚", isToMany: true)])
        let book = EntityDescription(
            name: "Книга",
            attributes: [
                AttributeDescription("größe", .integer64), AttributeDescription("名前", .string, isOptional: true),
            ] + more, relationships: [RelationshipDescription("棚", to: "Œuvre", inverse: "本")],
            uniquenessConstraints: [["größe"]], fetchIndexes: [["名前"]])
        return try ManagedObjectModel(entities: [shelf, book])
    }

    private func insert(_ entity: String, into context: ManagedObjectContext) throws -> ManagedObject {
        try EntityDescription.insertNewObject(forEntityName: entity, into: context)
    }

    @Test(arguments: Backend.allCases) func whatTheyNameIsStoredFoundAndSorted(_ backend: Backend) throws {
        let store = try TestStore(backend, model: Self.model())
        let context = store.context()
        let shelf = try insert("Œuvre", into: context)
        try shelf.setValue("a", forKey: "ім_я")
        for number in 0..<20 {
            let book = try insert("Книга", into: context)
            try book.setValue(Int64(number), forKey: "größe")
            try book.setValue("\(number % 7)", forKey: "名前")
            try book.setValue(shelf, forKey: "棚")
        }
        try context.save()
        let other = store.context()
        let request = FetchRequest(
            entityName: "Книга",
            sortDescriptors: [
                FetchSortDescriptor(key: "名前", ascending: true), FetchSortDescriptor(key: "größe", ascending: false),
            ], predicate: .compare("größe", .less, 9 as Int64) && .compare("棚.ім_я", .equal, "a"))
        let books = try other.fetch(request)
        #expect(try books.map { try $0.value(forKey: "größe") as? Int64 } == [7, 0, 8, 1, 2, 3, 4, 5, 6])
        let found = try #require(try books.first?.value(forKey: "棚") as? ManagedObject)
        #expect((try found.value(forKey: "本") as? Set<ManagedObject>)?.count == 20)
        try insert("Книга", into: other).setValue(3 as Int64, forKey: "größe")
        expectError(.constraintConflict) { try other.save() }
    }

    @Test func aFileGainsAnAttribute() throws {
        let store = try TestStore(model: Self.model())
        let context = store.context()
        try insert("Книга", into: context).setValue(1 as Int64, forKey: "größe")
        try context.save()
        let model = try Self.model([
            AttributeDescription("più", .integer64, isOptional: true, defaultValue: .integer64(5))
        ])
        let migrated = ManagedObjectContext(
            concurrencyType: .confinement, coordinator: try store.secondCoordinator(model))
        let book = try #require(try migrated.fetch(FetchRequest(entityName: "Книга")).first)
        #expect(try book.value(forKey: "größe") as? Int64 == 1 && book.value(forKey: "più") as? Int64 == 5)
    }
}
