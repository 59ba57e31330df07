import BenchCommand
import BenchHarness
import Foundation

/// A scenario run through the command, as a person would, but within the process of the tests.
struct ScenarioRun {
    let code: ExitCode
    let rows: [ResultRow]

    init(_ scenario: String, _ drivers: [any StoreDriver], scale: Double = 1) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("peers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let input = folder.appendingPathComponent("scenario.json")
        let output = folder.appendingPathComponent("out.csv")
        try Data(scenario.utf8).write(to: input)
        code = await BenchCommand(drivers: drivers).run(
            arguments: [
                "bench", "run", input.path, "--output", output.path, "--scale", "\(scale)", "--allow-debug", "--quiet",
            ])
        rows = try ResultTable(contentsOf: output).rows
    }

    /// What is not as it should be: the phases that failed or were not verified, with the reason.
    var failures: [String] {
        rows.filter { $0.status != .ok || $0.verified != true }.map { "\($0.driver) \($0.phase): \($0.error)" }
    }

    /// The phases that the driver says that it cannot do.
    var unsupported: [String] { rows.filter { $0.status == .unsupported }.map(\.phase) }
}

/// The scenarios of the tests: small ones, run in one process.
enum Scenarios {
    /// The number of records that they seed.
    static let records = 5_000

    /// The item of the main scenarios, and every kind of phase.
    static let item = scenario(
        attributes: itemAttributes,
        phases: fetches("createdAt") + """
            { "name": "found", "kind": "fetch", "from": "seeded", "mode": "sync", "limit": 100, "touch": "all",
              "filter": { "and": [{ "key": "createdAt", "op": ">=", "value": "2024-01-01T00:00:00Z" },
                                  { "not": { "key": "done", "op": "==", "value": true } }] },
              "sort": [{ "key": "createdAt", "ascending": false }] },
            { "name": "matched", "kind": "fetch", "from": "seeded", "mode": "async", "touch": "all",
              "filter": { "or": [{ "key": "name", "op": "ends_with", "value": "7" },
                                 { "key": "name", "op": "begins_with", "value": "Item 1" },
                                 { "key": "name", "op": "contains", "value": "m 2" }] } },
            """ + updates(#"{ "done": true, "createdAt": { "add_s": 0.5 } }"#)
            + updates(#"{ "name": "done" }"#, named: "some", where: #"{ "key": "done", "op": "==", "value": true }"#)
                + """
                { "name": "checkpoint", "kind": "checkpoint", "from": "previous" },
                { "name": "merge", "kind": "merge", "from": "seeded", "writers": 4,
                  "saves_per_writer": 5, "inserts_per_save": 10, "changes_per_save": 20, "deletes_per_save": 5,
                  "set": { "done": { "toggle": true } } }
                """)

    /// One phase of each kind that the tests of cheats need. No phase depends on the name, so the harness plants names.
    static let brief = scenario(
        attributes: itemAttributes,
        phases: """
            { "name": "seed", "kind": "seed", "from": "empty" },
            { "name": "sync", "kind": "fetch", "from": "seeded", "mode": "sync", "touch": "all",
              "sort": [{ "key": "createdAt", "ascending": true }] },
            { "name": "batch", "kind": "update", "from": "seeded", "mode": "batch", "set": { "done": true } },
            { "name": "checkpoint", "kind": "checkpoint", "from": "previous" }
            """)

    private static let itemAttributes = """
        { "name": "name", "type": "string", "generator": { "kind": "sequence", "prefix": "Item " } },
        { "name": "createdAt", "type": "date",
          "generator": { "kind": "uniform", "min": "2022-01-01T00:00:00Z", "max": "2026-01-01T00:00:00Z" } },
        { "name": "done", "type": "bool", "generator": { "kind": "uniform", "probability": 0.3 } }
        """

    /// An entity with every type, a missing value and a unique key, and a load.
    static let everything = scenario(
        name: "Sample",
        attributes: """
            { "name": "number", "type": "int64", "unique": true, "generator": { "kind": "sequence" } },
            { "name": "title", "type": "string", "generator": { "kind": "random", "length_bytes": 12 } },
            { "name": "weight", "type": "double", "generator": { "kind": "uniform", "min": -5, "max": 5 } },
            { "name": "payload", "type": "data", "generator": { "kind": "random", "length_bytes": 9 } },
            { "name": "at", "type": "date",
              "generator": { "kind": "uniform", "min": "2022-01-01T00:00:00Z", "max": "2026-01-01T00:00:00Z" } },
            { "name": "flag", "type": "bool", "generator": { "kind": "uniform", "probability": 0.5 } },
            { "name": "edits", "type": "int64", "generator": { "kind": "constant", "value": 0 } }
            """,
        phases: fetches("weight")
            + updates(
                #"{ "flag": { "toggle": true }, "edits": { "add": 3 }, "at": { "add_s": 0.5 }, "title": null }"#)
                + """
                { "name": "mixed", "kind": "mixed", "from": "seeded", "workers": 4, "operation_count": 400,
                  "operations": { "read": 1, "update": 2, "insert": 1, "delete": 1, "scan": 1, "read_modify_write": 1 } },
                { "name": "saves", "kind": "saves", "from": "seeded", "mode": "unobserved", "writers": 4,
                  "saves_per_writer": 20, "inserts_per_save": 2, "changes_per_save": 5, "deletes_per_save": 1,
                  "set": { "edits": { "add": 1 } }, "contention": 0.5, "hot_records": 20 }
                """)

    private static func fetches(_ key: String) -> String {
        let sort = #""sort": [{ "key": "\#(key)", "ascending": true }], "touch": "all""#
        return """
            { "name": "seed", "kind": "seed", "from": "empty" },
            { "name": "sync", "kind": "fetch", "from": "seeded", "mode": "sync", \(sort) },
            { "name": "async", "kind": "fetch", "from": "seeded", "mode": "async", \(sort) },
            { "name": "cancelled", "kind": "fetch", "from": "seeded", "mode": "async", \(sort),
              "cancel_after_records": 2000 },
            """
    }

    private static func updates(_ set: String, named name: String = "all", where filter: String? = nil) -> String {
        ["per_object", "chunked", "batch"].map { mode in
            let filter = filter.map { #", "filter": "# + $0 } ?? ""
            let chunk = mode == "chunked" ? #", "chunk_records": 300"# : ""
            return """
                { "name": "\(name)-\(mode)", "kind": "update", "from": "seeded", "mode": "\(mode)",
                  "set": \(set)\(filter)\(chunk) },

                """
        }.joined()
    }

    private static func scenario(name: String = "Item", attributes: String, phases: String) -> String {
        """
        { "version": 3, "name": "peers", "seed": 7, "records": \(records), "repetitions": 1, "isolation": "none",
          "entities": [{ "name": "\(name)", "attributes": [\(attributes)] }],
          "phases": [\(phases)] }
        """
    }
}
