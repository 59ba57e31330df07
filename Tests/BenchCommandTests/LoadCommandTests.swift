import Foundation
import Testing

@testable import BenchHarness

/// Loads through the binary: limits, the search for the highest rate, and the files beside the results.
@Suite(.ownThreads) struct LoadCommandTests {
    private func scenario(_ bench: BenchBinary, limits: String = "{}", load: String = mix) throws {
        let json = """
            {
              "version": 3, "name": "small", "records": 200, "repetitions": 1, "drivers": ["sqlite"],
              "entities": [{ "name": "Item", "attributes": [
                { "name": "number", "type": "int64", "unique": true, "generator": { "kind": "sequence" } },
                { "name": "text", "type": "string", "generator": { "kind": "random", "length_bytes": 10 } }
              ] }],
              "phases": [{
                "name": "mix", "from": "seeded", \(load), "limits": \(limits)
              }]
            }
            """
        try Data(json.utf8).write(to: bench.folder.appendingPathComponent("small.json"))
    }

    private static let mix = """
        "kind": "mixed", "workers": 2, "operation_count": 200, "operations": { "read": 1, "update": 1 },
        "sample_interval_s": 0.01
        """
    private static let watched = """
        "kind": "saves", "mode": "controller", "writers": 1, "saves_per_writer": 10, "inserts_per_save": 1,
        "changes_per_save": 0, "deletes_per_save": 0, "sort": [{ "key": "number" }]
        """

    private func run(_ bench: BenchBinary, _ more: String...) throws -> BenchBinary.Outcome {
        try bench.run(["run", "small.json", "--allow-debug", "--quiet", "--output", "out.csv"] + more)
    }

    @Test func limitThatIsKeptEndsWell() throws {
        let bench = try BenchBinary()
        try scenario(bench, limits: #"{ "all": { "max_ms": 60000, "errors": 0 } }"#)
        let outcome = try run(bench)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let row = try #require(bench.rows().first)
        #expect(row.limits == "met" && row.operations == 200)
    }

    @Test func limitThatIsMissedStopsAJob() throws {
        let bench = try BenchBinary()
        try scenario(bench, limits: #"{ "read": { "p50_ms": 0.000001 } }"#)
        let outcome = try run(bench)
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("read.p50_ms is"), "\(outcome.errors)")
    }

    @Test func operationsAndSamplesStandBesideTheResults() throws {
        let bench = try BenchBinary()
        try scenario(bench)
        #expect(try run(bench).code == 0)
        let operations = try String(
            contentsOf: bench.folder.appendingPathComponent("out-operations.csv"), encoding: .utf8)
        let lines = operations.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(lines.map { $0[5] } == ["operation", "read", "update"])
        #expect(lines.dropFirst().reduce(0) { $0 + (Int($1[6]) ?? 0) } == 200)
        #expect(try run(bench).code == 2, "results of another run must not be replaced unasked")
        #expect(try run(bench, "--force").code == 0)
    }

    @Test func highestRateIsSearchedFor() throws {
        let bench = try BenchBinary()
        try scenario(bench)
        let outcome = try run(bench, "--find-max", "--limit", "max=0.000001ms", "--trial-seconds", "0.1")
        // Nothing is as fast as that, so that the search goes down to the end.
        #expect(outcome.code == 1, "\(outcome.errors)")
        let found = try run(bench, "--force", "--find-max", "--limit", "p50=60s", "--trial-seconds", "0.1")
        #expect(found.code == 0, "\(found.errors)")
        #expect(found.output.contains("highest rate"))
        let rows = try bench.rows()
        #expect(rows.first?.ratePerSecond == 100)
        #expect(rows.count > 1 && rows.map(\.repetition) == Array(1...rows.count))
    }

    @Test func whatADriverCannotDoIsNotSearchedFor() throws {
        let bench = try BenchBinary()
        try scenario(bench, load: Self.watched)
        let outcome = try run(bench, "--find-max", "--limit", "p50=60s", "--trial-seconds", "0.1")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let line = try #require(outcome.output.split(separator: "\n").first { $0.contains("unsupported") })
        #expect(line.contains("it observes no saves"))
    }

    @Test(arguments: [
        (["--limit", "p99=50ms"], "--limit needs --find-max"),
        (["--find-max"], "needs limits; give --limit p99=50ms"),
        (["--find-max", "--limit", "p98=50ms"], "--limit p98=50ms: expected p50"),
        (["--find-max", "--limit", "p99=50"], "such as p99=50ms"),
        (
            ["--find-max", "--limit", "errors=0", "--trial-seconds", "0"],
            "expected a number of seconds from 0.1 to 3600"
        ),
    ])
    func wrongUseIsAnsweredWithTheRightOne(arguments: [String], message: String) throws {
        let bench = try BenchBinary()
        try scenario(bench)
        let outcome = try bench.run(["run", "small.json", "--allow-debug", "--output", "out.csv"] + arguments)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func scenarioWithoutALoadHasNoHighestRate() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run([
            "run", BenchBinary.smoke, "--allow-debug", "--find-max", "--limit", "p99=1s", "--output", "out.csv",
        ])
        #expect(outcome.code == 2 && outcome.errors.contains("has no load; try load or ycsb-a"))
    }
}
