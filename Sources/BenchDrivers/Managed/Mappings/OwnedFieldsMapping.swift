import BenchHarness
import Foundation
import ManagedStore

/// A mapping for any entity with any owner: plain managed objects, with relationships read and written by name.
struct OwnedFieldsMapping: OwnedObjectMapping {
    let owner: FieldsMapping
    private let records: FieldsMapping
    let relationship: String
    private let inverse: String

    init(_ entity: EntitySpec) {
        guard let spec = entity.owner else { preconditionFailure("\(entity.name) has no owner") }
        relationship = spec.relationship
        inverse = spec.inverse
        records = FieldsMapping(
            EntitySpec(name: entity.name, attributes: Array(entity.attributesOfItsOwn)),
            relationships: [RelationshipDescription(relationship, to: spec.entityName, inverse: inverse)])
        owner = FieldsMapping(
            spec.entity,
            relationships: [RelationshipDescription(inverse, to: entity.name, inverse: relationship, isToMany: true)])
    }

    var description: EntityDescription { records.description }

    func make(in context: ManagedObjectContext) throws -> ManagedObject { try records.make(in: context) }

    func fill(_ object: ManagedObject, _ ordinal: Int, of generator: RecordGenerator) {
        records.fill(object, ordinal, of: generator)
    }

    func digest(_ object: ManagedObject, into digester: inout RecordDigester) {
        records.digest(object, into: &digester)
        digestOwner(of: object, into: &digester)
    }

    func change(_ changes: [AttributeChange]) throws -> @Sendable (ManagedObject) -> Void {
        try records.change(changes)
    }

    func owner(of object: ManagedObject) -> ManagedObject? {
        (try? object.value(forKey: relationship)) as? ManagedObject
    }

    func setOwner(_ owner: ManagedObject, of object: ManagedObject) {
        do { try object.setValue(owner, forKey: relationship) } catch { preconditionFailure("\(error)") }
    }

    func objects(of owner: ManagedObject) -> [ManagedObject] {
        Array(((try? owner.value(forKey: inverse)) as? Set<ManagedObject>) ?? [])
    }
}
