import BenchHarness
import Foundation
import ManagedStore

/// A mapping for any entity: plain managed objects, checked keys made at run time, relationships read and written by
/// name.
struct FieldsMapping: ObjectMapping {
    /// The entity of a record: that of the mapping, or one that inherits from it.
    private struct Kind: Sendable {
        let description: EntityDescription
        /// Whether its objects have the attribute at each position.
        let has: [Bool]
    }

    private let fields: [ObjectField]
    /// The entity and those that inherit from it, each at its number less 1.
    private let kinds: [Kind]
    private let relationships: [Schema.Relationship]
    /// The relationships to one, and the position of the number in a record of the first.
    private let toOnes: [Schema.Relationship]
    private let firstNumber: Int

    /// Creates the mapping for the focus of a schema.
    init(_ schema: Schema) {
        let entity = schema.entity.record
        // The number of its entity is no attribute of an object.
        let attributes = Array(entity.attributesOfItsOwn.dropLast(entity.kindAttribute == nil ? 0 : 1))
        let fields = attributes.map { ObjectField($0) }
        func describe(
            _ name: String, _ subentity: String?, _ superentity: EntityDescription? = nil
        ) -> EntityDescription {
            let own = attributes.indices.filter { attributes[$0].subentity == subentity }
            return EntityDescription(
                name: name, attributes: own.map { fields[$0].key },
                relationships: superentity == nil ? schema.descriptions : [], superentity: superentity,
                isAbstract: superentity == nil && !entity.hasRecordsOfItsOwn,
                uniquenessConstraints: own.filter { attributes[$0].isUnique }.map { [attributes[$0].name] },
                fetchIndexes: own.filter { attributes[$0].isIndexed }.map { [attributes[$0].name] })
        }
        let root = describe(entity.name, nil)
        let names = (entity.subentities ?? []).map(\.name).sorted()
        kinds = ([root] + names.map { describe($0, $0, root) }).map { description in
            Kind(
                description: description,
                has: attributes.map { $0.subentity == nil || $0.subentity == description.name })
        }
        self.fields = fields
        relationships = schema.entity.relationships
        toOnes = relationships.filter { !$0.isToMany }
        firstNumber = entity.toOneAttributes.lowerBound
    }

    var description: EntityDescription { kinds[0].description }

    var subentities: [EntityDescription] { kinds.dropFirst().map(\.description) }

    /// Returns the entity that a condition is about, and what it demands besides.
    func selection(_ filter: FilterSpec?) -> (entity: EntityDescription, condition: FilterSpec?) {
        if kinds.count == 1 { return (description, filter) }
        let (number, condition) = filter?.partedByKind ?? (nil, nil)
        return (kinds[Int(number ?? 1) - 1].description, condition)
    }

    // MARK: Making

    func make(in context: ManagedObjectContext) throws -> ManagedObject { try make(description, in: context) }

    private func make(_ entity: EntityDescription, in context: ManagedObjectContext) throws -> ManagedObject {
        try EntityDescription.insertNewObject(forEntityName: entity.name, into: context)
    }

    /// Sets what is not null: a record has nulls for the attributes of other entities.
    func fill(_ object: ManagedObject, _ ordinal: Int, of records: RecordGenerator) {
        fields.fill(object, ordinal, of: records)
    }

    func insert(
        _ ordinals: Range<Int>, of records: RecordGenerator, in context: ManagedObjectContext, keeps: Bool,
        _ find: Finder
    ) throws -> [ManagedObject] {
        var made: [ManagedObject] = []
        for ordinal in ordinals {
            let kind = kinds.count == 1 ? 0 : Int(records.kind(ordinal)) - 1
            let object = try make(kinds[kind].description, in: context)
            fill(object, ordinal, of: records)
            for relationship in relationships { try fill(object, relationship, ordinal, of: records, find) }
            if keeps { made.append(object) }
        }
        return made
    }

    /// Sets a relationship of a new object, unless it is kept by the objects that it leads to.
    private func fill(
        _ object: ManagedObject, _ relationship: Schema.Relationship, _ ordinal: Int, of records: RecordGenerator,
        _ find: Finder
    ) throws {
        switch relationship.place {
        case .number(let toOne):
            let number = records.int64(firstNumber + toOne, ordinal)
            try object.setValue(find(number, relationship.destination), forKey: relationship.name)
        case .pairs(let link, isForward: true):
            let targets = try records.links(link.place, ordinal).map { try find($0, relationship.destination) }
            try object.setValue(Set(targets), forKey: relationship.name)
        case .inverse, .pairs: break
        }
    }

    // MARK: Changing

    func assign(
        _ value: FieldValue, to attribute: Int, named name: String, of object: ManagedObject, _ find: Finder
    ) throws {
        if attribute >= firstNumber, attribute - firstNumber < toOnes.count, case .int64(let number) = value {
            let target = try find(number, toOnes[attribute - firstNumber].destination)
            return try object.setValue(target, forKey: name)
        }
        fields[attribute].assign(value, to: object)
    }

    func change(_ changes: [AttributeChange]) throws -> @Sendable (ManagedObject) -> Void {
        try ManagedChange.closure(changes, description)
    }

    // MARK: Reading

    /// Feeds the attributes, with nulls for those of other entities, the number of the object's entity where others
    /// inherit, and the numbers of the related objects, which are not read within the clock.
    func digest(_ object: ManagedObject, into digester: inout RecordDigester) {
        digestAttributes(object, into: &digester)
        for toOne in toOnes { digester.addOwnerNumber(related(object, by: toOne)?.objectID.primaryKey) }
    }

    func digestAttributes(_ object: ManagedObject, into digester: inout RecordDigester) {
        if kinds.count == 1 {
            for field in fields { field.digest(object, into: &digester) }
            return
        }
        let entity = object.entity
        guard let place = kinds.firstIndex(where: { $0.description === entity }) else { return }
        for index in fields.indices {
            if kinds[place].has[index] { fields[index].digest(object, into: &digester) } else { digester.addNull() }
        }
        digester.add(Int64(place) + 1)
    }
}

extension Schema {
    /// The relationships of the focus in the model.
    fileprivate var descriptions: [RelationshipDescription] {
        entity.relationships.map {
            RelationshipDescription(
                $0.name, to: entities[$0.destination].name, inverse: $0.inverse, isToMany: $0.isToMany,
                isOrdered: $0.isOrdered, deleteRule: $0.cascades ? .cascade : .nullify)
        }
    }
}
