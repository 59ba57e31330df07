import Foundation
import Testing

@testable import ManagedStore

/// What holds for every type of attribute; a new type is tested once its values are.
@Suite struct AttributeTypeTests {
    private static let types = AttributeType.allCases.filter { $0 != .objectID }
    private static let backends: [Backend] = [.sqlite, .inMemory]

    private func value(_ type: AttributeType) -> StoredValue {
        type == .transformable ? .transformable(Data("[7]".utf8)) : type.probeValue
    }

    @Test(arguments: types) func aValueIsOfItsType(_ type: AttributeType) {
        #expect(value(type).type == type)
        #expect(value(type).fitted(to: type) == value(type))
        #expect(StoredValue(any: value(type).any)?.fitted(to: type) == value(type))
    }

    @Test(arguments: types) func anUntypedValueGivesTheValueBack(_ type: AttributeType) {
        #expect(StoredValue(value(type).untyped, type) == value(type))
    }

    @Test(arguments: types) func aRowGivesTheValueBack(_ type: AttributeType) throws {
        let source = ObjectIDSource(storeIdentifier: UUID(), model: try model(type), entityIndex: 0)
        let page = RowPage(source)
        let (row, field) = (page.appendRow(key: 1), source.entity.layout.fields[0])
        page.setValue(value(type), of: field, of: row)
        #expect(page.value(of: field, of: row) == value(type))
        page.setValue(.null, of: field, of: row)
        #expect(page.value(of: field, of: row) == .null)
        page._checkInvariants()
    }

    @Test(arguments: types) func theColumnOfATypeKeepsIt(_ type: AttributeType) {
        #expect(type.fits(declared: SQLiteDialect().columnType(type.column)))
    }

    @Test(arguments: backends, types)
    func valuesAreSavedComparedAndSorted(_ backend: Backend, _ type: AttributeType) throws {
        let store = try TestStore(backend, model: model(type))
        let context = store.context()
        for (name, stored) in [("full", value(type)), ("empty", .null)] {
            let thing = try EntityDescription.insertNewObject(forEntityName: "Thing", into: context)
            try thing.setValue(stored, forKey: "value")
            try thing.setValue(name, forKey: "name")
        }
        try context.save()

        let reader = store.context()
        func names(_ predicate: FetchPredicate?) throws -> [String?] {
            let request = FetchRequest(
                entityName: "Thing", sortDescriptors: [FetchSortDescriptor(key: "value", ascending: false)],
                predicate: predicate)
            return try reader.fetch(request).map { try $0.value(forKey: "name") as? String }
        }
        #expect(try names(nil) == ["full", "empty"])
        #expect(try names(.compare("value", .equal, stored: value(type))) == ["full"])
        #expect(try names(.compare("value", .notEqual, stored: value(type))) == ["empty"])
        #expect(try names(.isNil("value")) == ["empty"])

        let request = FetchRequest(entityName: "Thing", predicate: !.isNil("value"))
        let read = try #require(try reader.fetch(request).first).value(forKey: "value")
        #expect(StoredValue(any: read)?.fitted(to: type) == value(type))
    }

    private func model(_ type: AttributeType) throws -> ManagedObjectModel {
        let thing = EntityDescription(
            name: "Thing",
            attributes: [
                AttributeDescription("value", type, isOptional: true), AttributeDescription("name", .string),
            ])
        return try ManagedObjectModel(entities: [thing])
    }
}
