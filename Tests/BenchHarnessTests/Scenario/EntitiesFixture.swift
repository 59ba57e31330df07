@testable import BenchHarness

/// Orders of customers, and their lines, for tests to read and to spoil.
enum EntitiesFixture {
    /// The entities beside that of the orders.
    static let entities = """
        { "name": "Customer", "records": 4, "attributes": [
          { "name": "name", "type": "string", "generator": { "kind": "sequence", "prefix": "Customer " } } ] },
        { "name": "Line", "records": 90, "attributes": [
          { "name": "quantity", "type": "int64", "generator": { "kind": "uniform", "min": 1, "max": 9 } } ],
          "relationships": [
            { "name": "order", "to": "Order", "inverse": "lines", "delete_rule": "cascade" },
            { "name": "product", "to": "Product", "inverse": "sales", "distribution": "zipfian" } ] },
        { "name": "Product", "records": 7, "attributes": [
          { "name": "stock", "type": "int64", "generator": { "kind": "sequence" } } ] }
        """

    /// A scenario with some phases.
    static func json(_ phases: String..., entities: String = entities, records: String = "30") -> String {
        let list = phases.enumerated().map { #"{ "name": "phase\#($0)", \#($1) }"# }.joined(separator: ", ")
        return """
            { "version": 3, "name": "shop", "records": \(records), "seed": 5,
              "entities": [{ "name": "Order", "attributes": [
                { "name": "number", "type": "int64", "unique": true, "generator": { "kind": "sequence" } },
                { "name": "status", "type": "string",
                  "generator": { "kind": "choice", "values": ["open", "paid", "sent"] } } ],
                "relationships": [{ "name": "customer", "to": "Customer", "inverse": "orders", "delete_rule": "cascade" }] },
              \(entities)], "phases": [\(list)] }
            """
    }

    /// What must be in a seeded store.
    static func seeded(entities: String = entities) throws -> ExpectedStore {
        let scenario = try ScenarioFixture.read(json(#""kind": "seed", "from": "empty""#, entities: entities))
        var store = ExpectedStore(scenario.entities.map { RecordGenerator(entity: $0, seed: scenario.seed) })
        store.seed(records: scenario.records)
        return store
    }

    /// The entities, with tags of products.
    static let tagged = entities.replacingOccurrences(
        of: #""generator": { "kind": "sequence" } } ] }"#,
        with: #"""
            "generator": { "kind": "sequence" } } ],
              "relationships": [{ "name": "tags", "to": "Tag", "inverse": "products", "count": 1, "count_max": 3 }] },
            { "name": "Tag", "records": 5, "attributes": [
              { "name": "name", "type": "string", "generator": { "kind": "sequence", "prefix": "Tag " } } ] }
            """#)
}
