@testable import BenchHarness

/// Items that lead to lists, for tests to read and to spoil.
enum ListFixture {
    static let item = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(name: "name", type: .string, generator: .sequence(prefix: "Item ", start: 0, step: 1))
        ],
        references: [
            ReferenceSpec(relationship: "list", inverse: "items", entityName: "List", records: 10)
        ], records: 200)
    static let list = EntitySpec(
        name: "List",
        attributes: [
            AttributeSpec(name: "title", type: .string, generator: .sequence(prefix: "List ", start: 0, step: 1))
        ], records: 10)

    static let schema = Schema([item, list])

    /// A scenario with one phase.
    static func json(_ phase: String) -> String {
        """
        { "version": 3, "name": "lists", "records": 200, "entities": [
          { "name": "Item", "attributes": [
            { "name": "name", "type": "string", "generator": { "kind": "sequence", "prefix": "Item " } } ],
            "relationships": [{ "name": "list", "to": "List", "inverse": "items" }] },
          { "name": "List", "records": 10, "attributes": [
            { "name": "title", "type": "string", "generator": { "kind": "sequence", "prefix": "List " } } ] }],
          "phases": [{ "name": "phase", \(phase) }] }
        """
    }
}
