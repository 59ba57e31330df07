import BenchHarness
import Foundation
import TestSupport
import Testing

/// `bench run --store`: the drivers of stores on a server, through the binary.
@Suite(.ownThreads, .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct ServerCommandTests {
    private let bench: BenchBinary
    private let address: String

    init() throws {
        bench = try BenchBinary()
        address = try #require(PostgreSQLServer.current).url().absoluteString
    }

    private func run(_ arguments: [String], _ scenario: String = BenchBinary.tiny) throws -> BenchBinary.Outcome {
        try bench.run(
            ["run", scenario, "--allow-debug", "--quiet", "--repetitions", "1", "--force", "--output", "out.csv"]
                + arguments)
    }

    private var rows: [ResultRow] {
        get throws { try bench.rows() }
    }

    private static let scenarios = [
        ("million", 0.001), ("relationships", 0.005), ("load", 0.01), ("shop", 0.005), ("library", 0.005),
        ("wide", 0.01), ("ycsb-a", 0.01),
        ("mail", 0.01), ("feed", 0.01),
    ]

    @Test(arguments: EveryTest.cases(4, of: scenarios))
    func everyDriverOnAServerDoesWhatItSaysAndIsVerified(name: String, scale: Double) throws {
        let outcome = try run(["--store", address, "--scale", "\(scale)"], BenchBinary.scenario(name))
        #expect(outcome.code == 0, "\(outcome.errors)")
        let rows = try rows
        #expect(Set(rows.map(\.driver)) == ["postgres", "postgres-tuned", "managed-postgres"])
        let done = rows.filter { $0.status != .unsupported }
        #expect(done.allSatisfy { $0.status == .ok && $0.verified == true })
        // A slower machine contaminates rows; the work of other processes says nothing here.
        #expect(done.allSatisfy { $0.contaminated != false })
        let undone = Set(rows.filter { $0.status == .unsupported }.map { "\($0.driver) \($0.phase)" })
        let lacking = ["postgres", "postgres-tuned"].flatMap { ["\($0) watched", "\($0) undo-marks", "\($0) start"] }
        #expect(undone.isSubset(of: lacking + ["managed-postgres checkpoint", "managed-postgres start"]))
    }

    @Test func ofAScenariosDriversThoseOfServersRun() throws {
        let text = try String(contentsOfFile: BenchBinary.tiny, encoding: .utf8)
        for (drivers, expected) in [
            (#"["managed", "sqlite", "postgres"]"#, ["postgres"]),
            (#"["managed", "sqlite"]"#, ["managed-postgres", "postgres", "postgres-tuned"]),
        ] {
            let file = bench.folder.appendingPathComponent("named.json")
            let marker = try #require(text.range(of: "\"version\""))
            try text.replacingCharacters(in: marker, with: "\"drivers\": \(drivers), \"version\"")
                .write(to: file, atomically: true, encoding: .utf8)
            let outcome = try run(["--store", address], file.path)
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(try Set(rows.map(\.driver)).sorted() == expected)
        }
    }

    @Test func theNoiseOfAServerIsRecorded() throws {
        let outcome = try bench.run(
            "noise", BenchBinary.tiny, "--allow-debug", "--quiet", "--store", address, "--driver", "postgres",
            "--driver", "postgres-tuned", "--runs", "2", "--repetitions", "1")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("the ratio to postgres."))
        #expect(bench.files.contains("Results"))
    }

    @Test func aRunLeavesNothingOnTheServer() throws {
        #expect(try run(["--store", address, "--driver", "postgres"]).code == 0)
        let schemas = try Script.query("SELECT obj_description(oid) FROM pg_namespace", address)
        #expect(!schemas.contains(bench.folder.lastPathComponent))
    }

    @Test func thePasswordIsInNoFile() throws {
        let secret = address.replacing("user=postgres", with: "user=postgres&password=hunter2")
        let outcome = try run(["--store", secret, "--driver", "postgres"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let manifest = try String(
            contentsOf: bench.folder.appendingPathComponent("out.manifest.json"), encoding: .utf8)
        #expect(manifest.contains("password=***") && !manifest.contains("hunter2"))
        #expect(manifest.contains("\"engine\" : \"PostgreSQL"))
        #expect(!(outcome.output + outcome.errors).contains("hunter2"))
    }

    @Test func whatCannotBeMeasuredIsNamed() throws {
        let missing = "postgresql:///postgres?host=/nowhere&password=hunter2"
        for (arguments, message) in [
            (["--driver", "postgres"], "needs a PostgreSQL server; name one with --store"),
            (["--store", missing], "cannot be reached"),
            (["--store", "localhost"], "expected a URL, such as postgresql://localhost/bench"),
            (["--store", address, "--driver", "sqlite"], "its stores are files; leave one of the two out"),
        ] {
            let outcome = try run(arguments)
            #expect(outcome.code == 2)
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
            #expect(!outcome.errors.contains("hunter2"))
            #expect(!FileManager.default.fileExists(atPath: bench.folder.appendingPathComponent("out.csv").path))
        }
    }

    /// The server's processes are those of this machine.
    @Test func twoBuildsOnAServerTakeTurns() throws {
        let secret = address.replacing("user=postgres", with: "user=postgres&password=hunter2")
        let outcome = try bench.run(
            "ab", BenchBinary.tiny, "--allow-debug", "--quiet", "--store", secret, "--driver", "managed-postgres",
            "--new", BenchBinary.url.path, "--launches", "2", "--quads", "1", "--explain", "never", "--output", "out")
        #expect(outcome.code == 4, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("cpu_server"), "\(outcome.output)")
        let turns = try String(contentsOf: bench.folder.appendingPathComponent("out/turns.csv"), encoding: .utf8)
            .split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let onCore = turns.dropFirst().filter { $0[1] != "all" }
        let times = onCore.compactMap { $0.last.flatMap { Int($0) } }
        #expect(turns[0].last == "cpu_server_ns" && times.count == onCore.count && times.contains { $0 > 0 })
        #expect(onCore.allSatisfy { $0[turns[0].firstIndex(of: "at_once")!] == "false" })
        let manifest = try String(
            contentsOf: bench.folder.appendingPathComponent("out/new.manifest.json"), encoding: .utf8)
        #expect(!(manifest + outcome.output + outcome.errors).contains("hunter2"))
        #expect(try leavesNothing)
    }

    @Test func twoDriversOnAServerTakeTurns() throws {
        let outcome = try bench.run(
            "ab", BenchBinary.tiny, "--allow-debug", "--quiet", "--store", address, "--base-driver", "postgres",
            "--new-driver", "managed-postgres", "--launches", "1", "--quads", "1")
        // What is several times slower is so after one launch.
        #expect([1, 4].contains(outcome.code), "\(outcome.output)\(outcome.errors)")
        #expect(try leavesNothing)
    }

    @Test(.takesLong, .enabled(if: InstructionsCommandTests.hasValgrind))
    func theInstructionsOfAClientAreCounted() throws {
        let outcome = try bench.run(
            "instructions", BenchBinary.tiny, "--allow-debug", "--quiet", "--store", address, "--driver", "postgres",
            "--repetitions", "1", "--scale", "0.1")
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(try leavesNothing)
    }

    private var leavesNothing: Bool {
        get throws {
            try !Script.query("SELECT obj_description(oid) FROM pg_namespace", address)
                .contains(bench.folder.lastPathComponent)
        }
    }

    @Test func commandsThatCompareProcessesNeedTheirServer() throws {
        for arguments in [
            ["ab", BenchBinary.tiny, "--allow-debug", "--base-driver", "sqlite", "--new-driver", "postgres"],
            ["instructions", BenchBinary.tiny, "--allow-debug", "--driver", "postgres"],
        ] {
            let outcome = try bench.run(arguments)
            #expect(outcome.code == 2)
            #expect(outcome.errors.contains("needs a PostgreSQL server; name one with --store"), "\(outcome.errors)")
        }
    }

    @Test func aColdFetchIsUnsupportedWithTheReason() throws {
        let outcome = try run(
            ["--store", address, "--driver", "postgres", "--scale", "0.002"], BenchBinary.scenario("cold"))
        #expect(outcome.errors.contains("the caches of its server cannot be emptied"), "\(outcome.errors)")
    }
}
