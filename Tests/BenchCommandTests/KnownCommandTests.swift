import Foundation
import TestSupport
import Testing

@testable import BenchHarness

/// The harness measured by drivers whose work is known, through the binary.
@Suite(.ownThreads) struct KnownCommandTests {
    /// The CSV of a small run of these drivers.
    private func run(_ bench: BenchBinary, scale: String = "0.05", _ arguments: String...) throws -> URL {
        let outcome = try bench.run(
            BenchBinary.known,
            [
                "run", BenchBinary.scenario("instrument"), "--allow-debug", "--output", "known.csv", "--scale", scale,
                "--repetitions", "1", "--quiet",
            ] + arguments)
        #expect(outcome.code == 0, "\(outcome.errors)")
        return bench.folder.appendingPathComponent("known.csv")
    }

    /// The figures of the study of that run.
    private func study(_ bench: BenchBinary) throws -> [[String: Any]] {
        let outcome = try bench.run(BenchBinary.known, ["overhead", "known.csv", "1"])
        #expect(outcome.code == 0 && outcome.output.contains("Watched, a computation of"), "\(outcome.errors)")
        let json = try Data(contentsOf: bench.folder.appendingPathComponent("known.overhead.json"))
        let object = try JSONSerialization.jsonObject(with: json) as? [String: Any]
        let wakeUps = try #require(object?["wake_ups"] as? [String: Any])
        #expect(outcome.output.contains("A sleeping thread wakes up later by ") && wakeUps["waits"] as? Int == 50)
        return try #require(object?["phases"] as? [[String: Any]])
    }

    private func median(_ phase: [String: Any], _ figure: String) throws -> Double {
        let sample = try #require(phase[figure] as? [String: Any], "\(phase["phase"] ?? "")")
        return try #require(sample["median"] as? Double)
    }

    @Test func everyPhaseOfEveryKnownDriverIsVerified() throws {
        let bench = try BenchBinary()
        let rows = try ResultTable(contentsOf: run(bench)).rows
        #expect(Set(rows.map(\.driver)) == ["nothing", "waits", "allocates"])
        #expect(rows.count == 3 * 10 && rows.allSatisfy { $0.status == .ok && $0.verified == true })
    }

    /// Writes a scenario whose phase runs an operation 50 times.
    private func write(_ operation: String, _ bench: BenchBinary) throws {
        let json = """
            {
              "version": 3, "name": "own", "records": 100, "repetitions": 2,
              "entities": [{ "name": "Item", "attributes": [
                { "name": "done", "type": "bool", "generator": { "kind": "constant", "value": false } }
              ] }],
              "phases": [
                { "name": "own", "kind": "custom", "from": "seeded", "operation": "\(operation)", "count": 50 }
              ]
            }
            """
        try Data(json.utf8).write(to: bench.folder.appendingPathComponent("own.json"))
    }

    @Test func anOperationOfADriverIsListedAndChecked() throws {
        let bench = try BenchBinary()
        let list = try bench.run(BenchBinary.known, ["list"]).output
        #expect(
            list.contains(
                "  waits: Waits for a known time\n    operation act: does once what the driver is known for\n"),
            "\(list)")
        try write("act", bench)
        #expect(try bench.run(BenchBinary.known, ["validate", "own.json", "--driver", "waits"]).code == 0)
        try write("atc", bench)
        let outcome = try bench.run(BenchBinary.known, ["validate", "own.json", "--driver", "waits"])
        let reason = #"it has no operation "atc"; expected act. Did you mean "act"?"#
        #expect(outcome.code == 0 && outcome.output.hasSuffix("own.json: waits does not support own: \(reason)\n"))
    }

    /// Each run waits for 20 microseconds.
    @Test func anOperationIsMeasuredRunByRun() throws {
        let bench = try BenchBinary()
        try write("act", bench)
        let outcome = try bench.run(
            BenchBinary.known,
            ["run", "own.json", "--driver", "waits", "--allow-debug", "--output", "own.csv", "--quiet"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let rows = try bench.rows("own.csv")
        #expect(rows.count == 2 && rows.allSatisfy { $0.verified == true && $0.operations == 50 })
        #expect(rows.allSatisfy { $0.latencyMin ?? 0 >= 20_000 && $0.durationNanoseconds ?? 0 >= 1_000_000 })
    }

    @Test func sidesTakeTurnsAtRunsOfAnOperation() throws {
        let bench = try BenchBinary()
        try write("act", bench)
        let outcome = try bench.run(
            BenchBinary.known,
            [
                "ab", "own.json", "--allow-debug", "--quiet", "--base-driver", "waits", "--new-driver", "nothing",
                "--launches", "2", "--quads", "1",
            ])
        #expect(outcome.code == 4, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("2 of the 5 launches that it takes to judge"))
    }

    @Test func noWaitIsReportedShorterThanItWas() throws {
        let bench = try BenchBinary()
        _ = try run(bench)
        for phase in try study(bench) {
            let excess = try #require(phase["reported_more_ns"] as? [String: Any])
            #expect(try #require(excess["min"] as? Double) >= 0, "\(phase)")
        }
    }

    @Test(.disabled(if: Sanitizer.watchesAddresses, "the sanitizer's allocator takes memory of its own"))
    func knownAllocationsAreReportedToWithinAFewPercent() throws {
        let bench = try BenchBinary()
        _ = try run(bench)
        for phase in try study(bench) {
            // What the harness itself takes meanwhile is known from the driver that does nothing.
            let own = try median(phase, "nothing_memory_bytes")
            let error = try median(phase, "reported_more_memory_bytes") - own
            #expect(abs(error) < 2 * 1_048_576, "\(phase)")
            #expect(own < 4 * 1_048_576, "\(phase)")
        }
    }

    @Test func theCostOfReadingRecordsIsMeasured() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(BenchBinary.known, ["walk", "walk.json", "5000"])
        #expect(outcome.code == 0 && outcome.output.contains("Reading 5,000 records takes"), "\(outcome.errors)")
        let json = try Data(contentsOf: bench.folder.appendingPathComponent("walk.json"))
        let cost = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(cost["records"] as? Int == 5_000)
        #expect(try #require(cost["per_record_ns"] as? Double) > 0)
    }

    @Test func aResultWithoutItsManifestIsRefused() throws {
        let bench = try BenchBinary()
        try Data(GrowthCSV.text.utf8).write(to: bench.folder.appendingPathComponent("in.csv"))
        let outcome = try bench.run(BenchBinary.known, ["overhead", "in.csv", "1"])
        #expect(outcome.code == 2 && outcome.errors.contains("in.csv: there is no manifest beside it"))
    }
}
