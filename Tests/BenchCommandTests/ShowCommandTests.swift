import BenchHarness
import Foundation
import Processes
import Testing

/// `bench show` through the binary.
@Suite(.ownThreads) struct ShowCommandTests {
    @Test func theTableOfARecordedRunIsPrintedAgain() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run("show", BenchBinary.million)
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
        #expect(outcome.output.hasPrefix("driver "))
        #expect(outcome.output.contains("fetch-async") && !outcome.output.contains("left out"))
        #expect(bench.files.isEmpty)
    }

    @Test(arguments: [
        ["show", BenchBinary.million], ["show", BenchBinary.million, "--format", "json"], ["list"], ["show", "--help"],
        ["compare", BenchBinary.million, BenchBinary.million, "--format", "junit"],
    ])
    func outputThatCannotBeWrittenIsAFailure(arguments: [String]) throws {
        let bench = try BenchBinary()
        let (process, _, errors) = try bench.start(arguments, outputPath: "/dev/full")
        let text = errors.readText()
        #expect(process.awaitEnd() == 3)
        #expect(text == "bench: error: cannot write to standard output: No space left on device\n")
    }

    @Test func outputToAClosedPipeIsNoFailure() throws {
        let bench = try BenchBinary()
        let script = "trap '' PIPE; exec 3> >(true); wait $!; \"$0\" show \"$1\" >&3; echo $? >&2"
        let outcome = try bench.run(URL(filePath: "/bin/bash"), ["-c", script, BenchBinary.path, BenchBinary.million])
        #expect(outcome.errors == "0\n")
    }

    /// Names are from files, which others may have made.
    @Test(arguments: [
        ["show"], ["trend"], ["trend", "--format", "markdown"], ["export", "--format", "openmetrics"],
        ["compare", "other.csv"], ["compare", "other.csv", "--format", "markdown"], ["show", "--format", "markdown"],
    ])
    func aNameInAFileReachesNoTerminal(arguments: [String]) throws {
        let bench = try BenchBinary()
        let header = "run,scenario,driver,phase,repetition,status,verified,duration_ns\n"
        for (file, run) in [("a\u{1B}[31m.csv", "1"), ("other.csv", "2")] {
            let row = "\(run),s\u{1B}[31m @octocat https://e.com,d\u{1B}[2J @all,p [x](y),1,ok,true,5\n"
            try Data((header + row).utf8).write(to: bench.folder.appendingPathComponent(file))
        }
        let outcome = try bench.run(arguments + ["a\u{1B}[31m.csv"])
        #expect(!outcome.output.isEmpty && !(outcome.output + outcome.errors).contains("\u{1B}"), "\(outcome.output)")
        guard arguments.last == "markdown" else { return }
        for live in [" @octocat", " @all", "https://", "[x](y)"] {
            #expect(!outcome.output.contains(live), "\(live) in \(outcome.output)")
        }
    }

    /// The manifest says so, since a killed process cannot.
    @Test(arguments: [("running", "was killed, or still goes on"), ("interrupted", "interrupted before its end")])
    func aRunThatDidNotEndIsTold(status: String, note: String) throws {
        let bench = try BenchBinary()
        try bench.copyMillion(to: "killed", percent: 100)
        try bench.copyMillionsManifest(to: "killed", ["run": "killed", "status": status])
        for arguments in [
            ["show", "killed.csv"], ["compare", BenchBinary.million, "killed.csv"], ["trend", "killed.csv"],
        ] {
            let outcome = try bench.run(arguments)
            #expect(outcome.code == 0 && outcome.output.contains(note), "\(arguments): \(outcome.output.suffix(300))")
        }
        #expect(try !bench.run("show", BenchBinary.million).output.contains("come to its end"))
    }

    @Test func markdownIsATableForAPullRequest() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run("show", BenchBinary.million, "--format", "markdown")
        #expect(outcome.code == 0)
        #expect(outcome.output.hasPrefix("| phase | driver |"))
        #expect(outcome.output.contains(/\| merge \| managed \| 3,500 \| 20\./))
    }

    @Test func ratiosHaveIntervals() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run("show", BenchBinary.million, "--ratios", "--format", "markdown")
        #expect(outcome.code == 0)
        #expect(outcome.output.hasPrefix("| phase | driver | wall | wall ÷ sqlite |"))
        #expect(outcome.output.contains("| fetch-sync | managed |") && outcome.output.contains(" … "))
        let refused = try bench.run("show", BenchBinary.million, "--ratios", "--format", "json")
        #expect(refused.code == 2 && refused.errors.contains("ratios are text or markdown"))
    }

    @Test func ratiosAreToAnyDriverOfTheResult() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run("show", BenchBinary.million, "--relative-to", "sqlite-tuned")
        #expect(outcome.code == 0 && outcome.output.contains("÷ sqlite-tuned"))
        let refused = try bench.run("show", BenchBinary.million, "--relative-to", "rocks")
        #expect(
            refused.code == 2 && refused.errors.contains("it has grdb, grdb-fast, lmdb, managed, sqlite, sqlite-tuned"))
    }

    @Test func jsonHasEachRepetition() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run("show", "--format=json", BenchBinary.million)
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        let phases = try #require(object?["phases"] as? [[String: Any]])
        let drivers = try #require(phases.first?["drivers"] as? [[String: Any]])
        let duration = try #require(drivers.first?["duration_ns"] as? [String: Any])
        #expect(phases.count == 9 && drivers.count == 6)
        #expect((duration["values"] as? [Double])?.count == 8)
    }

    @Test func aRunAtSeveralSizesShowsHowItGrows() throws {
        let bench = try BenchBinary()
        try Data(GrowthCSV.text.utf8).write(to: bench.folder.appendingPathComponent("in.csv"))
        let outcome = try bench.run("show", "in.csv")
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("growth  driver"))
        #expect(outcome.output.contains("1.500"))
    }

    @Test func rowsThatAreNoEvidenceAreCounted() throws {
        let bench = try BenchBinary()
        let csv = """
            scenario,driver,phase,repetition,status,verified,duration_ns
            s,sqlite,fetch,1,ok,true,20000000
            s,sqlite,fetch,2,ok,false,90000000
            s,sqlite,fetch,3,failed,,

            """
        try Data(csv.utf8).write(to: bench.folder.appendingPathComponent("in.csv"))
        let outcome = try bench.run("show", "in.csv")
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("20.0 ms") && !outcome.output.contains("90.0 ms"))
        #expect(outcome.output.hasSuffix("2 of 3 rows are left out: 1 failed, 1 not verified.\n"))
    }

    @Test(arguments: [
        ([], "needs RESULT.csv"), (["missing.csv"], "missing.csv: no such file"), (["."], "a directory"),
        ([BenchBinary.smoke], "expected the columns that bench run writes"),
        ([BenchBinary.million, "--format", "jsn"], "did you mean \"json\"?"),
    ])
    func mistakesAreAnsweredWithOneLine(arguments: [String], message: String) throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(["show"] + arguments)
        #expect(outcome.code == 2 && outcome.output.isEmpty)
        #expect(outcome.errors.contains(message) && outcome.errors.split(separator: "\n").count == 1)
    }
}
