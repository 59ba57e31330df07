import Foundation
import ManagedStore
import Testing

/// Access by name, on typed objects and on those without a class.
@Suite struct KeyValueTests {
    @Test func valuesAreReadAndWrittenByName() throws {
        let context = try TestStore(.inMemory).context()
        let object = Everything("a", in: context)
        try object.setValue("b", forKey: "text")
        try object.setValue(Int64(5), forKey: "number")
        try object.setValue(Date(timeIntervalSinceReferenceDate: 9), forKey: "optionalMoment")
        #expect(object.text == "b" && object.number == 5)
        #expect(try object.value(forKey: "optionalMoment") as? Date == Date(timeIntervalSinceReferenceDate: 9))
    }

    @Test func anIntServesForIntegersAndDoubles() throws {
        let context = try TestStore(.inMemory).context()
        let object = Everything("a", in: context)
        try object.setValue(3, forKey: "number")
        try object.setValue(4, forKey: "real")
        #expect(object.number == 3 && object.real == 4 && context.hasChanges)
    }

    @Test func anUnknownKeyIsAnErrorThatNamesTheNearest() throws {
        let context = try TestStore(.inMemory).context()
        let item = Item("a", in: context)
        let error = expectError(.unknownKey) { try item.value(forKey: "Name") }
        #expect(error?.message.contains("did you mean \"name\"") == true)
        expectError(.unknownKey) { try item.setValue(1, forKey: "nothing") }
        expectError(.unknownKey) { try item.committedValues(forKeys: ["nothing"]) }
    }

    @Test func aValueOfTheWrongTypeIsRefusedAndChangesNothing() throws {
        let context = try TestStore(.inMemory).context()
        let item = Item("a", in: context)
        expectError(.wrongType) { try item.setValue(1, forKey: "name") }
        expectError(.wrongType) { try item.setValue(URL(filePath: "/"), forKey: "name") }
        #expect(item.name == "a")
    }

    @Test func nilOptionalsInAnyCountAsNil() throws {
        let context = try TestStore(.inMemory).context()
        let object = Everything("a", in: context)
        object.optionalText = "x"
        try object.setValue(String?.none as Any, forKey: "optionalText")
        #expect(object.optionalText == nil && context.hasChanges)
    }

    @Test func aDynamicEntityNeedsNoClass() throws {
        let entity = EntityDescription(
            name: "Note", attributes: [.init("text", .string), .init("stars", .integer64, defaultValue: .integer64(3))])
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: [entity]))
        try coordinator.addPersistentStore(.inMemory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let note = try EntityDescription.insertNewObject(forEntityName: "Note", into: context)
        try note.setValue("hello", forKey: "text")
        try context.save()
        let found = try context.fetch(FetchRequest(entityName: "Note", predicate: .compare("stars", .equal, Int64(3))))
        #expect(try found.map { try $0.value(forKey: "text") as? String } == ["hello"])
        expectError(.unknownEntity) { try EntityDescription.insertNewObject(forEntityName: "Nota", into: context) }
    }

    @Test(arguments: Backend.allCases) func changedValuesAreThoseThatDifferFromTheSaved(_ backend: Backend) throws {
        let (context, items) = try TestStore(backend).contextWithItems(1)
        items[0].name = "new"
        items[0].done = false
        #expect(items[0].changedValues() == ["name": .string("new")])
        #expect(try items[0].committedValues(forKeys: ["name"]) == ["name": .string("Item 0")])
        try context.save()
        #expect(items[0].changedValues().isEmpty)
    }

    @Test(arguments: Backend.allCases) func changedValuesHaveToManyRelationships(_ backend: Backend) throws {
        let context = try Library.store(backend).context()
        let (author, book, tag) = (Author("a", in: context), Book("1", in: context), Tag("t", in: context))
        try context.save()
        book.author = author
        book.tags = [tag]
        #expect(author.hasChanges && author.changedValues() == ["books": .objectIDs([book.objectID])])
        #expect(tag.changedValues() == ["books": .objectIDs([book.objectID])])
        let both: [String: StoredValue] = ["author": .objectID(author.objectID), "tags": .objectIDs([tag.objectID])]
        #expect(book.changedValues() == both)
        try context.save()
        #expect(author.changedValues().isEmpty && tag.changedValues().isEmpty && book.changedValues().isEmpty)
        expectError(.wrongType) { try book.setValue(StoredValue.objectIDs([tag.objectID]), forKey: "title") }
    }

    @Test(arguments: Backend.allCases) func settingADeletedObjectIsAnError(_ backend: Backend) throws {
        let (context, items) = try TestStore(backend).contextWithItems(1)
        context.delete(items[0])
        expectError(.invalidRequest) { try items[0].setValue("x", forKey: "name") }
        try context.save()
        expectError(.invalidRequest) { try items[0].setValue("x", forKey: "name") }
    }

    @Test(arguments: Backend.allCases) func settingAFaultOfNothingIsAnError(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(1)
        let deleter = store.context()
        deleter.delete(try deleter.item(ids[0]))
        try deleter.save()
        let context = store.context()
        let fault = context.object(with: ids[0])
        expectError(.invalidRequest) { try fault.setValue("x", forKey: "name") }
    }
}
