import BenchHarness
import Foundation
import Processes
import Testing

@Suite(.ownThreads) struct NoiseRepeatTests {
    private let bench: BenchBinary

    init() throws {
        bench = try BenchBinary()
    }

    private func arguments(_ more: [String]) -> [String] {
        ["noise", BenchBinary.tiny, "--allow-debug", "--driver", "sqlite", "--output", "runs.jsonl"] + more
    }

    private var lines: Int {
        let text = try? String(contentsOf: bench.folder.appendingPathComponent("runs.jsonl"), encoding: .utf8)
        return text?.split(separator: "\n").count ?? 0
    }

    @Test func runsAreRepeatedForATimeAndAddedToTheFile() throws {
        let quick = arguments(["--quiet", "--for", "1s", "--repetitions", "7", "--format", "json"])
        for calls in 1...2 {
            let outcome = try bench.run(quick)
            #expect(outcome.code == 0, "\(outcome.errors)")
            let json = try #require(
                JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any], "\(outcome.output)")
            #expect(json["method"] as? String == "measured" && json["scenario"] as? String == "tiny")
            let runs = try #require(json["runs"] as? Int)
            #expect(runs == lines && runs >= 2 * calls && runs.isMultiple(of: 2))
            #expect(json["comparisons"] as? Int == runs / 2)
        }
        #expect(bench.files == ["runs.jsonl"])
        let text = try bench.run(arguments(["--quiet", "--for", "1s", "--repetitions", "7"]))
        #expect(text.output.contains("Measured, not simulated: "), "\(text.output)")
        #expect(text.output.hasSuffix("Runs: runs.jsonl\n"))
    }

    @Test func tooFewRepetitionsEndTheCallAndOtherRunsAreRefused() throws {
        let few = ["--quiet", "--for", "1h", "--repetitions", "2"]
        let outcome = try bench.run(arguments(few))
        #expect(outcome.code == 4, "\(outcome.errors)")
        #expect(outcome.output.contains("No comparison had enough data: 2 against 2 repetitions are too few to judge "))
        #expect(lines == 2)
        let refused = try bench.run(arguments(few + ["--scale", "0.5"]))
        #expect(refused.code == 2)
        #expect(
            refused.errors.hasSuffix(
                "runs.jsonl:1: a run of another scenario: 1000 and 500 records; give --output another file, or --force to "
                    + "replace the runs\n"), "\(refused.errors)")
        #expect(lines == 2)
    }

    @Test(arguments: ["precious", "{\"a\": 1}", "one line\nand a half"])
    func aFileOfAnotherProgramIsKept(content: String) throws {
        let file = bench.folder.appendingPathComponent("runs.jsonl")
        try Data(content.utf8).write(to: file)
        let outcome = try bench.run(arguments(["--quiet", "--for", "1s", "--repetitions", "2"]))
        #expect(outcome.code == 2 && outcome.errors.contains("runs.jsonl"), "\(outcome.errors)")
        #expect(try String(contentsOf: file, encoding: .utf8) == content)
    }

    @Test func anInterruptionKeepsTheCompleteRuns() throws {
        let (process, _, errors) = try bench.start(arguments(["--for", "1h", "--repetitions", "7", "--scale", "0.1"]))
        // Somewhere in the second run or later.
        while lines == 0, process.isRunning { usleep(10_000) }
        kill(process.processIdentifier, SIGINT)
        let rest = errors.readText()
        #expect(process.awaitEnd() == 130)
        #expect(rest.contains("bench: interrupted; the complete runs are in runs.jsonl\n"), "\(rest)")
        #expect(bench.files == ["runs.jsonl"])
        let before = lines
        let resumed = try bench.run(arguments(["--quiet", "--for", "1s", "--repetitions", "7", "--scale", "0.1"]))
        #expect(resumed.code == 0, "\(resumed.errors)")
        #expect(lines > before && lines.isMultiple(of: 2))
    }

    @Test(arguments: [
        (["--for", "1h", "--runs", "3"], "--for repeats runs for a time, --runs a number of times; give one of them"),
        (["--format", "json"], "--format is for the rate of false alarms, which needs --for TIME"),
        (["--for", "never"], "--for never: expected a time, such as 90s, 10m or 1h, 24h at most"),
    ])
    func optionsThatDoNotFitAreRefused(_ more: [String], _ message: String) throws {
        let outcome = try bench.run(arguments(more))
        #expect(outcome.code == 2 && outcome.errors.hasSuffix("\(message)\n"), "\(outcome.errors)")
        #expect(bench.files.isEmpty)
    }
}
