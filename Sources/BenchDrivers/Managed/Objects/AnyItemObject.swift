import BenchHarness
import Foundation
import ManagedStore

/// The common part of the typed classes of the to-do item, with or without a list.
protocol AnyItemObject: ManagedObject {
    var name: String { get set }
    var createdAt: Date { get set }
    var done: Bool { get set }
}

extension ItemObject: AnyItemObject {}
extension OwnedItemObject: AnyItemObject {}

extension ObjectMapping where Object: AnyItemObject {
    func fill(_ item: Object, _ ordinal: Int, of records: RecordGenerator) {
        item.name = records.string(0, ordinal)
        item.createdAt = Date(timeIntervalSinceReferenceDate: records.double(1, ordinal))
        item.done = records.bool(2, ordinal)
    }

    /// Feeds the attributes without the list.
    @inline(__always)
    func digestAttributes(of item: Object, into digester: inout RecordDigester) {
        digester.add(item.name)
        digester.add(item.createdAt.timeIntervalSinceReferenceDate)
        digester.add(item.done)
    }

    func change(_ changes: [AttributeChange]) throws -> @Sendable (Object) -> Void {
        if case .assign(.bool(let done))? = changes.first?.operation, changes.count == 1 { return { $0.done = done } }
        if case .draw(let draw)? = changes.first?.operation, changes.count == 1 {
            switch changes[0].attribute {
            case "name": return { $0.name = draw.string($0.ordinal) }
            case "createdAt":
                return { $0.createdAt = Date(timeIntervalSinceReferenceDate: draw.double($0.ordinal)) }
            default: break
            }
        }
        if case .toggle? = changes.first?.operation, changes.count == 1 { return { $0.done.toggle() } }
        return try ManagedChange.closure(changes, description)
    }
}
