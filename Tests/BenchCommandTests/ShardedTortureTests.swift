import Foundation
import TestSupport
import Testing

/// Several processes that torture one store, each with processes of its own.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct ShardedTortureTests {
    private let bench: BenchBinary
    private let meeting: URL

    init() throws {
        bench = try BenchBinary()
        meeting = try bench.makeFolder("meeting")
    }

    private static let load = [BenchBinary.scenario("load"), "--scale", "0.002"]

    private func start(
        _ index: Int, of count: Int, _ more: [String], program: URL = BenchBinary.url, meeting place: String? = nil
    ) throws -> BenchBinary.Running {
        let arguments =
            ["torture", "--quiet", "--shard", "\(index)/\(count)", "--meeting", place ?? meeting.path] + more
        return try Script.start(program.path, arguments, folder: bench.folder)
    }

    /// - Parameter work: A scenario and drivers; empty for related records, which are another program's.
    private func run(
        _ count: Int, _ work: [String], _ more: [String], meeting: String? = nil
    ) throws -> [BenchBinary.Outcome] {
        let program = work.isEmpty ? BenchBinary.relations : BenchBinary.url
        return try (0..<count).map { try start($0, of: count, work + more, program: program, meeting: meeting) }
            .map { BenchBinary.Outcome($0) }
    }

    /// A number in the table, by the beginning of its line.
    private func figure(_ title: String, in outcome: BenchBinary.Outcome) throws -> Int {
        let line = try #require(
            outcome.output.split(separator: "\n").first { $0.hasPrefix(title) },
            "no \(title) in \(outcome.output)\(outcome.errors)")
        return try #require(Int(line.split(separator: " ").last?.replacing(",", with: "") ?? ""))
    }

    private func wait(for message: String, while running: BenchBinary.Running) {
        let path = meeting.appendingPathComponent(message).path
        while !FileManager.default.fileExists(atPath: path), running.process.isRunning { usleep(10_000) }
    }

    @Test(arguments: EveryTest.cases(1, of: [load + ["--driver", "sqlite", "--driver", "managed"], []]))
    func processesOfThreeShardsLoseNothing(work: [String]) throws {
        let outcomes = try run(3, work, ["--rounds", "2"])
        for outcome in outcomes {
            #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
            #expect(outcome.output == outcomes[0].output && outcome.output.contains("Of all 3 shards. Seed: "))
            #expect(try figure("rounds", in: outcome) == 2)
            // Two processes of each shard, or more, in each round.
            #expect(try figure("processes", in: outcome) >= 12)
            #expect(try figure("losses found", in: outcome) == 0)
        }
        #expect(bench.files == ["meeting"])
    }

    @Test func aLossIsFoundByAllShards() throws {
        let work = Self.load + ["--rounds", "20", "--driver", "lossy", "--seed", "6"]
        let outcomes = try (0..<2).map { try start($0, of: 2, work, program: BenchBinary.slowed) }
            .map { BenchBinary.Outcome($0) }
        for outcome in outcomes {
            #expect(outcome.code == 3, "\(outcome.errors)\(outcome.output)")
            #expect(try figure("losses found", in: outcome) > 0)
            #expect(outcome.errors.contains("error: lossy: ") && outcome.errors.contains("the seed is 6"))
        }
        #expect(outcomes[0].errors.contains("the store and the journals are kept in"))
        #expect(outcomes[1].errors.contains("error: the journals are kept in"))
        #expect(bench.files.count == 3)
    }

    @Test(.takesLong)
    func aShardThatIsKilledIsNamedWithWhatIsNotProved() throws {
        let work = Self.load + ["--minutes", "30", "--driver", "sqlite"]
        let shards = try (0..<3).map { try start($0, of: 3, work) }
        wait(for: "torture-2-verdict-0", while: shards[0])
        kill(shards[1].process.processIdentifier, SIGKILL)
        let outcomes = shards.map { BenchBinary.Outcome($0) }
        for outcome in [outcomes[0], outcomes[2]] {
            #expect(outcome.code == 3, "\(outcome.errors)\(outcome.output)")
            #expect(outcome.errors.contains("sqlite: shard 1 is lost: no sign of life for 30 s\n"), "\(outcome.errors)")
            #expect(outcome.errors.contains("not proved: what shard 1 was told, the values of seeded records\n"))
            #expect(try figure("losses found", in: outcome) == 0)
        }
    }

    @Test(.takesLong)
    func withoutTheFirstShardNothingIsAudited() throws {
        let work = Self.load + ["--minutes", "30", "--driver", "sqlite"]
        let shards = try (0..<2).map { try start($0, of: 2, work) }
        wait(for: "torture-2-verdict-0", while: shards[0])
        kill(shards[0].process.processIdentifier, SIGKILL)
        let outcome = shards.map { BenchBinary.Outcome($0) }[1]
        #expect(outcome.code == 3)
        #expect(outcome.errors.contains("shard 0 is lost: no sign of life for 30 s; the store was not audited"))
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        let kept = try #require(outcome.errors.split(separator: " are kept in ").last)
        let folder = kept.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try !FileManager.default.contentsOfDirectory(atPath: "\(folder)/sqlite/journals").isEmpty)
    }

    @Test(arguments: EveryTest.cases(1, of: [1, 0]))
    func aShardThatIsStoppedEndsTheTortureForAll(stopped: Int) throws {
        let work = Self.load + ["--minutes", "30", "--driver", "sqlite"]
        let shards = try (0..<2).map { try start($0, of: 2, work) }
        wait(for: "torture-2-verdict-0", while: shards[0])
        kill(shards[stopped].process.processIdentifier, SIGINT)
        let outcomes = shards.map { BenchBinary.Outcome($0) }
        for outcome in outcomes {
            #expect(outcome.code == 130, "\(outcome.errors)\(outcome.output)")
            #expect(try figure("losses found", in: outcome) == 0)
        }
        #expect(outcomes[1 - stopped].errors.contains("interrupted by shard \(stopped); no loss found until then"))
        #expect(bench.files == ["meeting"])
    }

    @Test(arguments: [
        (["--rounds", "2"], "--minutes or --rounds"), (["--rounds", "1", "--seed", "4"], "the seeds 3 and 4"),
        (["--rounds", "1", "--driver", "managed"], "the drivers sqlite and sqlite, managed"),
    ])
    func shardsOfOtherTorturesAreNamed(_ options: [String], _ difference: String) throws {
        let work = Self.load + ["--driver", "sqlite"]
        let shards = [
            try start(0, of: 2, work + ["--rounds", "1", "--seed", "3"]), try start(1, of: 2, work + options),
        ]
        for outcome in shards.map({ BenchBinary.Outcome($0) }) {
            #expect(outcome.code == 3)
            #expect(
                outcome.errors.contains("shards 0 and 1 mean different loads: \(difference);")
                    && outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        }
        #expect(bench.files == ["meeting"])
    }

    @Test(arguments: [
        (["--shard", "0/2"], "--shard needs --meeting DIR"),
        (["--shard", "2/2", "--meeting", "."], "expected I/N, such as 2/8"),
        (["--shard", "0/2", "--meeting", "store:a"], "the stores of sqlite are files"),
        (["--meeting", "."], "no shard is named"),
    ])
    func aMistakeIsAnsweredWithOneLine(_ options: [String], _ message: String) throws {
        let outcome = try bench.run(["torture", "--driver", "sqlite"] + Self.load + options)
        #expect(outcome.code == 2 && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    // MARK: - Servers

    @Test(
        .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"),
        arguments: EveryTest.cases(1, of: [load + ["--driver", "postgres"], []]))
    func clientsOfSeveralShardsLoseNothingAndLeaveNothing(work: [String]) throws {
        let server = try PostgreSQLServer()
        let outcomes = try run(2, work, ["--rounds", "2", "--store", "\(server.url())"], meeting: "store:torture")
        for outcome in outcomes {
            #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
            #expect(try figure("writes acknowledged", in: outcome) > 0)
            #expect(try figure("losses found", in: outcome) == 0)
        }
        let url = "\(server.url())"
        let names = try Script.query(
            "SELECT name FROM bench_meeting.messages WHERE name NOT LIKE 'alive-%' ORDER BY name", url)
        #expect(names == "run-arrival-0\nrun-arrival-1\n")
        let schemas = try Script.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'bench%'", url)
        #expect(schemas == "bench_meeting\n")
        #expect(bench.files == ["meeting"])
    }

    @Test(
        .takesLong, .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"),
        arguments: [true, false])
    func aCrashOfTheServerIsSurvivedIfTheShardsMeetInAFolder(isFolder: Bool) throws {
        let server = try PostgreSQLServer(settings: [])
        let place = isFolder ? meeting.path : "store:crash"
        let work = Self.load + ["--minutes", "30", "--driver", "postgres", "--store", "\(server.url())"]
        let shards = try (0..<2).map { try start($0, of: 2, work, meeting: place) }
        if isFolder {
            wait(for: "torture-3-verdict-0", while: shards[0])
        } else {
            let query = "SELECT 1 FROM bench_meeting.messages WHERE name = 'torture-3-verdict-0'"
            while shards[0].process.isRunning, try Script.query(query, "\(server.url())").isEmpty { usleep(50_000) }
        }
        try server.stop(.kill)
        try server.start()
        if isFolder {
            wait(for: "torture-5-verdict-0", while: shards[0])
            kill(shards[1].process.processIdentifier, SIGINT)
        }
        for outcome in shards.map({ BenchBinary.Outcome($0) }) {
            #expect(outcome.code == (isFolder ? 130 : 3), "\(outcome.errors)\(outcome.output)")
            guard isFolder else { continue }
            #expect(try figure("losses found", in: outcome) == 0 && figure("other faults", in: outcome) == 0)
        }
    }
}
