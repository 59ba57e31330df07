import BenchHarness
import Foundation
import ManagedStore

/// A mapping for an entity from which others inherit: plain managed objects of each, and checked keys made at run time.
struct FamilyMapping: ObjectMapping {
    /// One of the entities.
    private struct Member: Sendable {
        let description: EntityDescription
        /// Whether its objects have the attribute at each position.
        let has: [Bool]
    }

    let description: EntityDescription
    private let fields: [ObjectField]
    /// The entity and those that inherit from it, each at its number less 1.
    private let members: [Member]

    init(_ entity: EntitySpec) {
        // The number of its entity is no attribute of an object.
        let attributes = entity.attributes.dropLast()
        let fields = attributes.map { ObjectField($0) }
        func positions(_ subentity: String?) -> [Int] {
            attributes.indices.filter { attributes[$0].subentity == subentity }
        }
        func indexes(_ subentity: String?) -> [[String]] {
            positions(subentity).map { attributes[$0] }.filter(\.isIndexed).map { [$0.name] }
        }
        let root = EntityDescription(
            name: entity.name, attributes: positions(nil).map { fields[$0].key },
            isAbstract: !entity.hasRecordsOfItsOwn,
            uniquenessConstraints: attributes.filter(\.isUnique).map { [$0.name] }, fetchIndexes: indexes(nil))
        let subentities = (entity.subentities ?? []).sorted { $0.name < $1.name }.map { subentity in
            EntityDescription(
                name: subentity.name, attributes: positions(subentity.name).map { fields[$0].key }, superentity: root,
                fetchIndexes: indexes(subentity.name))
        }
        members = ([root] + subentities).map { member in
            Member(
                description: member,
                has: attributes.map { $0.subentity == nil || $0.subentity == member.name })
        }
        (description, self.fields) = (root, fields)
    }

    /// The entities that inherit.
    var subentities: [EntityDescription] { members.dropFirst().map(\.description) }

    /// Returns the entity that a condition is about, and what it demands besides.
    func selection(_ filter: FilterSpec?) -> (entity: EntityDescription, condition: FilterSpec?) {
        let (number, condition) = filter?.partedByKind ?? (nil, nil)
        return (members[Int(number ?? 1) - 1].description, condition)
    }

    func make(in context: ManagedObjectContext) throws -> ManagedObject {
        try make(description, in: context)
    }

    private func make(_ entity: EntityDescription, in context: ManagedObjectContext) throws -> ManagedObject {
        try EntityDescription.insertNewObject(forEntityName: entity.name, into: context)
    }

    /// Makes new objects of the records with `ordinals`, each of its entity.
    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, in context: ManagedObjectContext) throws {
        for ordinal in ordinals {
            let entity = members[Int(records.kind(ordinal)) - 1].description
            fill(try make(entity, in: context), ordinal, of: records)
        }
    }

    /// Sets what is not null: a record has nulls for the attributes of other entities.
    func fill(_ object: ManagedObject, _ ordinal: Int, of records: RecordGenerator) {
        fields.fill(object, ordinal, of: records)
    }

    /// Feeds the attributes, with nulls for those of other entities, and the number of the object's entity.
    func digest(_ object: ManagedObject, into digester: inout RecordDigester) {
        let entity = object.entity
        guard let place = members.firstIndex(where: { $0.description === entity }) else { return }
        for index in fields.indices {
            if members[place].has[index] { fields[index].digest(object, into: &digester) } else { digester.addNull() }
        }
        digester.add(Int64(place) + 1)
    }

    func change(_ changes: [AttributeChange]) throws -> @Sendable (ManagedObject) -> Void {
        try ManagedChange.closure(changes, description)
    }
}
