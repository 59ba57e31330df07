import BenchHarness
import Foundation
import TestSupport
import Testing

/// Several processes that do one load, through the binary.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct ShardedRunTests {
    private let bench: BenchBinary
    private let meeting: URL

    init() throws {
        bench = try BenchBinary()
        meeting = try bench.makeFolder("meeting")
    }

    private static let load = [BenchBinary.scenario("load"), "--scale", "0.01", "--repetitions", "1"]

    private func arguments(_ shard: String, _ more: [String], output: String? = nil) -> [String] {
        [
            "run", "--allow-debug", "--quiet", "--shard", shard, "--meeting", meeting.path, "--output",
            output ?? "shard-\(shard.prefix { $0 != "/" }).csv",
        ] + more
    }

    /// Runs all shards at the same time.
    private func run(_ count: Int, _ more: [String]) throws -> [BenchBinary.Outcome] {
        let started = try (0..<count).map { try bench.start(arguments("\($0)/\(count)", more)) }
        return started.map { BenchBinary.Outcome($0) }
    }

    @Test(arguments: ["sqlite", "managed"]) func fourProcessesDoOneLoadOnOneFile(driver: String) throws {
        let phases = ["--phase", "saves", "--phase", "contended", "--phase", "at-a-rate"]
        let outcomes = try run(4, Self.load + phases + ["--driver", driver])
        for outcome in outcomes { #expect(outcome.code == 0, "\(outcome.errors)") }
        let merged = try bench.rows("shard-0-merged.csv")
        #expect(merged.map(\.phase) == ["saves", "contended", "at-a-rate"])
        #expect(merged.allSatisfy { $0.verified == true })
        let parts = try (0..<4).map { try bench.rows("shard-\($0).csv") }
        #expect(parts.joined().allSatisfy { $0.verified == true })
        #expect(merged[2].rateText == "100/s" && parts[3][2].rateText == "25/s")
        let again = try bench.run(["merge", "--output", "again.csv"] + (0..<4).map { "shard-\($0).csv" })
        #expect(again.code == 0, "\(again.errors)")
        #expect(try bench.rows("again.csv") == merged)
        let shown = try bench.run("show", "shard-0-merged.csv")
        #expect(shown.code == 0 && shown.output.contains("contended"), "\(shown.errors)")
    }

    /// Only the first shard restores the store, but all work with the records that the phase is about.
    @Test(arguments: ["sqlite", "managed"]) func aLoadIsAboutTheEntityThatItsPhaseNames(driver: String) throws {
        let number = #"{ "name": "k", "type": "int64", "unique": true, "generator": { "kind": "sequence" } }"#
        let scenario = """
            { "version": 3, "name": "lists", "seed": 1, "records": 50,
              "entities": [{ "name": "Item", "attributes": [\(number)],
                "relationships": [{ "name": "list", "to": "List", "inverse": "items" }] },
              { "name": "List", "records": 30, "attributes": [\(number), {
                "name": "v", "type": "int64", "generator": { "kind": "uniform", "min": 1, "max": 9 } }] }],
              "phases": [{ "name": "work", "kind": "mixed", "entity": "List", "from": "seeded", "workers": 2,
                "operation_count": 200, "operations": { "read": 0.5, "update": 0.3, "insert": 0.2 } }] }
            """
        try Data(scenario.utf8).write(to: bench.folder.appendingPathComponent("lists.json"))
        let outcomes = try run(2, ["lists.json", "--repetitions", "1", "--driver", driver])
        for outcome in outcomes { #expect(outcome.code == 0, "\(outcome.errors)") }
        #expect(try bench.rows("shard-0-merged.csv").map(\.operations) == [200])
    }

    @Test func aShardWithoutAnOperationAddsNothing() throws {
        let work = [BenchBinary.scenario("ycsb-a"), "--scale", "0.00001", "--repetitions", "1", "--driver", "sqlite"]
        for outcome in try run(2, work) { #expect(outcome.code == 0, "\(outcome.errors)") }
        #expect(try bench.rows("shard-1.csv").map(\.operations) == [0])
        let merged = try bench.run("merge", "--output", "again.csv", "shard-0.csv", "shard-1.csv")
        #expect(merged.code == 0, "\(merged.errors)")
        #expect(try bench.rows("again.csv").map(\.operations) == [1])
    }

    @Test(.takesLong)
    func theHighestRateIsThatOfAllShards() throws {
        let search = ["--find-max", "--limit", "p50=60s", "--limit", "errors=0", "--trial-seconds", "0.2"]
        let work = [BenchBinary.scenario("load"), "--scale", "0.01", "--phase", "at-a-rate", "--driver", "sqlite"]
        let outcomes = try run(2, work + search + ["--set", "phases.at-a-rate.rate_per_s=2000"])
        for outcome in outcomes { #expect(outcome.code == 0, "\(outcome.errors)") }
        #expect(outcomes[0].output.contains("Trials of all shards: "))
        let parts = try (0..<2).map { try bench.rows("shard-\($0).csv") }
        let merged = try bench.rows("shard-0-merged.csv")
        #expect(merged.count == parts[0].count && merged.count == parts[1].count && merged.count > 3)
        #expect(merged.allSatisfy { $0.verified == true && !$0.limits.isEmpty })
        let found = try (0..<2).map { index in
            let manifest = bench.folder.appendingPathComponent("shard-\(index).manifest.json")
            let facts = try JSONSerialization.jsonObject(with: Data(contentsOf: manifest)) as? [String: Any]
            return try #require((facts?["found_rates"] as? [[String: Any]])?.first?["rate_per_second"] as? Double)
        }
        #expect(found[0] == found[1])
    }

    @Test func shardsThatSearchForOtherRatesAreNamed() throws {
        let work = [BenchBinary.scenario("load"), "--scale", "0.01", "--phase", "at-a-rate", "--driver", "sqlite"]
        let started = try (0..<2).map { index in
            try bench.start(arguments("\(index)/2", work + ["--find-max", "--limit", "p50=\(index + 1)ms"]))
        }
        for running in started {
            let outcome = BenchBinary.Outcome(running)
            #expect(outcome.code != 0 && outcome.errors.contains("--find-max, its limits or"), "\(outcome.errors)")
        }
    }

    @Test func shardsOfOtherLoadsAreNamed() throws {
        let started = try [
            bench.start(arguments("0/2", Self.load + ["--phase", "saves", "--driver", "sqlite"])),
            bench.start(arguments("1/2", Self.load + ["--phase", "contended", "--driver", "sqlite"])),
        ]
        for running in started {
            let outcome = BenchBinary.Outcome(running)
            #expect(outcome.code != 0)
            #expect(outcome.errors.contains("shards 0 and 1 mean different loads: the phases that run"))
        }
    }

    @Test func aShardThatDoesNotComeIsNamed() throws {
        let outcome = try bench.run(
            arguments("0/3", Self.load + ["--phase", "saves", "--driver", "sqlite", "--meeting-wait", "1s"]))
        #expect(outcome.code != 0 && outcome.errors.contains("shards 1, 2 are missing after 1 s"), "\(outcome.errors)")
    }

    @Test func aShardThatIsKilledIsNamedAndTheOthersEnd() throws {
        let work = Self.load + ["--phase", "at-a-rate", "--driver", "sqlite"]
        let first = try bench.start(arguments("0/2", work))
        let second = try bench.start(arguments("1/2", work))
        let opened = meeting.appendingPathComponent("1-3-ready-1").path
        while !FileManager.default.fileExists(atPath: opened), second.process.isRunning { usleep(10_000) }
        kill(second.process.processIdentifier, SIGTERM)
        _ = BenchBinary.Outcome(second)
        let outcome = BenchBinary.Outcome(first)
        #expect(outcome.code == 3 && outcome.errors.contains("shard 1 failed: "), "\(outcome.errors)")
        // What is there of both can be merged.
        let merged = try bench.run("merge", "shard-0.csv", "shard-1.csv", "--output", "merged.csv")
        #expect(merged.code == 3 && merged.errors.contains("at-a-rate, repetition 1: shard 0: "), "\(merged.errors)")
        #expect(try bench.rows("merged.csv").map(\.status) == [.failed])
    }

    @Test func aFirstRunInAFolderMakesTheFolderOfItsResults() throws {
        let outcome = try bench.run(
            ["run", "--allow-debug", "--quiet", "--shard", "0/1", "--meeting", meeting.path, "--driver", "sqlite"]
                + Self.load + ["--phase", "saves"])
        #expect(
            outcome.code == 0 && outcome.output.contains("Results of all shards: Results/load-"), "\(outcome.errors)")
    }

    @Test func aFolderServesOneLoad() throws {
        let work = Self.load + ["--phase", "saves", "--driver", "sqlite"]
        for outcome in try run(2, work) { #expect(outcome.code == 0, "\(outcome.errors)") }
        let again = try bench.run(arguments("0/2", work, output: "again.csv"))
        #expect(again.code != 0 && again.errors.contains("used for another load"), "\(again.errors)")
    }

    @Test(arguments: [
        (["--shard", "2/2", "--meeting", "."], "expected I/N, such as 2/8"),
        (["--shard", "0/2"], "--shard needs --meeting DIR"), (["--meeting", "."], "no shard is named"),
        (["--shard", "0/2", "--meeting", ".", "--phase", "watched"], "watched is watched"),
        (
            ["--shard", "0/2", "--meeting", ".", "--precision", "5%"],
            "would let each process stop on its own"
        ),
    ])
    func whatCannotBeSharedIsRefused(_ options: [String], _ message: String) throws {
        let outcome = try bench.run(["run", "--allow-debug", "--quiet"] + Self.load + options)
        #expect(outcome.code == 2 && outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func phasesOfOtherKindsAreRefused() throws {
        let outcome = try bench.run("run", BenchBinary.tiny, "--allow-debug", "--shard", "0/2", "--meeting", ".")
        #expect(outcome.code == 2 && outcome.errors.contains("loads from the seeded store only"), "\(outcome.errors)")
    }
}
