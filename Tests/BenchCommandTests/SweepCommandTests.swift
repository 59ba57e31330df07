import BenchHarness
import Foundation
import Testing

/// Scenarios with lists of numbers, through the binary.
@Suite(.ownThreads) struct SweepCommandTests {
    private func run(_ command: String = "run", _ arguments: String...) throws -> (BenchBinary.Outcome, [ResultRow]) {
        let bench = try BenchBinary()
        let outcome = try bench.run(
            [command, BenchBinary.scenario("smoke"), "--allow-debug", "--quiet", "--scale", "0.02"] + arguments)
        let rows = (try? bench.rows()) ?? []
        return (outcome, rows)
    }

    @Test func eachNumberIsARowOfThePhaseAndAllElseRunsOnce() throws {
        let (outcome, rows) = try run(
            "run", "--output", "out.csv", "--driver", "sqlite", "--repetitions", "2", "--set",
            "phases.update-chunked.chunk_records=50,500,5000")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(rows.count == 2 * (10 + 2) && rows.allSatisfy { $0.verified == true })
        let names = rows.filter { $0.phase.hasPrefix("update-chunked") }.map(\.phase)
        let all = ["50", "500", "5000"].map { "update-chunked@chunk_records=\($0)" }
        #expect(Set(names) == Set(all) && names.count == 6)
        let places = all.compactMap { outcome.output.firstRange(of: $0 + ",")?.lowerBound }
        #expect(places.count == 3 && places == places.sorted())
    }

    @Test func theScenarioThatShipsHasAListAndItsNumberCanBeSet() throws {
        let bench = try BenchBinary()
        let scenario = BenchBinary.scenario("chunk-size")
        #expect(try bench.run("validate", scenario).output.contains("chunk-size.json: valid, with 4 variants"))
        let own = bench.folder.appendingPathComponent("Scenarios")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            at: URL(fileURLWithPath: scenario), to: own.appendingPathComponent("chunk-size.json"))
        let listed = try bench.run("list")
        #expect(listed.output.contains("chunk-size: 100000 records, 5 repetitions, 4 variants"), "\(listed.output)")
        let set = ["--set", "phases.update-chunked.chunk_records=100"]
        let valid = try bench.run(["validate", scenario] + set)
        #expect(valid.code == 0 && valid.output.hasSuffix("chunk-size.json: valid\n"))
    }

    @Test(arguments: [
        (["run", "--find-max", "--limit", "p99=1s"], "ycsb-a", "phases.run.workers"),
        (["torture"], "ycsb-a", "phases.run.workers"),
        (["instructions"], "smoke", "store.cache_size_kib"),
    ])
    func whatTakesOneNumberSaysSo(command: [String], name: String, path: String) throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(
            command.prefix(1) + [BenchBinary.scenario(name), "--set", "\(path)=1,2"] + command.dropFirst()
                + (command[0] == "torture" ? [] : ["--allow-debug"]))
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("has a list at \(path); choose one number, such as --set \(path)=NUMBER"))
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }

    @Test(arguments: [
        (["--set", "chunk_records"], "--set chunk_records: no number; expected PATH=NUMBER"),
        (["--set", "store.cache_size_kb=5"], "Did you mean \"cache_size_kib\"?"),
        (["--set", "phases.update-chunked.chunk_records=x"], "\"x\"; expected a number"),
        (["--set", "phases.update-chunked.chunk_records=0"], "expected an integer from 1 to 1,000,000,000"),
        (["--set", "store.cache_size_kib=5", "--cache-kib", "6"], "\"store.cache_size_kib\" a second time"),
    ])
    func aWrongNumberIsOneLine(arguments: [String], message: String) throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(["run", BenchBinary.smoke, "--allow-debug"] + arguments)
        #expect(outcome.code == 2 && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }

    @Test func everySubcommandTakesTheVariantsOfAPhase() throws {
        let bench = try BenchBinary()
        try Data(SweepCSV.text.utf8).write(to: bench.folder.appendingPathComponent("in.csv"))
        let copy = SweepCSV.text.replacing("scenario,", with: "run,scenario,").replacing("\ns,", with: "\nother,s,")
        try Data(copy.utf8).write(to: bench.folder.appendingPathComponent("new.csv"))
        let compared = try bench.run("compare", "in.csv", "new.csv", "--phase", "update")
        #expect(compared.code == 4 && compared.output.contains("update@chunk_records=100 "))
        #expect(try bench.run("report", "in.csv").code == 0)
        #expect(try bench.run("trend", "in.csv", "new.csv").code == 0)
        let exported = try bench.run("export", "--format", "openmetrics", "in.csv")
        #expect(exported.output.contains("update@chunk_records=1000"))
    }

    @Test func sidesTakeTurnsAtTheNumberThatIsNamed() throws {
        let bench = try BenchBinary()
        let run = { (phase: String) in
            try bench.run(
                "ab", BenchBinary.smoke, "--allow-debug", "--base-driver", "sqlite", "--new-driver", "sqlite-tuned",
                "--scale", "0.01", "--phase", phase, "--launches", "1", "--quads", "1", "--set",
                "phases.update-chunked.chunk_records=50,500", "--explain", "never", "--quiet")
        }
        let named = try run("update-chunked@chunk_records=50")
        #expect(named.output.contains("update-chunked@chunk_records=50 "), "\(named.errors)")
        #expect(!named.output.contains("chunk_records=500"))
        let unknown = try run("update-chunked@chunk_records=5")
        #expect(unknown.code == 2)
        #expect(unknown.errors.contains("unknown phase \"update-chunked@chunk_records=5\""), "\(unknown.errors)")
    }

    @Test func sidesTakeTurnsAtEachNumber() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(
            "ab", BenchBinary.smoke, "--allow-debug", "--base-driver", "sqlite", "--new-driver", "sqlite-tuned",
            "--scale",
            "0.01", "--phase", "update-chunked", "--launches", "2", "--quads", "1", "--set",
            "phases.update-chunked.chunk_records=50,500", "--explain", "never", "--quiet")
        #expect(outcome.output.contains("update-chunked@chunk_records=50 "), "\(outcome.errors)")
        #expect(outcome.output.contains("update-chunked@chunk_records=500 "))
    }
}
