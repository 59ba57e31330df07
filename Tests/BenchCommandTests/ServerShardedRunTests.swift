import BenchHarness
import Foundation
import TestSupport
import Testing

/// Several processes that do one load on a server, and meet there.
@Suite(
    .ownThreads, .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"), .timeLimit(.minutes(10)))
struct ServerShardedRunTests {
    private let bench: BenchBinary
    private let server: PostgreSQLServer

    init() throws {
        bench = try BenchBinary()
        server = try PostgreSQLServer()
    }

    private static let load = [BenchBinary.scenario("load"), "--scale", "0.01", "--repetitions", "1"]

    private func start(
        _ shard: String, _ more: [String], run: String = "one", output: String? = nil
    ) throws -> BenchBinary.Running {
        let output = output ?? "shard-\(shard.prefix { $0 != "/" }).csv"
        return try bench.start(
            ["run"] + Self.load + [
                "--allow-debug", "--quiet", "--store", "\(server.url())", "--shard", shard, "--meeting", "store:\(run)",
                "--output", output,
            ] + more)
    }

    /// Asks the server; returns the lines of the answer.
    private func query(_ sql: String) throws -> [Substring] {
        try Script.query(sql, "\(server.url())").split(separator: "\n")
    }

    @Test func fourProcessesDoOneLoadOnAServerAndMeetThere() throws {
        let phases = ["--phase", "saves", "--phase", "at-a-rate", "--driver", "managed-postgres"]
        let outcomes = try (0..<4).map { try start("\($0)/4", phases) }.map { BenchBinary.Outcome($0) }
        for outcome in outcomes { #expect(outcome.code == 0, "\(outcome.errors)") }
        let merged = try bench.rows("shard-0-merged.csv")
        #expect(merged.map(\.phase) == ["saves", "at-a-rate"])
        #expect(merged.allSatisfy { $0.verified == true })
        #expect(try (0..<4).flatMap { try bench.rows("shard-\($0).csv") }.allSatisfy { $0.verified == true })
        // Only what tells that the name was used is left, and a last sign of life.
        let names = try query("SELECT name FROM bench_meeting.messages WHERE name NOT LIKE 'alive-%' ORDER BY name")
        #expect(names == ["run-arrival-0", "run-arrival-1", "run-arrival-2", "run-arrival-3"])
        let schemas = try query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'bench%'")
        #expect(schemas == ["bench_meeting"])
        let again = try BenchBinary.Outcome(start("0/4", phases, output: "again.csv"))
        #expect(again.code != 0 && again.errors.contains("used for another load"), "\(again.errors)")
    }

    @Test func aShardThatDoesNotComeIsNamed() throws {
        let outcome = try BenchBinary.Outcome(
            start("0/3", ["--phase", "saves", "--driver", "postgres", "--meeting-wait", "1s"]))
        #expect(outcome.code != 0 && outcome.errors.contains("shards 1, 2 are missing after 1 s"), "\(outcome.errors)")
    }

    @Test func aShardThatIsStartedTwiceIsNamed() throws {
        let work = ["--phase", "saves", "--driver", "postgres", "--meeting-wait", "10s"]
        let first = try start("1/2", work)
        while first.process.isRunning,
            try query("SELECT 1 FROM bench_meeting.messages WHERE name = 'run-arrival-1'").isEmpty
        { usleep(10_000) }
        let second = try BenchBinary.Outcome(start("1/2", work, output: "second.csv"))
        #expect(second.code != 0 && second.errors.contains("shard 1/2 was started twice"), "\(second.errors)")
        first.process.terminate()
        _ = BenchBinary.Outcome(first)
    }

    @Test(arguments: [
        (["--meeting", "store"], "expected store:NAME with a name"),
        (["--meeting", "store:a/b"], "expected store:NAME with a name"),
        (["--meeting", "store:a", "--driver", "sqlite"], "the stores of sqlite are files"),
    ])
    func aPlaceThatCannotBeIsRefused(_ options: [String], _ message: String) throws {
        let outcome = try bench.run(
            ["run", "--allow-debug", "--quiet", "--shard", "0/2", "--phase", "saves"] + Self.load + options)
        #expect(outcome.code == 2 && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }
}
