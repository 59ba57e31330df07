import Foundation
import ManagedStore
import Testing

@Suite struct ValidationTests {
    @Test(arguments: Backend.allCases) func aMissingRequiredValueIsAnError(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        let item = Item(context: context)
        item.createdAt = Date()
        let error = expectError(.validationMissingMandatoryProperty) { try context.save() }
        #expect(error?.message.contains("Item.name") == true)
        item.name = "now it has one"
        try context.save()
    }

    @Test(arguments: Backend.allCases) func everyErrorIsNamed(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        let item = Item(context: context)
        let everything = Everything("a", in: context)
        everything.real = .nan
        let error = expectError(.validationMultipleErrors) { try context.save() }
        let codes = try #require(error).detailedErrors.map(\.code)
        #expect(codes.count(where: { $0 == .validationMissingMandatoryProperty }) == 2)
        #expect(codes.count(where: { $0 == .managedObjectValidation }) == 1)
        withExtendedLifetime(item) {}
    }

    @Test(arguments: Backend.allCases) func nanIsRefusedInDoublesAndDates(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        let object = Everything("a", in: context)
        object.optionalReal = .nan
        expectError(.managedObjectValidation) { try context.save() }
        object.optionalReal = nil
        object.moment = Date(timeIntervalSinceReferenceDate: .nan)
        expectError(.validationInvalidDate) { try context.save() }
    }

    @Test(arguments: Backend.allCases) func anUpdateIsValidatedToo(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(1)
        try items[0].setValue(nil, forKey: "name")
        expectError(.validationMissingMandatoryProperty) { try context.save() }
        #expect(try store.context().items().map(\.name) == ["Item 0"])
    }

    @Test(arguments: Backend.allCases) func aDeletedObjectIsNotValidated(_ backend: Backend) throws {
        let (context, items) = try TestStore(backend).contextWithItems(1)
        try items[0].setValue(nil, forKey: "name")
        context.delete(items[0])
        context.delete(Item(context: context))
        try context.save()
    }
}
