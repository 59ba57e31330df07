import Foundation
import TestSupport
import Testing

@testable import BenchHarness

/// A valid scenario that uses every kind of phase, for tests to spoil in one place.
enum ScenarioFixture {
    static let valid = """
        {
          "version": 3,
          "name": "fixture",
          "records": 1000,
          "seed": 7,
          "drivers": ["managed", "sqlite"],
          "store": { "synchronous": "full", "page_size_bytes": 8192 },
          "entities": [{ "name": "Item", "attributes": [
            { "name": "name", "type": "string", "generator": { "kind": "sequence", "prefix": "Item " } },
            { "name": "createdAt", "type": "date",
              "generator": { "kind": "uniform", "min": "2022-01-01T00:00:00Z", "max": "2026-01-01T00:00:00Z" } },
            { "name": "done", "type": "bool", "generator": { "kind": "constant", "value": false } },
            { "name": "score", "type": "int64", "unique": true,
              "generator": { "kind": "sequence", "start": 10, "step": 2 } }
          ] }],
          "phases": [
            { "name": "seed", "kind": "seed", "from": "empty", "save_every_records": 100 },
            { "name": "fetch", "kind": "fetch", "from": "seeded", "mode": "async", "touch": "none",
              "sort": [{ "key": "createdAt", "ascending": false }], "limit": 50, "cancel_after_records": 20,
              "filter": { "not": { "or": [{ "key": "done", "op": "==", "value": true }] } } },
            { "name": "update", "kind": "update", "from": "seeded", "mode": "chunked", "chunk_records": 10,
              "set": { "done": { "toggle": true }, "score": { "add": 5 } } },
            { "name": "merge", "kind": "merge", "from": "previous", "writers": 2,
              "saves_per_writer": 5, "inserts_per_save": 3, "changes_per_save": 2, "deletes_per_save": 1,
              "set": { "createdAt": { "add_s": 60 } } },
            { "name": "checkpoint", "kind": "checkpoint", "from": "previous" },
            { "name": "mixed", "kind": "mixed", "from": "seeded", "workers": 3, "operation_count": 500,
              "operations": { "read": 0.9, "update": 0.1 }, "keys": { "distribution": "hot_set", "hot_records": 9,
              "hot_share": 0.75 }, "rate_per_s": 200, "arrivals": "poisson", "ramp": { "from_per_s": 10,
              "duration_s": 2 }, "limits": { "read": { "p99_ms": 50, "errors": 0 } } },
            { "name": "contended", "kind": "saves", "from": "seeded", "mode": "controller", "writers": 4,
              "inserts_per_save": 2, "changes_per_save": 3, "deletes_per_save": 2, "set": { "done": true },
              "contention": 0.2, "duration_s": 1.5, "policy": "object_trump" }
          ]
        }
        """

    /// The fixture with one piece of its text replaced; the piece must be there, once.
    static func replacing(_ old: String, with new: String) -> String {
        precondition(valid.components(separatedBy: old).count == 2, "\(old) must occur once in the fixture")
        return valid.replacingOccurrences(of: old, with: new)
    }

    static func read(_ json: String) throws -> Scenario {
        try ScenarioReader(drivers: ["managed", "sqlite", "sqlite-tuned"]).read(Data(json.utf8), file: "test.json")
    }

    /// The folder of the scenarios that the repository ships.
    static let folder = Repository.url("Scenarios")
}

/// Expects that reading `json` fails at a JSON path, with a message that is one line and contains `text`: the only
/// error unless there are more mistakes.
func assertInvalidScenario(
    _ json: String, at path: String?, saying text: String, mistakes: Int = 1,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let errors = #expect(throws: ScenarioErrors.self, sourceLocation: sourceLocation) {
        try ScenarioFixture.read(json)
    }
    guard let errors else { return }
    #expect(errors.all.count == mistakes, "one mistake, one error: \(errors)", sourceLocation: sourceLocation)
    guard let error = errors.all.first(where: { $0.path == path && $0.description.contains(text) }) else {
        Issue.record("\(errors)", sourceLocation: sourceLocation)
        return
    }
    #expect(!error.description.contains("\n"), "\(error)", sourceLocation: sourceLocation)
    #expect(error.line != nil && error.column != nil, "\(error)", sourceLocation: sourceLocation)
}

/// Expects that the fixture with `old` replaced by `new` fails at a JSON path.
func assertInvalidScenario(
    replacing old: String, with new: String, at path: String?, saying text: String, mistakes: Int = 1,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let json = ScenarioFixture.replacing(old, with: new)
    assertInvalidScenario(json, at: path, saying: text, mistakes: mistakes, sourceLocation: sourceLocation)
}
