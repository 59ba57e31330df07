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

    /// A relationship that a record declares: the little of it that loops copy.
    private struct Lead: Sendable {
        let name: String
        /// The place of the entity that it leads to.
        let destination: Int
        /// The position of the number in the record, or the place of the relationship by pairs.
        let place: Int
    }

    private let fields: [ObjectField]
    /// The position of the number of a record's entity; nil if none inherit.
    private let kindAttribute: Int?
    /// The entity and those that inherit from it, in the order of their numbers.
    private let kinds: [Kind]
    private let toOnes: [Lead]
    private let links: [Lead]
    /// The number of the entity in a store.
    private let first: Int
    /// Whether objects of several entities must get their keys in the order in which they are made.
    private let ordersKeys: Bool
    private let schema: Schema
    /// The place of the entity, to whose own records a relationship may lead.
    private let place: Int

    /// Returns the mappings of the entities of a schema, by their places.
    static func all(of schema: Schema) -> [FieldsMapping] {
        schema.roots.map { FieldsMapping(schema.focused(on: $0)) }
    }

    /// Creates the mapping for the focus of a schema, with its attributes or without.
    init(_ schema: Schema, hasAttributes: Bool = true) {
        let entity = schema.entity.record
        let attributes = hasAttributes ? Array(entity.namedAttributes) : []
        let fields = attributes.map { ObjectField($0) }
        func describe(_ kind: Schema.Entity, _ superentity: EntityDescription?) -> EntityDescription {
            let own = kind.attributes.filter(attributes.contains)
            return EntityDescription(
                name: kind.name, attributes: own.compactMap(attributes.firstIndex(of:)).map { fields[$0].key },
                relationships: schema.descriptions(of: kind.name), superentity: superentity,
                isAbstract: superentity == nil && !entity.hasRecordsOfItsOwn,
                uniquenessConstraints: own.filter(\.isUnique).map { [$0.name] }, fetchIndexes: own.fetchIndexes)
        }
        let root = describe(schema.entity, nil)
        let heirs = schema.entities.filter { $0.superentity == schema.focus }.sorted { $0.name < $1.name }
        kinds = ([root] + heirs.map { describe($0, root) }).map { description in
            Kind(
                description: description,
                has: attributes.map { $0.subentity == nil || $0.subentity == description.name })
        }
        self.fields = fields
        var (toOnes, links): ([Lead], [Lead]) = ([], [])
        for end in schema.entity.relationships {
            switch end.place {
            case .number(let toOne):
                let position = entity.toOneAttributes.lowerBound + toOne
                toOnes.append(Lead(name: end.name, destination: end.destination, place: position))
            case .pairs(let link, isForward: true):
                links.append(Lead(name: end.name, destination: end.destination, place: link.place))
            case .inverse, .pairs: break
            }
        }
        (self.toOnes, self.links, place) = (toOnes, links, schema.focus)
        kindAttribute = entity.kindAttribute
        first = Int(entity.number(ofKind: entity.name))
        ordersKeys = kinds.count > 1 && schema.hasNumbers(schema.focus)
        self.schema = schema
    }

    var description: EntityDescription { kinds[0].description }

    var subentities: [EntityDescription] { kinds.dropFirst().map(\.description) }

    /// Returns the entity that a condition is about, and what it demands besides.
    func selection(_ filter: FilterSpec?) -> (entity: EntityDescription, condition: FilterSpec?) {
        let filter = filter.map { schema.joining($0) }
        if kinds.count == 1 { return (description, filter) }
        let (number, condition) = filter?.partedByKind ?? (nil, nil)
        return (number.map { kinds[Int($0) - first].description } ?? description, condition)
    }

    // MARK: Making

    func make(in context: ManagedObjectContext) throws -> ManagedObject { try make(description, in: context) }

    private func make(_ entity: EntityDescription, in context: ManagedObjectContext) throws -> ManagedObject {
        try EntityDescription.insertNewObject(forEntityName: entity.name, into: context)
    }

    func make(
        _ values: [FieldValue], named names: [String], in context: ManagedObjectContext, _ find: Finder
    ) throws -> ManagedObject {
        var kind = 0
        if let kindAttribute, case .int64(let number) = values[kindAttribute] { kind = Int(number) - first }
        let object = try make(kinds[kind].description, in: context)
        for (attribute, value) in values.enumerated() where value != .null && attribute != kindAttribute {
            try assign(value, to: attribute, named: names[attribute], of: object, find)
        }
        return object
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
        // Objects that others of the save lead to are saved with those.
        let isAlone = ordinals.count == 1 && !keeps
        let keeps = keeps || ordersKeys || (toOnes + links).contains { $0.destination == place }
        for ordinal in ordinals {
            let object = try make(entity(of: ordinal, of: records), in: context)
            fill(object, ordinal, of: records)
            if keeps { made.append(object) }
            try relate(object, ordinal, of: records) { number, destination in
                let new = Int(number) - 1 - ordinals.lowerBound
                return destination == place && made.indices.contains(new) ? made[new] : try find(number, destination)
            }
        }
        // A save would give keys to the objects of one entity after the other.
        if ordersKeys, !isAlone { try context.obtainPermanentIDs(for: made) }
        return made
    }

    func entity(called name: String?) -> EntityDescription {
        kinds.first { $0.description.name == name }?.description ?? description
    }

    func entity(of ordinal: Int, of records: RecordGenerator) -> EntityDescription {
        kinds[kinds.count == 1 ? 0 : Int(records.kind(ordinal)) - first].description
    }

    func relate(_ object: ManagedObject, _ ordinal: Int, of records: RecordGenerator, _ find: Finder) throws {
        for lead in toOnes where !records.isNull(lead.place, ordinal) {
            guard let target = try find(records.int64(lead.place, ordinal), lead.destination) else { continue }
            try object.setValue(target, forKey: lead.name)
        }
        for lead in links {
            let targets = try records.links(lead.place, ordinal).compactMap { try find($0, lead.destination) }
            // Objects of another entity may lack the relationship.
            if !targets.isEmpty { try object.setValue(targets, forKey: lead.name) }
        }
    }

    // MARK: Changing

    func assign(
        _ value: FieldValue, to attribute: Int, named name: String, of object: ManagedObject, _ find: Finder
    ) throws {
        guard let lead = toOnes.first(where: { $0.place == attribute }) else {
            return fields[attribute].assign(value, to: object)
        }
        var target: ManagedObject?
        if case .int64(let number) = value { target = try find(number, lead.destination) }
        try object.setValue(target, forKey: name)
    }

    func change(_ changes: [AttributeChange]) throws -> @Sendable (ManagedObject) -> Void {
        try ManagedChange.closure(changes, description)
    }

    // MARK: Reading

    /// Feeds the attributes, with nulls for those of other entities, the number of the object's entity where others
    /// inherit, and the numbers of the related objects, which are not read within the clock.
    func digest(_ object: ManagedObject, into digester: inout RecordDigester) {
        digestAttributes(object, into: &digester)
        for lead in toOnes {
            digester.addOwnerNumber(object.related(by: lead.name)?.objectID.primaryKey)
        }
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
        digester.add(Int64(place + first))
    }
}

