import BenchHarness
import Foundation
import ManagedStore

/// The to-do item of a list with its typed class.
struct OwnedItemMapping: OwnedObjectMapping {
    let description: EntityDescription
    let owner = ListMapping()
    let relationship = "list"

    init(_ entity: EntitySpec) {
        description = EntityDescription(OwnedItemObject.self, fetchIndexes: entity.fetchIndexes)
    }

    /// Returns whether the classes match `entity` and its owner.
    static func describes(_ entity: EntitySpec) -> Bool {
        guard OwnedItemRecord.describes(entity), let owner = entity.owner else { return false }
        return entity.name == "Item" && owner.entityName == "List" && owner.relationship == "list"
            && owner.inverse == "items" && owner.attributes.map(\.name) == ["name", "position"]
            && owner.attributes.map(\.type) == [.string, .int64]
            && !owner.attributes.contains { $0.hasNulls }
    }

    func make(in context: ManagedObjectContext) -> OwnedItemObject { OwnedItemObject(context: context) }

    func digest(_ item: OwnedItemObject, into digester: inout RecordDigester) {
        digestAttributes(of: item, into: &digester)
        digestOwner(of: item, into: &digester)
    }

    func owner(of item: OwnedItemObject) -> ListObject? { item.list }

    func setOwner(_ list: ListObject, of item: OwnedItemObject) { item.list = list }

    func objects(of list: ListObject) -> [OwnedItemObject] { list.objects(of: ListObject.items) }
}

/// The list with its typed class. Phases make, read and digest lists, but do not change them.
struct ListMapping: ObjectMapping {
    let description = EntityDescription(ListObject.self)

    init() {}
    init(_ entity: EntitySpec) {}

    func make(in context: ManagedObjectContext) -> ListObject { ListObject(context: context) }

    func fill(_ list: ListObject, _ ordinal: Int, of records: RecordGenerator) {
        list.name = records.string(0, ordinal)
        list.position = records.int64(1, ordinal)
    }

    func digest(_ list: ListObject, into digester: inout RecordDigester) {
        digester.add(list.name)
        digester.add(list.position)
    }

    func change(_ changes: [AttributeChange]) throws -> @Sendable (ListObject) -> Void {
        try ManagedChange.closure(changes, description)
    }
}
