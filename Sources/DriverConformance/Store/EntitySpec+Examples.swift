import BenchHarness

extension EntitySpec {
    /// The to-do item of the main scenarios, with dates in no order.
    static let item = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(name: "name", type: .string, generator: .sequence(prefix: "Item ", start: 0, step: 1)),
            AttributeSpec(name: "createdAt", type: .date, generator: .uniform(min: -1_000, max: 1_000)),
            AttributeSpec(name: "done", type: .bool, generator: .uniform(min: 0, max: 0.3)),
        ])

    /// An entity with an attribute of every type, one that is always null, two that are sometimes, and names out of
    /// order.
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
            AttributeSpec(
                name: "größe", type: .double, generator: .choice(values: [.double(1.5), .null], weights: [2, 1])),
            AttributeSpec(
                name: "text", type: .string, generator: .words(min: 1, max: 3, vocabulary: 40), nullShare: 0.3),
        ])

    /// The item of the relationships scenario, which leads to a list: an entity that comes after it in the alphabet.
    static let listedItem = EntitySpec(name: "Item", attributes: item.attributes, references: [toList])

    /// An entity with an attribute of every type, which leads to one that comes before it in the alphabet.
    static let boxedSample = EntitySpec(
        name: "Sample", attributes: everything.attributes, references: [reference("box", to: box, back: "samples")])

    /// Records with a unique number that counts up, as loads need them.
    static let numbered = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(
                name: "number", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1), isUnique: true),
            AttributeSpec(name: "text", type: .string, generator: .random(length: 20)),
            AttributeSpec(name: "score", type: .int64, generator: .constant(.int64(0))),
            AttributeSpec(name: "done", type: .bool, generator: .constant(.bool(false))),
        ])

    /// Records with a unique number that lead to lists.
    static let listedNumbered = EntitySpec(name: "Item", attributes: numbered.attributes, references: [toList])

    /// The entity and those that its relationships lead to.
    var withTargets: [EntitySpec] {
        [self] + [Self.list, Self.box].filter { target in toOnes.contains { $0.entityName == target.name } }
    }

    private static let list = EntitySpec(name: "List", attributes: target, records: 12)
    private static let box = EntitySpec(name: "Box", attributes: target + [grade], records: 12)
    private static let toList = reference("list", to: list, back: "items")

    /// An attribute that several records have alike, and some have not.
    private static let grade = AttributeSpec(
        name: "grade", type: .double, generator: .choice(values: [.double(1.5), .null, .double(-2)], weights: nil))

    private static let target = [
        AttributeSpec(name: "name", type: .string, generator: .sequence(prefix: "List ", start: 0, step: 1)),
        AttributeSpec(name: "position", type: .int64, generator: .sequence(prefix: "", start: 5, step: 2)),
    ]

    private static func reference(_ name: String, to entity: EntitySpec, back inverse: String) -> ReferenceSpec {
        ReferenceSpec(
            relationship: name, inverse: inverse, entityName: entity.name, records: entity.records ?? 0)
    }
}
