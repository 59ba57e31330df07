import BenchHarness
import Foundation
import ManagedStore

/// A mapping for an entity from which others inherit: plain managed objects of each, and checked keys made at run time.
struct FamilyMapping: ObjectMapping {
    /// One of the entities.
    private struct Member: Sendable {
        let description: EntityDescription
        let number: Int64
        /// Whether its objects have the attribute at each position.
        let has: [Bool]
    }

    let description: EntityDescription
    private let fields: [ObjectField]
    /// The entity, then those that inherit from it.
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
        let subentities = (entity.subentities ?? []).map { subentity in
            EntityDescription(
                name: subentity.name, attributes: positions(subentity.name).map { fields[$0].key }, superentity: root,
                fetchIndexes: indexes(subentity.name))
        }
        members = ([root] + subentities).map { member in
            Member(
                description: member, number: entity.number(ofKind: member.name),
                has: attributes.map { $0.subentity == nil || $0.subentity == member.name })
        }
        (description, self.fields) = (root, fields)
    }

    /// The entities that inherit.
    var subentities: [EntityDescription] { members.dropFirst().map(\.description) }

    /// Returns the entity that a condition is about, and what it demands besides.
    func selection(_ filter: FilterSpec?) -> (entity: EntityDescription, condition: FilterSpec?) {
        let (number, condition) = filter?.partedByKind ?? (nil, nil)
        let member = members.first { $0.number == number } ?? members[0]
        return (member.description, condition)
    }

    func make(in context: ManagedObjectContext) throws -> ManagedObject {
        try make(members[0].description, in: context)
    }

    private func make(_ entity: EntityDescription, in context: ManagedObjectContext) throws -> ManagedObject {
        try EntityDescription.insertNewObject(forEntityName: entity.name, into: context)
    }

    /// Makes new objects of the records with `ordinals`, each of its entity.
    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, in context: ManagedObjectContext) throws {
        for ordinal in ordinals {
            let kind = records.kind(ordinal)
            guard let member = members.first(where: { $0.number == kind }) else { continue }
            fill(try make(member.description, in: context), ordinal, of: records)
        }
    }

    /// Sets what is not null: a record has nulls for the attributes of other entities.
    func fill(_ object: ManagedObject, _ ordinal: Int, of records: RecordGenerator) {
        for index in fields.indices where !records.isNull(index, ordinal) {
            fields[index].fill(object, index, ordinal, of: records)
        }
    }

    /// Feeds the attributes, with nulls for those of other entities, and the number of the object's entity.
    func digest(_ object: ManagedObject, into digester: inout RecordDigester) {
        let entity = object.entity
        guard let member = members.first(where: { $0.description === entity }) else { return }
        for index in fields.indices {
            if member.has[index] { fields[index].digest(object, into: &digester) } else { digester.addNull() }
        }
        digester.add(member.number)
    }

    func change(_ changes: [AttributeChange]) throws -> @Sendable (ManagedObject) -> Void {
        try ManagedChange.closure(changes, description)
    }
}
