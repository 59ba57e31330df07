import BenchHarness
import ManagedStore

/// The to-do item with its typed class, as recommended for applications.
struct ItemMapping: ObjectMapping {
    let description: EntityDescription

    init(_ entity: EntitySpec) {
        description = EntityDescription(ItemObject.self, fetchIndexes: entity.attributes.fetchIndexes)
    }

    func make(in context: ManagedObjectContext) -> ItemObject { ItemObject(context: context) }

    func digest(_ item: ItemObject, into digester: inout RecordDigester) { digestAttributes(of: item, into: &digester) }
}
