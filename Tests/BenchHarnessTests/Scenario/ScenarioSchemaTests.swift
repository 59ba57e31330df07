import Foundation
import Testing

@testable import BenchHarness

/// Holds the schema, which editors read, against the reader, whose shapes it is made of.
@Suite struct ScenarioSchemaTests {
    private let definitions: [String: Any]

    init() throws {
        let data = Data(ScenarioSchema.text.utf8)
        let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        definitions = try #require(schema["$defs"] as? [String: Any])
    }

    private func definition(_ name: String) throws -> [String: Any] {
        try #require(definitions[name] as? [String: Any], "the schema has no definition \(name)")
    }

    private func property(_ key: String, of name: String) throws -> [String: Any] {
        let properties = try #require(try definition(name)["properties"] as? [String: Any])
        return try #require(properties[key] as? [String: Any], "\(name) has no \(key) in the schema")
    }

    /// A sequence is of several shapes.
    @Test func theSchemaKnowsEveryKindOfGenerator() throws {
        let generators = try #require(try definition("generator")["anyOf"] as? [[String: String]])
        let kinds = try generators.compactMap { $0["$ref"]?.split(separator: "/").last }.map {
            try property("kind", of: String($0))["const"] as? String
        }
        #expect(Set(kinds) == Set(GeneratorKind.allCases.map(\.rawValue)))
    }

    /// Two shapes of one name would hide one of them.
    @Test func everyKindOfPhaseIsDefinedByItsOwnShape() throws {
        for kind in PhaseKind.all {
            #expect(try property("kind", of: kind.name)["const"] as? String == kind.name)
            let properties = try #require(try definition(kind.name)["properties"] as? [String: Any])
            #expect(Set(properties.keys) == Set(kind.shape.keys))
        }
    }

    @Test func descriptionsNameTheDefaults() throws {
        let scenario = try ScenarioFixture.read(
            """
            {
              "version": 2, "name": "defaults", "records": 1,
              "entity": { "name": "Item", "attributes": [
                { "name": "done", "type": "bool", "generator": { "kind": "constant", "value": false } }
              ] },
              "phases": [
                { "name": "fetch", "kind": "fetch", "from": "seeded", "mode": "sync" },
                { "name": "update", "kind": "update", "from": "seeded", "mode": "chunked", "set": { "done": true } }
              ]
            }
            """)
        try expect("seed", of: "scenario", byDefault: scenario.seed)
        try expect("repetitions", of: "scenario", byDefault: scenario.repetitions)
        try expect("warmups", of: "scenario", byDefault: scenario.warmups)
        try expect("isolation", of: "scenario", byDefault: scenario.isolation.rawValue)
        try expect("synchronous", of: "store", byDefault: scenario.store.synchronous.rawValue)
        try expect("cache_size_kib", of: "store", byDefault: scenario.store.cacheSizeKiB)
        try expect("page_size_bytes", of: "store", byDefault: scenario.store.pageSizeBytes)
        try expect("mmap_size_bytes", of: "store", byDefault: scenario.store.mmapSizeBytes)
        try expect("wal_autocheckpoint_pages", of: "store", byDefault: scenario.store.walAutocheckpointPages)
        try expect("busy_timeout_ms", of: "store", byDefault: scenario.store.busyTimeoutMilliseconds)
        try expect("unique", of: "attribute", byDefault: scenario.entity.attributes[0].isUnique)
        try expect("indexed", of: "attribute", byDefault: scenario.entity.attributes[0].isIndexed)
        guard case .fetch(let fetch) = scenario.phases[0].work, case .update(let update) = scenario.phases[1].work
        else {
            Issue.record("\(scenario.phases)")
            return
        }
        try expect("chunk_records", of: "update", byDefault: update.chunkSize)
        try expect("touch", of: "fetch", byDefault: fetch.touch.rawValue)
    }

    private func expect(_ key: String, of name: String, byDefault value: some Any) throws {
        let description = try #require(try property(key, of: name)["description"] as? String)
        #expect(description.hasSuffix("; \(value) if omitted."), "\(name).\(key)")
    }
}
