import Foundation
import ManagedStore
import Testing

@Suite struct ModelTests {
    private func model(_ entities: EntityDescription...) throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: entities)
    }

    private func entity(_ name: String, _ attributes: AttributeDescription...) -> EntityDescription {
        EntityDescription(name: name, attributes: attributes)
    }

    @Test func entitiesAreInAlphabeticalOrder() throws {
        #expect(try ManagedObjectModel(Item.self, Everything.self).entities.map(\.name) == ["Everything", "Item"])
    }

    @Test func anEntityNamedTwiceIsRefusedInAnyCase() {
        let error = expectError(.invalidModel) { try model(entity("Note"), entity("NOTE")) }
        #expect(error?.message.contains("NOTE") == true)
    }

    @Test func anAttributeNamedTwiceIsRefusedInAnyCase() {
        expectError(.invalidModel) { try model(entity("Note", .init("text", .string), .init("Text", .date))) }
    }

    @Test(arguments: [
        "", "1st", "with space", "semi;colon", "a\u{2003}b", "½", "😀", "\u{301}a", "a×b", "_hidden", "a-b",
    ])
    func aNameThatIsNoIdentifierIsRefused(_ name: String) {
        expectError(.invalidModel) { try model(entity(name)) }
        expectError(.invalidModel) { try model(entity("Note", .init(name, .string))) }
    }

    @Test func aDefaultOfTheWrongTypeIsRefused() {
        expectError(.invalidModel) {
            try model(entity("Note", .init("text", .string, defaultValue: .integer64(1))))
        }
    }

    @Test(
        arguments: [
            .init("a", .string, minValue: .string("a")), .init("a", .boolean, maxValue: .boolean(true)),
            .init("a", .integer16, maxValue: .integer64(70_000)), .init("a", .double, minValue: .double(.nan)),
            .init("a", .date, minValue: .double(1)),
            .init("a", .decimal, minValue: .integer64(2), maxValue: .double(1.5)),
            .init("a", .binaryData, maxLength: 3), .init("a", .string, minLength: -1),
            .init("a", .string, minLength: 3, maxLength: 2), .init("a", .string, pattern: "(["),
            .init("a", .string, pattern: "a)(b"), .init("a", .integer64, pattern: "1"),
        ] as [AttributeDescription])
    func expectationsThatMakeNoSenseAreRefused(_ attribute: AttributeDescription) {
        let error = expectError(.invalidModel) { try model(entity("Note", attribute)) }
        #expect(error?.message.contains("Note.a") == true)
    }

    @Test func anIntegerServesAsTheDefaultOfADouble() throws {
        _ = try model(entity("Note", .init("weight", .double, defaultValue: .integer64(1))))
    }

    @Test func anUnknownEntityIsAnsweredWithTheNearestOne() throws {
        let model = try ManagedObjectModel(Item.self)
        let error = expectError(.unknownEntity) { try model.entity(named: "item") }
        #expect(error?.message.contains("did you mean \"Item\"") == true)
    }

    @Test func typedKeysDescribeTheirAttributes() {
        #expect(Everything.text.description == AttributeDescription("text", .string))
        #expect(Everything.optionalNumber.description.isOptional)
        #expect(Everything.defaultReal.description.defaultValue == .double(2.5))
    }

    @Test func aCoordinatorWithoutAStoreSaysSo() throws {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        let context = ManagedObjectContext(coordinator: coordinator)
        expectError(.noStore) { try context.fetch(FetchRequest(Item.self)) }
    }

    @Test func aCoordinatorHasOneStore() throws {
        let store = try TestStore(.inMemory)
        expectError(.invalidRequest) { try store.coordinator.addPersistentStore(.inMemory) }
    }
}
