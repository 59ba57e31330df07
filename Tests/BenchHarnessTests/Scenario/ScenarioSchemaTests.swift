import Foundation
import Testing

@testable import BenchHarness

/// Holds the schema, which editors read, against the reader, which decides.
@Suite struct ScenarioSchemaTests {
    private let definitions: [String: Any]

    init() throws {
        let data = try Data(contentsOf: ScenarioFixture.folder.appendingPathComponent("schema.json"))
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

    @Test func everyObjectHasTheSameKeysInBoth() throws {
        for shape in ObjectShape.all {
            let definition = try definition(shape.name)
            let properties = try #require(definition["properties"] as? [String: Any], "\(shape.name)")
            #expect(Set(properties.keys) == Set(shape.keys), "\(shape.name)")
            #expect(Set(definition["required"] as? [String] ?? []) == Set(shape.required), "\(shape.name)")
            #expect(definition["additionalProperties"] as? Bool == false, "\(shape.name)")
        }
    }

    @Test func everyObjectOfTheSchemaIsKnownToTheReader() {
        let objects = definitions.filter { ($0.value as? [String: Any])?["properties"] != nil }.map(\.key)
        #expect(Set(objects) == Set(ObjectShape.all.map(\.name)))
    }

    @Test func enumerationsAreEqual() throws {
        try expect(definition("fetchMode"), FetchWork.Mode.self)
        try expect(definition("updateMode"), UpdateWork.Mode.self)
        try expect(definition("deleteMode"), DeleteWork.Mode.self)
        try expect(definition("pageMode"), PageWork.Mode.self)
        try expect(definition("aggregateFunction"), AggregateWork.Function.self)
        try expect(definition("savesMode"), SaveSpec.Mode.self)
        try expect(definition("policy"), ConflictPolicy.self)
        try expect(definition("arrivals"), RateSpec.Arrivals.self)
        try expect(definition("distribution"), KeySpec.Distribution.self)
        try expect(definition("touch"), FetchWork.Touch.self)
        try expect(definition("cache"), FetchWork.Cache.self)
        #expect(try definition("origin")["enum"] as? [String] == Phase.Origin.named.map(\.rawValue))
        try expect(definition("attributeType"), FieldType.self)
        #expect(try definition("operator")["enum"] as? [String] == FilterReader.operators)
        try expect(property("isolation", of: "scenario"), Isolation.self)
        try expect(property("synchronous", of: "store"), StoreOptions.Synchronous.self)
        let pages = try #require(try property("page_size_bytes", of: "store")["anyOf"] as? [[String: Any]])
        #expect(pages[0]["enum"] as? [Int] == ScenarioLimits.pageSizeBytes)
    }

    /// A filter names attributes of any script, and those of owners after a point.
    @Test func aKeyPathIsMadeOfIdentifiers() throws {
        let identifier = try #require(try definition("identifier")["pattern"] as? String).dropFirst().dropLast()
        #expect(try definition("keyPath")["pattern"] as? String == "^\(identifier)(\\.\(identifier))?$")
    }

    @Test func kindsAreEqual() throws {
        for kind in PhaseKind.all {
            #expect(try property("kind", of: kind.shape.name)["const"] as? String == kind.name)
        }
        let phases = try #require(try definition("phase")["oneOf"] as? [[String: String]])
        #expect(phases.map { $0["$ref"] } == PhaseKind.all.map { "#/$defs/\($0.shape.name)" })
        let generators = try #require(try definition("generator")["anyOf"] as? [[String: String]])
        let kinds = try generators.compactMap { $0["$ref"]?.split(separator: "/").last }.map {
            try property("kind", of: String($0))["const"] as? String
        }
        #expect(Set(kinds) == Set(GeneratorKind.allCases.map(\.rawValue)))
    }

    @Test func boundsAreEqual() throws {
        let records = try #require(try property("records", of: "scenario")["oneOf"] as? [[String: Any]])
        let items = try #require(records[1]["items"] as? [String: Any])
        for number in [records[0], items] { expect(number, "records", ScenarioLimits.records) }
        #expect(records[1]["minItems"] as? Int == ScenarioLimits.sizes.lowerBound)
        #expect(records[1]["maxItems"] as? Int == ScenarioLimits.sizes.upperBound)
        let list = try definition("numbers")
        #expect(list["minItems"] as? Int == ScenarioLimits.variants.lowerBound)
        #expect(list["maxItems"] as? Int == ScenarioLimits.variants.upperBound)
        let exponent = try property("max_exponent", of: "growth")
        #expect(exponent["minimum"] as? Double == ScenarioLimits.exponent.lowerBound)
        #expect(exponent["maximum"] as? Double == ScenarioLimits.exponent.upperBound)
        try expect("repetitions", of: "scenario", ScenarioLimits.repetitions)
        try expect("warmups", of: "scenario", ScenarioLimits.warmups)
        try expect("cache_size_kib", of: "store", ScenarioLimits.cacheSizeKiB)
        try expect("mmap_size_bytes", of: "store", ScenarioLimits.mmapSizeBytes)
        try expect("wal_autocheckpoint_pages", of: "store", ScenarioLimits.walAutocheckpointPages)
        try expect("busy_timeout_ms", of: "store", ScenarioLimits.busyTimeoutMilliseconds)
        try expect("save_every_records", of: "seed", ScenarioLimits.records)
        try expect("limit", of: "fetch", ScenarioLimits.records)
        try expect("chunk_records", of: "update", ScenarioLimits.records)
        try expect("writers", of: "merge", ScenarioLimits.writers)
        try expect("saves_per_writer", of: "merge", ScenarioLimits.savesPerWriter)
        try expect("page_records", of: "page", ScenarioLimits.records)
        try expect("count", of: "get", ScenarioLimits.gets)
        try expect("count", of: "custom", ScenarioLimits.operations)
        for key in ["inserts_per_save", "changes_per_save", "deletes_per_save"] {
            try expect(key, of: "merge", ScenarioLimits.perSave)
        }
        try expect("length_bytes", of: "random", ScenarioLimits.randomLengthBytes)
        try expect("length_bytes_max", of: "random", ScenarioLimits.randomLengthBytes)
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
        let touch = try #require(try definition("touch")["description"] as? String)
        #expect(touch.hasSuffix("; \(fetch.touch.rawValue) if omitted."))
    }

    private func expect(_ key: String, of name: String, byDefault value: some Any) throws {
        let description = try #require(try property(key, of: name)["description"] as? String)
        #expect(description.hasSuffix("; \(value) if omitted."), "\(name).\(key)")
    }

    private func expect<Choice: CaseIterable & RawRepresentable<String>>(
        _ definition: [String: Any], _ type: Choice.Type
    ) {
        #expect(definition["enum"] as? [String] == Choice.allCases.map(\.rawValue), "\(type)")
    }

    private func expect(_ key: String, of name: String, _ range: ClosedRange<Int>) throws {
        try expect(property(key, of: name), "\(name).\(key)", range)
    }

    private func expect(_ property: [String: Any], _ name: String, _ range: ClosedRange<Int>) {
        #expect(property["minimum"] as? Int == range.lowerBound, "\(name)")
        #expect(property["maximum"] as? Int == range.upperBound, "\(name)")
    }
}
