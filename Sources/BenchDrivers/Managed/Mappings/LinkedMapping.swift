import BenchHarness
import Foundation
import ManagedStore

/// A mapping for one of several entities: plain managed objects, with relationships read and written by name.
struct LinkedMapping: ObjectMapping {
    /// The attributes without the numbers of related records.
    let fields: FieldsMapping
    private let toOnes: [OwnerSpec]
    private let links: [LinkSpec]
    /// The position of the first number of a related record.
    private let firstNumber: Int

    init(_ entity: EntitySpec) { self.init(Schema(entity)) }

    /// Creates the mapping for the focus of a schema.
    init(_ schema: Schema) {
        let entity = schema.entity.record
        (toOnes, links) = (entity.toOnes, entity.links ?? [])
        firstNumber = entity.toOneAttributes.lowerBound
        fields = FieldsMapping(
            EntitySpec(name: entity.name, attributes: Array(entity.attributesOfItsOwn)),
            relationships: schema.entity.relationships.map {
                RelationshipDescription(
                    $0.name, to: schema.entities[$0.destination].name, inverse: $0.inverse, isToMany: $0.isToMany,
                    isOrdered: $0.isOrdered, deleteRule: $0.cascades ? .cascade : .nullify)
            })
    }

    var description: EntityDescription { fields.description }

    func make(in context: ManagedObjectContext) throws -> ManagedObject { try fields.make(in: context) }

    func fill(_ object: ManagedObject, _ ordinal: Int, of records: RecordGenerator) {
        fields.fill(object, ordinal, of: records)
    }

    /// Makes new objects of the records with `ordinals`, which lead to records that the store holds.
    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, in context: ManagedObjectContext) throws {
        for ordinal in ordinals { try insert(ordinal, of: records, in: context) }
    }

    /// Makes a new object of the record with an ordinal, which leads to records that the store holds.
    func insert(_ ordinal: Int, of records: RecordGenerator, in context: ManagedObjectContext) throws {
        let object = try make(in: context)
        fill(object, ordinal, of: records)
        for place in toOnes.indices {
            let number = records.int64(firstNumber + place, ordinal)
            try object.setValue(stored(number, at: place, in: context), forKey: toOnes[place].relationship)
        }
        for place in links.indices {
            let targets = try records.links(place, ordinal).map {
                try stored($0, of: links[place].entityName, in: context)
            }
            try object.setValue(Set(targets), forKey: links[place].relationship)
        }
    }

    /// Sets the attribute by its name, or the related record by its number.
    func assign(_ value: FieldValue, to attribute: Int, named name: String, of object: ManagedObject) throws {
        guard attribute >= firstNumber, case .int64(let number) = value, let context = object.managedObjectContext
        else {
            return fields.assign(value, to: attribute, named: name, of: object)
        }
        try object.setValue(stored(number, at: attribute - firstNumber, in: context), forKey: name)
    }

    /// Feeds every attribute, and the numbers of the related records, which are not read within the clock.
    func digest(_ object: ManagedObject, into digester: inout RecordDigester) {
        fields.digest(object, into: &digester)
        for toOne in toOnes { digester.addOwnerNumber(related(object, toOne.relationship)?.objectID.primaryKey) }
    }

    func change(_ changes: [AttributeChange]) throws -> @Sendable (ManagedObject) -> Void {
        try fields.change(changes)
    }

    /// Returns the object that a relationship leads to.
    func related(_ object: ManagedObject, _ relationship: String) -> ManagedObject? {
        (try? object.value(forKey: relationship)) as? ManagedObject
    }

    /// Returns the objects that a relationship leads to.
    func members(of object: ManagedObject, _ relationship: String) -> [ManagedObject] {
        let value = try? object.value(forKey: relationship)
        return value as? [ManagedObject] ?? (value as? Set<ManagedObject>).map { Array($0) } ?? []
    }

    /// Returns the record with a number, whose key it is, that the relationship at a place may lead to.
    func stored(_ number: Int64, at place: Int, in context: ManagedObjectContext) throws -> ManagedObject {
        try stored(number, of: toOnes[place].entityName, in: context)
    }

    private func stored(_ number: Int64, of name: String, in context: ManagedObjectContext) throws -> ManagedObject {
        let coordinator = context.persistentStoreCoordinator
        guard let entity = coordinator.managedObjectModel.entitiesByName[name],
            let id = coordinator.objectID(ofRecord: Int(number) - 1, in: entity)
        else { throw DriverError(.invalidRequest, "there is no \(name) with the number \(number)") }
        return try context.existingObject(with: id)
    }
}
