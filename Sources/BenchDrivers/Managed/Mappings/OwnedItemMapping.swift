import BenchHarness
import Foundation
import ManagedStore

/// The to-do item of a list with its typed class.
struct OwnedItemMapping: ObjectMapping {
    let description: EntityDescription
    private let list = ListMapping()
    /// The place of the lists' entity.
    private let lists: Int

    private init(_ entity: EntitySpec, lists: Int) {
        description = EntityDescription(OwnedItemObject.self, fetchIndexes: entity.attributes.fetchIndexes)
        self.lists = lists
    }

    /// Returns the mappings of items and lists, by the places of these entities; nil if the classes do not match the
    /// entities of a schema.
    static func all(of schema: Schema) -> [any ObjectMapping]? {
        guard schema.entities.count == 2, let items = schema.place(of: "Item"), let lists = schema.place(of: "List"),
            OwnedItemRecord.describes(schema.entities[items].record), ListMapping.describes(schema.entities[lists]),
            let back = schema.relationship("items", of: lists), back.destination == items, back.inverse == "list",
            !back.isOrdered, back.deleteRule == .nullify
        else { return nil }
        let mapping = OwnedItemMapping(schema.entities[items].record, lists: lists)
        return lists == 0 ? [ListMapping(), mapping] : [mapping, ListMapping()]
    }

    func make(in context: ManagedObjectContext) -> OwnedItemObject { OwnedItemObject(context: context) }

    func insert(
        _ ordinals: Range<Int>, of records: RecordGenerator, in context: ManagedObjectContext, keeps: Bool,
        _ find: Finder
    ) throws -> [ManagedObject] {
        let position = records.entity.toOneAttributes.lowerBound
        for ordinal in ordinals {
            let item = make(in: context)
            fill(item, ordinal, of: records)
            item.list = try find(records.int64(position, ordinal), lists).map {
                unsafeDowncast($0, to: ListObject.self)
            }
        }
        return []
    }

    func assign(
        _ value: FieldValue, to attribute: Int, named name: String, of item: OwnedItemObject, _ find: Finder
    ) throws {
        guard name == "list", case .int64(let number) = value else {
            return try item.setValue(StoredValue(value), forKey: name)
        }
        item.list = try find(number, lists).map { unsafeDowncast($0, to: ListObject.self) }
    }

    func digest(_ item: OwnedItemObject, into digester: inout RecordDigester) {
        digestAttributes(of: item, into: &digester)
        digester.addOwnerNumber(item.list?.objectID.primaryKey)
    }

    func digest(
        _ items: ArraySlice<OwnedItemObject>, leadingBy relationship: Schema.Relationship,
        to target: any ObjectMapping, into digester: inout RecordDigester
    ) {
        for item in items {
            digest(item, into: &digester)
            if let related = item.list { list.digest(related, into: &digester) }
            digester.endRecord()
        }
    }

    func relate(_ item: OwnedItemObject, by relationship: Schema.Relationship, to target: ManagedObject) {
        item.list = unsafeDowncast(target, to: ListObject.self)
    }
}

/// The list with its typed class. Phases make, read and digest lists, but do not change them.
struct ListMapping: ObjectMapping {
    let description = EntityDescription(ListObject.self)

    /// Returns whether the class matches an entity: these attributes alone, and no other relationship than to items.
    static func describes(_ entity: Schema.Entity) -> Bool {
        entity.attributes.map(\.name) == ["name", "position"] && entity.attributes.map(\.type) == [.string, .int64]
            && !entity.attributes.contains { $0.hasNulls || $0.isUnique || $0.isIndexed }
            && entity.relationships.count == 1
    }

    func make(in context: ManagedObjectContext) -> ListObject { ListObject(context: context) }

    func fill(_ list: ListObject, _ ordinal: Int, of records: RecordGenerator) {
        list.name = records.string(0, ordinal)
        list.position = records.int64(1, ordinal)
    }

    func insert(
        _ ordinals: Range<Int>, of records: RecordGenerator, in context: ManagedObjectContext, keeps: Bool,
        _ find: Finder
    ) -> [ManagedObject] {
        ordinals.map { ordinal in
            let list = make(in: context)
            fill(list, ordinal, of: records)
            return list
        }
    }

    func digest(_ list: ListObject, into digester: inout RecordDigester) {
        digester.add(list.name)
        digester.add(list.position)
    }

    func change(_ changes: [AttributeChange]) throws -> @Sendable (ListObject) -> Void {
        try ManagedChange.closure(changes, description)
    }

    /// An array of items is one of objects; a conversion would check the class of each.
    func members(of list: ListObject, by relationship: Schema.Relationship) -> [ManagedObject] {
        unsafeBitCast(list.objects(of: ListObject.items), to: [ManagedObject].self)
    }
}
