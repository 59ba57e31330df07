import Foundation
import TestSupport
import Testing

/// `bench torture --store`: clients that are killed, and servers that crash.
@Suite(.ownThreads, .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"), .timeLimit(.minutes(10)))
struct ServerTortureTests {
    private let bench: BenchBinary

    init() throws { bench = try BenchBinary() }

    private static let load = [BenchBinary.scenario("load"), "--scale", "0.002", "--seed", "6"]

    private func query(_ sql: String, _ server: PostgreSQLServer) throws -> String {
        try Script.query(sql, "\(server.url())")
    }

    /// A number in the table, by the beginning of its line.
    private func figure(_ title: String, in table: String) throws -> Int {
        let line = try #require(table.split(separator: "\n").first { $0.hasPrefix(title) }, "no \(title) in \(table)")
        return try #require(Int(line.split(separator: " ").last?.replacing(",", with: "") ?? ""))
    }

    private func folders(_ server: PostgreSQLServer) throws -> String {
        try query("SELECT obj_description(oid) FROM pg_namespace", server)
    }

    @Test(arguments: [(BenchBinary.relations, ["--seed", "6"]), (BenchBinary.url, Self.load)])
    func killedClientsLoseNothingAndLeaveNothing(program: URL, work: [String]) throws {
        let server = try #require(PostgreSQLServer.current)
        let outcome = try bench.run(
            program, ["torture", "--store", "\(server.url())", "--rounds", "2"] + work)
        #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
        for (title, isNone) in [
            ("killed", false), ("writes acknowledged", false), ("times that the server", true), ("losses", true),
            ("other faults", true),
        ] {
            #expect(try (figure(title, in: outcome.output) == 0) == isNone, "\(outcome.output)")
        }
        #expect(outcome.output.contains("Seed: 6. On a server, no acknowledged write may be lost"))
        #expect(try !folders(server).contains(bench.folder.lastPathComponent))
        #expect(bench.files.isEmpty)
    }

    @Test(arguments: ["lossy-postgres", "torn-postgres"]) func aDriverThatIsWrongIsCaught(driver: String) throws {
        let server = try #require(PostgreSQLServer.current)
        let outcome = try bench.run(
            BenchBinary.slowed,
            ["torture", "--store", "\(server.url())", "--rounds", "30", "--driver", driver, "--quiet"] + Self.load)
        #expect(outcome.code == 3, "\(outcome.errors)\(outcome.output)")
        #expect(try figure("losses found", in: outcome.output) > 0)
        #expect(outcome.errors.contains("error: \(driver): "))
        #expect(outcome.errors.contains(", the store in schema bench_") && outcome.errors.contains("the seed is 6"))
        // The store is kept, and so are the journals.
        #expect(try folders(server).contains("\(bench.folder.lastPathComponent)/bench-torture-"))
        let kept = bench.folder.appendingPathComponent("\(try #require(bench.files.first))/\(driver)/journals")
        #expect(try !FileManager.default.contentsOfDirectory(atPath: kept.path).isEmpty)
    }

    @Test(.takesLong)
    func aCommitThatOutlivesItsClientIsAwaited() throws {
        // Each commit takes a tenth of a second, in which most clients die.
        let server = try PostgreSQLServer(settings: ["commit_delay=100000", "commit_siblings=0"])
        let outcome = try bench.run(
            ["torture", "--store", "\(server.url())", "--rounds", "8", "--processes", "4", "--driver", "postgres"]
                + Self.load)
        #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
        #expect(try figure("  of them found to be done", in: outcome.output) > 0)
    }

    // MARK: - Servers that crash

    /// Starts torture without an end, and returns after its first round.
    private func start(
        _ server: PostgreSQLServer, _ driver: String, _ program: URL = BenchBinary.url, _ more: [String] = []
    ) throws -> BenchBinary.Running {
        let process = Process()
        (process.executableURL, process.currentDirectoryURL) = (program, bench.folder)
        process.arguments =
            ["torture", "--store", "\(server.url())", "--minutes", "30", "--driver", driver] + Self.load + more
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        var notes = ""
        while !notes.contains("round 1 ") {
            let data = errors.fileHandleForReading.availableData
            if data.isEmpty { break }
            notes += String(decoding: data, as: UTF8.self)
        }
        return (process, output, errors)
    }

    @Test(arguments: ["postgres", "managed-postgres"])
    func aCrashOfTheServerLosesNothing(driver: String) throws {
        let server = try PostgreSQLServer(settings: [])
        let (process, output, errors) = try start(server, driver)
        try server.stop(.kill)
        try server.start()
        // Then the server is in use again.
        while try query("SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'bench%' LIMIT 1", server).isEmpty {
        }
        kill(process.processIdentifier, SIGINT)
        let outcome = BenchBinary.Outcome(process, output, errors)
        #expect(outcome.code == 130, "\(outcome.errors)\(outcome.output)")
        #expect(try figure("times that the server went away", in: outcome.output) > 0)
        #expect(try figure("losses found", in: outcome.output) == 0)
        #expect(try figure("other faults", in: outcome.output) == 0)
        #expect(try !folders(server).contains(bench.folder.lastPathComponent))
        #expect(bench.files.isEmpty)
    }

    @Test func aDriverThatDoesNotAwaitTheLogIsCaughtByACrash() throws {
        // Otherwise the server writes its log soon enough.
        let server = try PostgreSQLServer(settings: ["wal_writer_delay=10000"])
        let (process, output, errors) = try start(server, "hasty-postgres", BenchBinary.slowed)
        // A crash in the middle of an audit loses nothing.
        while process.isRunning {
            _ = try query("CHECKPOINT", server)
            Thread.sleep(forTimeInterval: 0.3)
            try server.stop(.kill)
            try server.start()
        }
        let outcome = BenchBinary.Outcome(process, output, errors)
        #expect(outcome.code == 3, "\(outcome.errors)\(outcome.output)")
        #expect(try figure("losses found", in: outcome.output) > 0)
    }

    @Test func aServerThatDoesNotComeBackIsOneClearError() throws {
        let server = try PostgreSQLServer(settings: [])
        let (process, output, errors) = try start(server, "postgres", BenchBinary.url, ["--server-wait", "1"])
        try server.stop(.kill)
        let outcome = BenchBinary.Outcome(process, output, errors)
        #expect(outcome.code == 3 && outcome.output.isEmpty)
        let text = "bench: error: the server of postgres did not come back within 1 seconds"
        #expect(outcome.errors.contains(text), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1 && bench.files.isEmpty)
    }

    @Test func aCrashThatMayLoseWritesEndsTheTorture() throws {
        let text = try String(contentsOfFile: BenchBinary.scenario("load"), encoding: .utf8)
            .replacing("\"synchronous\": \"normal\"", with: "\"synchronous\": \"off\"")
        let scenario = bench.folder.appendingPathComponent("off.json")
        try Data(text.utf8).write(to: scenario)
        let server = try PostgreSQLServer(settings: [])
        let (process, output, errors) = try bench.start([
            "torture", "off.json", "--store", "\(server.url())", "--minutes", "30", "--driver", "postgres", "--scale",
            "0.002", "--quiet",
        ])
        while try query("SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'bench%' LIMIT 1", server).isEmpty {
        }
        // The crash may come before the store is made.
        while process.isRunning, try query("SELECT 1 FROM pg_class WHERE relname = 'ZITEM'", server).isEmpty {}
        Thread.sleep(forTimeInterval: 0.5)
        try server.stop(.kill)
        try server.start()
        let outcome = BenchBinary.Outcome(process, output, errors)
        #expect(outcome.code == 3)
        #expect(outcome.errors.contains("with synchronous=off it may have lost"), "\(outcome.errors)")
        #expect(bench.files == ["off.json"])
    }

    @Test func aMistakeIsAnsweredWithOneLine() throws {
        let url = try "\(#require(PostgreSQLServer.current).url())"
        for (arguments, message) in [
            (["--driver", "postgres"], "needs a PostgreSQL server; name one with --store"),
            (["--driver", "sqlite", "--store", url], "its stores are files; leave one of the two out"),
            (["--store", "postgresql:///x?host=/nowhere"], "cannot be reached"),
            (["--driver", "sqlite", "--server-wait", "5"], "--server-wait is for stores on a server"),
            (["--store", url, "--server-wait", "-1"], "expected a whole number"),
        ] {
            let outcome = try bench.run(["torture"] + Self.load + arguments)
            #expect(outcome.code == 2 && outcome.errors.contains(message), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
    }
}
