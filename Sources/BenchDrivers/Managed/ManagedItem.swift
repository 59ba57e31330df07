import BenchHarness
import ManagedStore

/// The to-do item through its typed class: the way that applications are meant to take.
struct ManagedItem: ManagedRecord {
    let description = EntityDescription(Item.self)

    init(_ entity: EntitySpec) {}

    func make(in context: ManagedObjectContext) -> Item { Item(context: context) }

    func digest(_ item: Item, into digester: inout RecordDigester) { digestAttributes(of: item, into: &digester) }
}
