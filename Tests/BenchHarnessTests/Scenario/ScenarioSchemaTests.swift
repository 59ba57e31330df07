import Foundation
import Processes
import TestSupport
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

    /// The reader takes bounds from the description of the key that it reads.
    @Test(arguments: PhaseKind.all.map(\.name))
    func everyNumberOfAPhaseIsHeldToItsBounds(_ name: String) throws {
        let shape = try #require(PhaseKind.named(name)).shape
        for path in shape.numbers {
            let phase = shape.example(with: path[...], being: "1e300").replacing("\"previous\"", with: "\"seeded\"")
            let json = """
                { "version": 3, "name": "bounds", "records": 9, "entities": [{ "name": "Item", "attributes": [
                  { "name": "x", "type": "int64", "unique": true, "generator": { "kind": "sequence" } }
                ] }], "phases": [\(phase)] }
                """
            let errors = #expect(throws: ScenarioErrors.self) { try ScenarioFixture.read(json) }?.all ?? []
            let place = "phases[0]." + path.joined(separator: ".")
            let bounds = errors.filter { $0.path == place }.compactMap(\.expected)
            #expect(bounds.contains { $0.contains(/^an? (integer|number) from/) }, "\(place) in \(json)")
        }
    }

    /// Validators differ in what their expressions know. All of them know ranges of characters.
    @Test func patternsAreThoseOfEveryValidator() throws {
        let schema = try String(contentsOf: Repository.url("Scenarios/schema.json"), encoding: .utf8)
        #expect(schema.contains("pattern") && !schema.contains(/\\\\[pP]\{/))
        let python = URL(fileURLWithPath: "/usr/bin/python3")
        guard FileManager.default.isExecutableFile(atPath: python.path) else { return }
        let script = """
            import json, re, sys
            def patterns(value):
                if isinstance(value, dict):
                    for key, each in value.items():
                        if key == "pattern" and isinstance(each, str): yield each
                        yield from patterns(each)
                elif isinstance(value, list):
                    for each in value: yield from patterns(each)
            schema = json.load(open(sys.argv[1], encoding="utf-8"))
            for pattern in patterns(schema): re.compile(pattern)
            name = schema["$defs"]["identifier"]["pattern"]
            for text in ["size", "größe2", "名前", "a_b"]: assert re.search(name, text), text
            for text in ["", "2a", "_a", "a b", "a-b", "a.b", "a@"]: assert not re.search(name, text), text
            """
        let process = Process()
        process.executableURL = python
        process.arguments = ["-c", script, Repository.url("Scenarios/schema.json").path]
        try process.run()
        #expect(process.awaitEnd() == 0)
    }

    @Test func descriptionsNameTheDefaults() throws {
        let scenario = try ScenarioFixture.read(
            """
            {
              "version": 3, "name": "defaults", "records": 1,
              "entities": [{ "name": "Item", "attributes": [
                { "name": "done", "type": "bool", "generator": { "kind": "constant", "value": false } }
              ] }],
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
        guard let fetch = scenario.phases[0].work.as(FetchWork.self),
            let update = scenario.phases[1].work.as(UpdateWork.self)
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

extension ObjectShape {
    /// The paths to all numbers that have bounds.
    fileprivate var numbers: [[String]] {
        members.flatMap { key -> [[String]] in
            switch key.value.resolved {
            case .integer, .number(_?, _): [[key.name]]
            case .object(let shape): shape.numbers.map { [key.name] + $0 }
            default: []
            }
        }
    }

    /// An object with its required keys, and with a number at a path.
    fileprivate func example(with path: ArraySlice<String> = [], being number: String = "") -> String {
        let members = members.filter { $0.isRequired || $0.name == path.first }.map { key in
            let value =
                switch (key.value.resolved, key.name == path.first) {
                case (.object(let shape), true): shape.example(with: path.dropFirst(), being: number)
                case (let shape, let isWanted): isWanted ? number : shape.example
                }
            return "\"\(key.name)\": \(value)"
        }
        return "{ " + members.joined(separator: ", ") + " }"
    }
}

extension ValueShape {
    /// A value, the last one of several.
    fileprivate var example: String {
        switch self {
        case .bool: "true"
        case .text: "\"x\""
        case .integer, .number, .schema: "1"
        case .constant(let value): value.text()
        case .among(let values): values.last?.text() ?? ""
        case .list(let element, _, _): "[\(element.resolved.example)]"
        case .map(let value, _, _): "{ \"x\": \(value.resolved.example) }"
        case .any(let shapes): shapes[0].resolved.example
        case .object(let shape): shape.example()
        case .named: resolved.example
        }
    }
}
