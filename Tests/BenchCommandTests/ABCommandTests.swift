import Foundation
import Processes
import Testing

@testable import BenchHarness

@Suite(.ownThreads) struct ABCommandTests {
    @Test func aSlowedBuildIsCaughtLaunchByLaunch() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(
            "ab", BenchBinary.tiny, "--allow-debug", "--quiet", "--driver", "sqlite", "--new",
            BenchBinary.slowed.path, "--launches", "6", "--quads", "2", "--scale", "1", "--threshold", "cpu=50%",
            "--output", ".", "--explain", "never")
        #expect(outcome.code == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("the trimmed mean of up to 6 launches"))
        #expect(!outcome.output.contains("no functions are named"), "\(outcome.output)")
        #expect(
            bench.files == ["base.csv", "base.manifest.json", "new.csv", "new.manifest.json", "turns.csv"])
        let lines = try turns(bench)
        #expect(
            lines[0].joined(separator: " ")
                == "launch core driver phase quad first side turn records operations cpu_ns duration_ns release_ns "
                + "pressure others_cores throttled at_once latency_p50_ns latency_p99_ns "
                + "cpu_server_ns")
        #expect(lines.count > 4 * 2 * 5)
        // The first observation shows whether the phase waits, in the others both sides share the core.
        let quad = try #require(lines[0].firstIndex(of: "quad"))
        let atOnce = try #require(lines[0].firstIndex(of: "at_once"))
        for line in lines.dropFirst() where line[0] == "1" && line[1] != "all" {
            #expect(line[atOnce] == (line[quad] == "1" ? "false" : "true"), "\(line)")
        }
        let accepted = try ["", "--accept=fetch-sync 1000% because rows are checked"].map {
            try bench.run(["compare", "base.csv", "new.csv", "--threshold", "cpu=50%", $0].filter { !$0.isEmpty })
        }
        #expect(accepted.map(\.code) == [1, 0], "\(accepted)")
        #expect(accepted[1].output.contains("--accept accepts 1000 %: rows are checked"), "\(accepted[1].output)")
    }

    @Test(.takesLong, .enabled(if: InstructionsCommandTests.hasValgrind))
    func aSlowedPhaseIsExplainedByItsFunctions() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(
            "ab", BenchBinary.tiny, "--allow-debug", "--quiet", "--driver", "sqlite", "--new",
            BenchBinary.slowed.path, "--launches", "6", "--quads", "2", "--scale", "0.1", "--threshold", "cpu=50%",
            "--phase", "fetch-sync", "--explain-budget", "10m")
        #expect(outcome.code == 1, "\(outcome.output)\(outcome.errors)")
        let parts = ["what moved in fetch-sync of sqlite:", "instructions +", "SlowedSession.cpuTime", "regressed: 1 "]
        let places = parts.map { outcome.output.firstRange(of: $0)?.lowerBound }
        #expect(!places.contains(nil), "\(outcome.output)")
        #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted(), "\(outcome.output)")
        #expect(bench.files.isEmpty)
    }

    @Test func twoDriversStandAgainstEachOther() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(
            "ab", BenchBinary.tiny, "--allow-debug", "--quiet", "--base-driver", "sqlite",
            "--new-driver", "sqlite-tuned", "--launches", "2", "--quads", "1")
        #expect(outcome.code == 4, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.hasPrefix("base: sqlite"))
        #expect(outcome.output.contains("sqlite → sqlite-tuned"))
        #expect(outcome.output.contains("2 of the 5 launches that it takes to judge"))
        #expect(bench.files.isEmpty)
    }

    @Test func onlyThePhasesThatAreJudgedAreLaunched() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(
            "ab", BenchBinary.scenario("ci"), "--allow-debug", "--quiet",
            "--base-driver", "sqlite", "--new-driver", "sqlite", "--scale", "0.01", "--launches", "1", "--quads", "1",
            "--phase", "fetch-sync",
            "--output", ".")
        #expect(outcome.code == 4, "\(outcome.output)\(outcome.errors)")
        #expect(try Set(turns(bench).dropFirst().map { $0[3] }) == ["fetch-sync"])
    }

    /// The lines of `turns.csv`, with its header.
    private func turns(_ bench: BenchBinary, in folder: String = ".") throws -> [[String]] {
        let file = bench.folder.appendingPathComponent("\(folder)/turns.csv")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    /// The values of a column of `turns.csv`, for turns at a phase.
    private func turns(_ bench: BenchBinary, _ column: String, of phase: String, in folder: String = ".") throws
        -> [String]
    {
        let lines = try turns(bench, in: folder)
        let index = try #require(lines[0].firstIndex(of: column))
        return lines.filter { $0[3] == phase }.map { $0[index] }
    }

    @Test func aLoadIsCutToOperationsAndBothSidesDoTheSame() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(
            "ab", BenchBinary.turns, "--allow-debug", "--quiet", "--driver", "managed", "--base", BenchBinary.url.path,
            "--launches", "1", "--quads", "2", "--output", "out")
        #expect(outcome.code == 4, "\(outcome.output)\(outcome.errors)")
        let operations = try turns(bench, "operations", of: "load", in: "out")
        #expect(operations.count == 8 && Set(operations).count == 1 && Int(operations[0]) ?? 0 >= 10, "\(operations)")
        #expect(try turns(bench, "records", of: "load", in: "out").allSatisfy { $0 == "1000" })
        // After the launches on one core come those on all of them, where there are several.
        let hasSeveral = Cores.system.allowed.count > 1
        #expect(try turns(bench, "core", of: "merge@all-cores", in: "out").allSatisfy { $0 == "all" })
        #expect(try turns(bench, "core", of: "merge@all-cores", in: "out").isEmpty == !hasSeveral)
    }

    @Test func onOneAllowedCoreBothSidesShareIt() throws {
        let bench = try BenchBinary()
        let core = try #require(Cores.system.allowed.last)
        let (outcome, isPinned) = try Cores.system.pinned(to: core) {
            try bench.run(
                "ab", BenchBinary.turns, "--allow-debug", "--quiet", "--driver", "managed", "--base",
                BenchBinary.url.path, "--launches", "2", "--quads", "1", "--output", ".")
        }
        #expect(isPinned && outcome.code == 4, "\(outcome.output)\(outcome.errors)")
        #expect(
            outcome.output.contains(
                "note: one core is allowed: the times on several cores were not compared (load, merge)"),
            "\(outcome.output)")
        #expect(try Set(turns(bench, "core", of: "merge")) == ["\(core)"])
        #expect(try turns(bench, "core", of: "merge@all-cores").isEmpty)
    }

    @Test(arguments: [("missing/out", "there is no folder"), ("file", "expected a writable folder")])
    func anOutputThatCannotBeAFolderIsRefused(path: String, message: String) throws {
        let bench = try BenchBinary()
        try Data().write(to: bench.folder.appendingPathComponent("file"))
        let outcome = try bench.run(
            "ab", BenchBinary.tiny, "--allow-debug", "--base", "/bin/true", "--output", path)
        #expect(outcome.code == 2 && outcome.errors.contains("--output \(path): \(message)"), "\(outcome.errors)")
        #expect(bench.files == ["file"])
    }

    @Test func aProgramThatTakesNoTurnsIsNamed() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run("ab", BenchBinary.tiny, "--allow-debug", "--quiet", "--base", "/bin/false")
        #expect(outcome.code == 3)
        #expect(
            outcome.errors.contains(
                "--base /bin/false: the process that takes turns ended with exit code 1; if it is of another "
                    + "version of bench, build both sides anew"), "\(outcome.errors)")
        #expect(bench.files.isEmpty)
    }

    @Test(arguments: [
        (["--budget", "soon"], "--budget soon: expected a time, such as 90s, 10m or 1h"),
        (["--explain", "always"], "unknown explain \"always\""),
        (["--explain-budget", "soon"], "--explain-budget soon: expected a time, such as 90s, 10m or 1h"),
        (["--phase", "seed", "--phase", "sed"], "unknown phase \"sed\"; did you mean \"seed\"?"),
        (["--phase", "seed@all-cores"], "--phase seed@all-cores: give --phase seed, which is measured"),
        (["--phase", "seed@10000"], "unknown phase \"seed@10000\""),
        (["--launches", "0"], "--launches 0: expected a whole number from 1 to 1000"),
        (["--new-driver", "managed"], "--base-driver and --new-driver belong together"),
        (["--threshold", "throughput=5%"], "--threshold throughput: bench ab judges no throughput here"),
        (["--accept", "sed 5% because so"], "no phase sed was judged; did you mean seed?"),
        (["--accept", "seed of manged 5% because so"], "no driver manged was judged; did you mean managed?"),
        (["--lanes", "1000"], "--lanes 1000: each is a core, of which this process may use"),
    ])
    func mistakesAreAnsweredWithOneLine(arguments: [String], message: String) throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(["ab", BenchBinary.tiny, "--allow-debug", "--base", "/bin/true"] + arguments)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    /// The verdict is read from standard output.
    @Test func whatASidePrintsIsNoPartOfTheReport() throws {
        let bench = try BenchBinary()
        let base = try bench.program("talking", "echo hello; exec '\(BenchBinary.path)' \"$@\"")
        let outcome = try bench.run(
            "ab", BenchBinary.tiny, "--allow-debug", "--quiet", "--driver", "sqlite", "--base", base, "--launches", "1",
            "--quads", "1", "--phase", "seed", "--format", "json")
        #expect(outcome.code == 4 && outcome.output.hasPrefix("{"), "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains("hello\n"))
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) }
    }

    @Test func aSideThatAnswersNonsenseIsNamedAndEnded() throws {
        let bench = try BenchBinary()
        let base = try bench.program("nonsense", "echo $$ >\"$0.id\"; echo nonsense >&3; exec sleep 100")
        let outcome = try bench.run("ab", BenchBinary.tiny, "--allow-debug", "--quiet", "--base", base)
        #expect(outcome.code == 3, "\(outcome.output)")
        #expect(
            outcome.errors.hasPrefix(
                "bench: error: --base \(base): the process that takes turns gave an unexpected answer"),
            "\(outcome.errors)")
        let id = try String(contentsOfFile: base + ".id", encoding: .utf8).dropLast()
        #expect(kill(try #require(Int32(id)), 0) != 0)
    }

    /// Half an hour of turns is too much to lose to a full disk.
    @Test func filesThatCannotBeWrittenDoNotTakeTheVerdictAway() throws {
        let bench = try BenchBinary()
        try FileManager.default.createDirectory(
            at: bench.folder.appendingPathComponent("out/turns.csv/x"), withIntermediateDirectories: true)
        let outcome = try bench.run(
            "ab", BenchBinary.tiny, "--allow-debug", "--quiet", "--driver", "sqlite", "--base", BenchBinary.path,
            "--launches", "1", "--quads", "1", "--phase", "seed", "--output", "out", "--force")
        #expect(outcome.output.contains("1 of the 5 launches that it takes to judge"), "\(outcome.errors)")
        #expect(outcome.code == 3 && outcome.errors.contains("turns.csv"), "\(outcome.errors)")
    }

    @Test func interruptionLeavesNothingBehind() throws {
        let bench = try BenchBinary()
        let (process, _, errors) = try bench.start([
            "ab", BenchBinary.tiny, "--allow-debug", "--base-driver", "sqlite", "--new-driver", "managed",
        ])
        _ = errors.fileHandleForReading.availableData
        kill(process.processIdentifier, SIGTERM)
        let rest = errors.readText()
        #expect(process.awaitEnd() == 130)
        #expect(rest.contains("interrupted before a verdict"))
        #expect(bench.files.isEmpty)
    }
}
