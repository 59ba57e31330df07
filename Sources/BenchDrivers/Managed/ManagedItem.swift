import BenchHarness
import Foundation
import ManagedStore

/// The to-do item through its typed class: the way that applications are meant to take.
struct ManagedItem: ManagedRecord {
    let description = EntityDescription(Item.self)

    init(_ entity: EntitySpec) {}

    func make(in context: ManagedObjectContext) -> Item { Item(context: context) }

    func fill(_ item: Item, _ ordinal: Int, of records: RecordGenerator) {
        item.name = records.string(0, ordinal)
        item.createdAt = Date(timeIntervalSinceReferenceDate: records.double(1, ordinal))
        item.done = records.bool(2, ordinal)
    }

    func assign(_ attributes: some Sequence<Int>, of item: Item, _ ordinal: Int, of records: RecordGenerator) {
        for index in attributes {
            switch index {
            case 0: item.name = records.string(0, ordinal)
            case 1: item.createdAt = Date(timeIntervalSinceReferenceDate: records.double(1, ordinal))
            default: item.done = records.bool(2, ordinal)
            }
        }
    }

    func touch(_ item: Item) -> UInt64 {
        UInt64(item.name.utf8.count) ^ item.createdAt.timeIntervalSinceReferenceDate.bitPattern ^ (item.done ? 1 : 0)
    }

    func digest(_ item: Item, into digester: inout RecordDigester) {
        digester.add(item.name)
        digester.add(item.createdAt.timeIntervalSinceReferenceDate)
        digester.add(item.done)
    }

    func change(_ changes: [AttributeChange]) throws -> @Sendable (Item) -> Void {
        if case .assign(.bool(let done))? = changes.first?.operation, changes.count == 1 { return { $0.done = done } }
        if case .toggle? = changes.first?.operation, changes.count == 1 { return { $0.done.toggle() } }
        return try ManagedChange.closure(changes, description)
    }
}