extension RelationshipDescription.DeleteRule {
    fileprivate init(_ rule: ReferenceSpec.DeleteRule) {
        switch rule {
        case .nullify: self = .nullify
        case .cascade: self = .cascade
        case .deny: self = .deny
        }
    }
}

extension Schema {
    /// Returns a condition in which a relationship to one that leads to one to many is a part of its key, as in
    /// `ANY conversation.members.name == "Ann"`.
    fileprivate func joining(_ filter: FilterSpec, from place: Int? = nil, by path: String = "") -> FilterSpec {
        switch filter {
        case .any(let name, let condition):
            guard let relationship = relationship(name, of: place) else { return filter }
            let (next, key) = (relationship.destination, path + name)
            if !relationship.isToMany, case .any = condition { return joining(condition, from: next, by: key + ".") }
            return .any(relationship: key, joining(condition, from: next))
        case .and(let parts): return .and(parts.map { joining($0, from: place) })
        case .or(let parts): return .or(parts.map { joining($0, from: place) })
        case .not(let part): return .not(joining(part, from: place))
        case .compare, .ignoringCase, .oneOf, .between: return filter
        }
    }

    /// Returns the relationships in the model of the focus, or of an entity that inherits from it.
    fileprivate func descriptions(of name: String) -> [RelationshipDescription] {
        entity.relationships.filter { ($0.subentity ?? entity.name) == name }.map {
            RelationshipDescription(
                $0.name, to: $0.target ?? entities[$0.destination].name, inverse: $0.inverse, isToMany: $0.isToMany,
                isOrdered: $0.isOrdered, deleteRule: RelationshipDescription.DeleteRule($0.deleteRule))
        }
    }
}
