import BenchHarness
import Foundation

extension EntitySpec {
    /// The to-do item of the main scenarios, its dates in no order.
    static let item = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(name: "name", type: .string, generator: .sequence(prefix: "Item ", start: 0, step: 1)),
            AttributeSpec(name: "createdAt", type: .date, generator: .uniform(min: -1_000, max: 1_000)),
            AttributeSpec(name: "done", type: .bool, generator: .uniform(min: 0, max: 0.3)),
        ])

    /// An attribute of every type, one that is always missing, and names out of order.
    static let everything = EntitySpec(
        name: "Sample",
        attributes: [
            AttributeSpec(name: "title", type: .string, generator: .random(length: 12)),
            AttributeSpec(name: "weight", type: .double, generator: .uniform(min: -5, max: 5)),
            AttributeSpec(name: "payload", type: .data, generator: .random(length: 9)),
            AttributeSpec(name: "rank", type: .int64, generator: .uniform(min: -20, max: 20)),
            AttributeSpec(name: "at", type: .date, generator: .sequence(prefix: "", start: 100, step: -1)),
            AttributeSpec(name: "flag", type: .bool, generator: .uniform(min: 0, max: 0.5)),
            AttributeSpec(name: "note", type: .string, generator: .constant(.null)),
        ])
}
