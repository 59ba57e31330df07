import Foundation
import ManagedStore
import Testing

/// UUIDs, URLs, and values transformed by `Codable`.
@Suite struct IdentifierAttributeTests {
    private func saved(_ backend: Backend, _ change: (Everything) throws -> Void) throws -> (TestStore, Everything) {
        let store = try TestStore(backend)
        let context = store.context()
        let object = Everything("", in: context)
        try change(object)
        try context.save()
        return (store, try #require(try store.context().existingObject(with: object.objectID) as? Everything))
    }

    @Test(arguments: Backend.all) func uuidsSurvive(_ backend: Backend) throws {
        let value = UUID()
        let (_, read) = try saved(backend) { ($0.identifier, $0.optionalIdentifier) = (value, value) }
        #expect(read.identifier == value && read.optionalIdentifier == value)
        #expect(try read.value(forKey: "identifier") as? UUID == value)
    }

    @Test(
        arguments: Backend.all, ["https://example.com/a?b=c#d", "file:///tmp/%20x", "mailto:a@b", "relative/path"])
    func urlsSurvive(_ backend: Backend, _ text: String) throws {
        let value = try #require(URL(string: text))
        let (_, read) = try saved(backend) { ($0.link, $0.optionalLink) = (value, value) }
        #expect(read.link == value && read.optionalLink == value)
        #expect(try read.value(forKey: "link") as? URL == value)
    }

    @Test(arguments: Backend.all) func transformedValuesSurvive(_ backend: Backend) throws {
        let value = Shape(name: "/\"ß", sides: [0.1, -.infinity, 1e300])
        let (_, read) = try saved(backend) { object in
            object.shape = try Transformable(value)
            try object.setValue(value, forKey: "optionalShape")
        }
        #expect(read.shape.value == value && read.optionalShape?.value == value)
        #expect(try read.value(forKey: "shape") as? Shape == value)
    }

    @Test(arguments: Backend.all) func newTypesHaveDefaults(_ backend: Backend) throws {
        let (_, read) = try saved(backend) { _ in }
        #expect(read.small == 1 && read.medium == 2 && read.count == 3 && read.single == 0.1)
        #expect(read.amount == Decimal(string: "9.99") && read.identifier.uuidString == Everything.someUUID)
        #expect(read.link.absoluteString == "https://example.com/a" && read.shape.value?.name == "dot")
        #expect(read.optionalSmall == nil && read.optionalAmount == nil && read.optionalIdentifier == nil)
        #expect(read.optionalLink == nil && read.optionalShape == nil)
    }

    @Test func requiredValuesReadAsTheirZeroUntilTheyAreSet() throws {
        let entity = EntityDescription(
            name: "Note",
            attributes: [
                .init("id", .uuid), .init("link", .uri), .init("amount", .decimal), .init("small", .integer16),
            ])
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: [entity]))
        try coordinator.addPersistentStore(.inMemory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let note = try EntityDescription.insertNewObject(forEntityName: "Note", into: context)
        #expect(note[Attribute<UUID>("id")].uuidString == "00000000-0000-0000-0000-000000000000")
        #expect(note[Attribute<URL>("link")].absoluteString == "about:blank")
        #expect(note[Attribute<Decimal>("amount")] == 0 && note[Attribute<Int16>("small")] == 0)
    }

    @Test(arguments: Backend.all) func whatCannotBeDecodedIsNilOrAnError(_ backend: Backend) throws {
        let (_, read) = try saved(backend) { $0.optionalShape = Transformable(data: Data("[]".utf8)) }
        #expect(read.optionalShape?.value == nil)
        let error = expectError(.wrongType) { try read.value(forKey: "optionalShape") }
        #expect(error?.message.contains("Everything.optionalShape") == true)
        #expect(error?.message.contains("\(read.objectID)") == true)
    }

    @Test func aValueThatCannotBeEncodedIsAnError() throws {
        struct Stubborn: Codable, Hashable {
            func encode(to encoder: any Encoder) throws { throw CancellationError() }
        }
        expectError(.wrongType) { try Transformable(Stubborn()) }
    }

    @Test(arguments: Backend.all) func equalTransformedValuesHaveEqualBytes(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        let object = Everything("", in: context)
        object.shape = try Transformable(Shape(name: "a", sides: [1]))
        try context.save()
        let wanted = try Transformable(Shape(name: "a", sides: [1]))
        let request = FetchRequest(
            Everything.self, predicate: FetchPredicate(#Predicate<Everything> { $0.shape == wanted }))
        #expect(try context.count(for: request) == 1)
        object.shape = wanted
        #expect(object.changedValues().isEmpty)
    }

    @Test func aDynamicEntityKeepsJSON() throws {
        let entity = EntityDescription(name: "Note", attributes: [.init("shape", .transformable)])
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: [entity]))
        try coordinator.addPersistentStore(.inMemory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let note = try EntityDescription.insertNewObject(forEntityName: "Note", into: context)
        try note.setValue(Data("1".utf8), forKey: "shape")
        #expect(try note.value(forKey: "shape") as? Data == Data("1".utf8))
        try note.setValue(Transformable(2), forKey: "shape")
        #expect(try note.value(forKey: "shape") as? Data == Data("2".utf8))
        expectError(.wrongType) { try note.setValue(Shape(name: "", sides: []), forKey: "shape") }
    }
}
