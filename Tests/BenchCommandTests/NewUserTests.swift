import BenchHarness
import Foundation
import TestSupport
import Testing

/// A scenario of an application, made of the one that `bench init` writes: with other records and other phases, as the
/// manual shows them.
@Suite(.ownThreads) struct NewUserTests {
    /// A unique number, as pages and received records need it.
    private static let number = """
        "attributes": [
          { "name": "number", "type": "int64", "unique": true, "generator": { "kind": "sequence" } },
        """

    /// What an application for expenses does.
    private static let phases = """
        "phases": [
          { "name": "fill", "kind": "seed", "from": "empty", "save_every_records": 1000 },
          { "name": "receive", "kind": "insert", "from": "seeded", "records": 500, "save_every_records": 20 },
          { "name": "count-all", "kind": "count", "from": "previous" },
          {
            "name": "synchronise", "kind": "upsert", "from": "seeded", "records": 400, "new_share": 0.25,
            "save_every_records": 100
          },
          {
            "name": "search", "kind": "fetch", "from": "previous", "mode": "async",
            "filter": { "or": [
              { "key": "subject", "op": "contains", "value": "KA", "ignore_case": true },
              { "key": "folder", "op": "==", "value": "Archive", "ignore_case": true }
            ] },
            "sort": [{ "key": "receivedAt", "ascending": false }], "limit": 50
          },
          { "name": "open", "kind": "get", "from": "seeded", "count": 500 },
          {
            "name": "scroll", "kind": "page", "from": "seeded", "by": "offset", "page_records": 40,
            "sort": [{ "key": "receivedAt", "ascending": false }, { "key": "number" }]
          },
          {
            "name": "sums", "kind": "aggregate", "from": "seeded", "function": "sum", "attribute": "attachmentSize",
            "group_by": "folder"
          },
          {
            "name": "clear", "kind": "delete", "from": "seeded", "mode": "batch",
            "filter": { "key": "folder", "op": "==", "value": "spam" }
          }
        ]
        """

    @Test func aScenarioOfAnApplicationGrowsOutOfTheFirstOne() throws {
        let bench = try BenchBinary()
        #expect(try bench.run("init", "expenses").code == 0)
        let file = bench.folder.appendingPathComponent("Scenarios/expenses.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        let head = try #require(text.components(separatedBy: "  // Each phase is measured").first)
            .replacing("\"attributes\": [", with: Self.number)
        try Data("\(head)\(Self.phases.replacing("\"upsert\"", with: "\"upsrt\""))}".utf8).write(to: file)
        let mistaken = try bench.run("validate", "expenses")
        #expect(mistaken.code == 2 && mistaken.errors.contains("Did you mean \"upsert\"?"), "\(mistaken.errors)")
        #expect(mistaken.errors.contains("phases[3].kind"))

        try Data("\(head)\(Self.phases)}".utf8).write(to: file)
        #expect(try bench.run("validate", "expenses").output == "Scenarios/expenses.json: valid\n")
        let run = try bench.run(
            "run", "expenses", "--allow-debug", "--quiet", "--scale", "0.05", "--repetitions", "1", "--output", "a.csv")
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        let rows = try bench.rows("a.csv")
        #expect(rows.count == 27 && rows.allSatisfy { $0.status == .ok && $0.verified == true })
        #expect(Set(rows.map(\.driver)) == ["managed", "sqlite", "sqlite-tuned"])
    }
}
