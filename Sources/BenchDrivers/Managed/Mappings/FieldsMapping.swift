import BenchHarness
import Foundation
import ManagedStore

/// A mapping for any entity: plain managed objects, and checked keys made at run time.
struct FieldsMapping: ObjectMapping {
    let description: EntityDescription
    private let fields: [ObjectField]

    init(_ entity: EntitySpec) { self.init(entity, relationships: []) }

    init(_ entity: EntitySpec, relationships: [RelationshipDescription]) {
        fields = entity.attributes.map { ObjectField($0) }
        description = EntityDescription(
            name: entity.name, attributes: fields.map(\.key), relationships: relationships,
            uniquenessConstraints: entity.attributes.filter(\.isUnique).map { [$0.name] },
            fetchIndexes: entity.fetchIndexes)
    }

    func make(in context: ManagedObjectContext) throws -> ManagedObject {
        try EntityDescription.insertNewObject(forEntityName: description.name, into: context)
    }

    func fill(_ object: ManagedObject, _ ordinal: Int, of records: RecordGenerator) {
        fields.fill(object, ordinal, of: records)
    }

    func assign(_ value: FieldValue, to attribute: Int, named name: String, of object: ManagedObject) {
        switch (fields[attribute], value) {
        case (.string(let key), .string(let value)): object[key] = value
        case (.bool(let key), .bool(let value)): object[key] = value
        case (.date(let key), .date(let value)): object[key] = Date(timeIntervalSinceReferenceDate: value)
        case (.int64(let key), .int64(let value)): object[key] = value
        case (.double(let key), .double(let value)): object[key] = value
        case (.data(let key), .data(let value)): object[key] = value
        case (.string(let key), .null): object[key] = nil
        case (.bool(let key), .null): object[key] = nil
        case (.date(let key), .null): object[key] = nil
        case (.int64(let key), .null): object[key] = nil
        case (.double(let key), .null): object[key] = nil
        case (.data(let key), .null): object[key] = nil
        default: preconditionFailure("\(name) is of another type than \(value)")
        }
    }

    func digest(_ object: ManagedObject, into digester: inout RecordDigester) {
        for field in fields { field.digest(object, into: &digester) }
    }

    func change(_ changes: [AttributeChange]) throws -> @Sendable (ManagedObject) -> Void {
        try ManagedChange.closure(changes, description)
    }
}
