import BenchHarness
import ManagedStore

/// The to-do item through its typed class: the way that applications are meant to take.
struct ItemMapping: ObjectMapping {
    let description = EntityDescription(ItemObject.self)

    init(_ entity: EntitySpec) {}

    func make(in context: ManagedObjectContext) -> ItemObject { ItemObject(context: context) }

    func digest(_ item: ItemObject, into digester: inout RecordDigester) { digestAttributes(of: item, into: &digester) }
}
