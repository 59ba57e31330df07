@testable import BenchHarness

/// Items that belong to lists, for tests to read and to spoil.
enum OwnerFixture {
    static let entity = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(name: "name", type: .string, generator: .sequence(prefix: "Item ", start: 0, step: 1))
        ],
        owner: OwnerSpec(
            relationship: "list", inverse: "items", entityName: "List",
            attributes: [
                AttributeSpec(name: "title", type: .string, generator: .sequence(prefix: "List ", start: 0, step: 1))
            ], records: 10))

    /// A scenario with one phase.
    static func json(_ phase: String, owner: String = owner) -> String {
        """
        { "version": 2, "name": "owned", "records": 200,
          "entity": { "name": "Item", "attributes": [
            { "name": "name", "type": "string", "generator": { "kind": "sequence", "prefix": "Item " } } ],
            "owner": \(owner) },
          "phases": [{ "name": "phase", \(phase) }] }
        """
    }

    static let owner = """
        { "relationship": "list", "inverse": "items", "entity": "List", "records": 10, "attributes": [
          { "name": "title", "type": "string", "generator": { "kind": "sequence", "prefix": "List " } } ] }
        """
}
