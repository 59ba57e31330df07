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

    @Test func anEntityNamedTwiceIsRefusedWhateverItsCase() {
        let error = expectError(.invalidModel) { try model(entity("Note"), entity("NOTE")) }
        #expect(error?.message.contains("NOTE") == true)
    }

    @Test func anAttributeNamedTwiceIsRefusedWhateverItsCase() {
        expectError(.invalidModel) { try model(entity("Note", .init("text", .string), .init("Text", .date))) }
    }

    @Test(arguments: ["", "1st", "with space", "semi;colon", "Ünicode", "_hidden", "a-b"])
    func aNameThatIsNoIdentifierIsRefused(_ name: String) {
        expectError(.invalidModel) { try model(entity(name)) }
        expectError(.invalidModel) { try model(entity("Note", .init(name, .string))) }
    }

    @Test func aDefaultOfTheWrongTypeIsRefused() {
        expectError(.invalidModel) {
            try model(entity("Note", .init("text", .string, defaultValue: .integer64(1))))
        }
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
