import BenchHarness
import Foundation
import TestSupport
import Testing

/// Comparisons through the binary. What is measured here is measured while other tests run, so thresholds are wide and
/// what must be caught is large.
@Suite(.ownThreads) struct CompareCommandTests {
    @Test func aSlowedDriverIsCaughtAndTheSameInEveryFormat() throws {
        let bench = try BenchBinary()
        #expect(try bench.measure("base.csv", repetitions: 8).code == 0)
        #expect(try bench.measure("new.csv", repetitions: 8, program: BenchBinary.slowed).code == 0)
        // A busy machine adds to the CPU time of a phase a share of it, and to its duration any time.
        let arguments = ["compare", "base.csv", "new.csv", "--metric", "cpu", "--only", "--phase", "fetch-sync"]
        for (format, mark) in [
            ("text", "regressed: 1 figure got worse"), ("markdown", "**regressed: 1 figure got worse**"),
            ("json", "\"outcome\" : \"regressed\""), ("junit", "<failure message=\"regressed:"),
        ] {
            let outcome = try bench.run(arguments + ["--format", format])
            #expect(outcome.code == 1, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.contains(mark), "\(outcome.output)")
            #expect(outcome.output.contains("fetch-sync"))
        }
    }

    @Test(.timeLimit(.minutes(2))) func aLongSimulationSaysHowFarItIs() throws {
        let bench = try BenchBinary()
        let (process, _, errors) = try bench.start(["power", BenchBinary.million, "--comparisons", "1000000"])
        defer { process.awaitEnd() }
        var text = ""
        while !text.contains("--comparisons or --repetitions makes it fewer") {
            let more = errors.fileHandleForReading.availableData
            if more.isEmpty { break }
            text += String(decoding: more, as: UTF8.self)
        }
        process.terminate()
        #expect(text.contains(/[0-9,]+ of [0-9,]+ simulated, roughly [0-9]+:[0-9]{2} left;/), "\(text)")
    }

    @Test func theSameBuildPassesAgainstItselfManyTimesInARow() throws {
        let bench = try BenchBinary()
        var before = "0.csv"
        #expect(try bench.measure(before, repetitions: 7).code == 0)
        for number in 1...EveryTest.rounds(5, of: 20) {
            let now = "\(number).csv"
            #expect(try bench.measure(now, repetitions: 7).code == 0)
            // Exact counters with no room at all; times with as much as a busy machine needs: a fetch of 2 ms took
            // 8 ms in seven of seven processes while another program was built. Which times are judged depends on
            // how much of them was work.
            let outcome = try bench.run(
                "compare", before, now, "--threshold", "duration=1000%", "--threshold", "cpu=1000%")
            #expect(outcome.code == 0, "\(outcome.output)")
            before = now
        }
    }

    @Test func tooFewRepetitionsSayHowManyWouldDo() throws {
        let bench = try BenchBinary()
        for name in ["base.csv", "new.csv"] { #expect(try bench.measure(name, repetitions: 2).code == 0) }
        // Which times are judged by default depends on whether phases waited.
        let outcome = try bench.run(
            "compare", "base.csv", "new.csv", "--metric", "duration", "--metric", "rss_peak", "--only")
        #expect(outcome.code == 4)
        #expect(outcome.output.contains("2 against 2 repetitions are too few to judge 6 figures; 5 of each are enough"))
        #expect(outcome.output.contains("insufficient data: 6 figures could not be judged"))
    }

    @Test func severalFilesPool() throws {
        let bench = try BenchBinary()
        for name in ["a.csv", "b.csv", "c.csv"] { #expect(try bench.measure(name, repetitions: 4).code == 0) }
        let pooled = try bench.run(
            "compare", "--base", "a.csv", "--base", "b.csv", "--new", "c.csv", "--phase", "seed",
            "--metric", "rss_peak", "--only")
        #expect(pooled.code == 0, "\(pooled.output)")
        #expect(pooled.output.contains("a.csv") && pooled.output.contains("8 repetitions"))
    }

    @Test(arguments: [
        (["compare"], "needs two sides"), (["compare", "a.csv"], "needs two sides"),
        (["compare", BenchBinary.million, "nope.csv"], "nope.csv: no such file"),
        (
            ["compare", BenchBinary.million, BenchBinary.million, "--threshold", "duratoin=3%"],
            "did you mean \"duration\""
        ),
        (
            ["compare", BenchBinary.million, BenchBinary.million, "--threshold", "duration=much"],
            "expected a percentage"
        ),
        (["compare", BenchBinary.million, BenchBinary.million, "--format", "yaml"], "unknown format \"yaml\""),
        (["compare", BenchBinary.million, BenchBinary.million, "--phase", "sede"], "did you mean \"seed\""),
        (["compare", BenchBinary.million, BenchBinary.million, "--relative-to", "core"], "no driver \"core\""),
        (
            ["compare", "--base", BenchBinary.million, "--base", BenchBinary.million, "--new", BenchBinary.million],
            "it counts twice"
        ),
        (
            ["compare", BenchBinary.million, BenchBinary.million, "--absolute", "--relative-to", "sqlite"],
            "exclude each other"
        ),
        (["compare", BenchBinary.million, BenchBinary.million, "--only"], "--only needs metrics"),
        (["compare", BenchBinary.million, BenchBinary.million, "--alpha", "5%"], "expected a probability"),
        (
            ["compare", BenchBinary.million, BenchBinary.million, "--accept", "seed 5%"],
            "there is no \"because REASON\""
        ),
        (["compare", BenchBinary.million, BenchBinary.million, "--accept-file", "nope"], "nope: no such file"),
        (["power", "nope.csv"], "nope.csv: no such file"),
        (["power", BenchBinary.million, "--repetitions", "1"], "from 2 to 50"),
        (["ab", BenchBinary.smoke, "--allow-debug"], "needs two sides"),
        (["ab", BenchBinary.smoke, "--allow-debug", "--base", "/nope"], "expected an executable program"),
        (["ab", BenchBinary.smoke, "--allow-debug", "--base-driver", "sqlite"], "belong together"),
        (
            ["ab", BenchBinary.smoke, "--allow-debug", "--base", "/nope", "--metric", "duration"],
            "--metric duration: leave it out; bench ab judges durations by itself where a phase waits"
        ),
        (["ab", BenchBinary.smoke, "--allow-debug", "--base", "/nope", "--only"], "unknown option \"--only\""),
        (["noise", BenchBinary.smoke, "--allow-debug", "--runs", "1"], "from 2 to 100"),
    ])
    func mistakesAreAnsweredWithOneLine(arguments: [String], message: String) throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(arguments)
        #expect(outcome.code == 2, "\(outcome.output)")
        #expect(
            outcome.errors.contains(message) && outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        #expect(bench.files.isEmpty)
    }

    @Test func aRunAgainstItselfIsUnchanged() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run("compare", BenchBinary.million, BenchBinary.million)
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("note: both sides are the same run"))
    }
}
