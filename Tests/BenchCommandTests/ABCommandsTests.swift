import Foundation
import Processes
import TestSupport
import Testing

@testable import BenchHarness

/// Two commands, from the command line.
@Suite(.ownThreads) struct ABCommandsTests {
    private static func loop(_ count: Int) -> String { "i=0; while [ $i -lt \(count) ]; do i=$((i+1)); done" }

    @Test func aSlowerCommandEndsWithARegression() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(
            "ab", "--base-command", Self.loop(40_000), "--new-command", Self.loop(80_000), "--shell", "--quiet",
            "--budget", "60s", "--explain", "never", "--output", "out", "--name", "counting")
        #expect(outcome.code == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("regressed: 1 figure got worse"))
        // What reads results reads these.
        let files = ["out/base.csv", "out/new.csv"]
        let compared = try bench.run(["compare"] + files)
        #expect(compared.code == 1, "\(compared.output)\(compared.errors)")
        for arguments in [
            ["show"], ["report", "--output", "page.html"], ["export", "--format", "openmetrics"], ["trend"],
        ] {
            let read = try bench.run(arguments + (arguments[0] == "trend" ? files : [files[1]]))
            #expect([0, 4].contains(read.code), "\(arguments) \(read.output)\(read.errors)")
            #expect(read.errors.isEmpty || arguments[0] == "trend", "\(arguments) \(read.errors)")
        }
        let page = try String(contentsOf: bench.folder.appendingPathComponent("page.html"), encoding: .utf8)
        #expect(page.contains("counting"))
    }

    @Test(.enabled(if: InstructionsCommandTests.hasValgrind))
    func theFunctionsOfASlowerCommandAreCounted() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(
            "ab", "--base-command", "/bin/sh -c '\(Self.loop(20_000))'", "--new-command",
            "/bin/sh -c '\(Self.loop(40_000))'", "--quiet", "--budget", "60s", "--explain-budget", "10m")
        #expect(outcome.code == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("under callgrind"), "\(outcome.output)")
        #expect(outcome.output.contains("the functions that grew most"), "\(outcome.output)")
    }

    @Test(arguments: [
        (["--base-command", "true"], "--base-command and --new-command belong together; give both"),
        (["--shell", "ci", "--base", "x"], "--shell belongs to commands: give --base-command and --new-command"),
        (
            ["ci", "--base-command", "true", "--new-command", "true"],
            "ci: two commands take no scenario; leave it out"
        ),
        (
            ["--base-command", "true", "--new-command", "true", "--metric", "latency_p99"],
            "--metric latency_p99: a command has none; expected one of cpu, rss_peak"
        ),
        (
            ["--base-command", "true", "--new-command", "true", "--threshold", "latency_p99=5%"],
            "--threshold latency_p99: bench ab judges no latency_p99 here"
        ),
        (
            ["--base-command", "true", "--new-command", "true", "--scale", "2"],
            "--scale belongs to scenarios, and two commands have none; leave it out"
        ),
        (
            ["--base-command", "true | cat", "--new-command", "true"],
            "--base-command true | cat: only a shell knows what | means; give --shell, or quote it"
        ),
        (["--base-command", "true", "--new-command", "'a"], "--new-command 'a: the last ' has no end"),
        (
            ["--base-command", "nosuchprogram", "--new-command", "true"],
            "--base-command nosuchprogram: there is no such program in PATH"
        ),
        (
            ["--base-command", "./nosuchprogram", "--new-command", "true"],
            "--base-command ./nosuchprogram: expected an executable program"
        ),
        (["--base-command", "''", "--new-command", "true"], "--base-command: expected a command"),
        (["--base-command", "true", "--new-command", "true", "--name", "a\nb"], "--name a"),
        ([], "bench ab needs a SCENARIO, or two commands: --base-command"),
    ])
    func whatIsNoPairOfCommandsIsRefused(arguments: [String], message: String) throws {
        let outcome = try BenchBinary().run(["ab"] + arguments)
        #expect(outcome.code == 2, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test(.enabled(if: InstructionsCommandTests.hasValgrind)) func whatTheExplanationAddsIsSaidBefore() throws {
        let sides = ["--base-command", "true", "--new-command", "sleep 0"]
        let pace = ["--launches", "1", "--budget", "1s"]
        let added = "launches begin within 0:01; if something regressed, up to 3:00 are added"
        let outcome = try BenchBinary().run(["ab"] + sides + pace)
        #expect(outcome.errors.contains(added), "\(outcome.errors)")
        for option in ["--explain=never", "--quiet"] {
            #expect(try !BenchBinary().run(["ab"] + sides + pace + [option]).errors.contains("are added"))
        }
        // There is nothing to count where both sides are one program.
        let same = ["--base-command", "true", "--new-command", "true"]
        #expect(try !BenchBinary().run(["ab"] + same + pace).errors.contains("are added"))
    }

    /// The peak of `bench`, from which it is started, is none of a command's.
    @Test func theMemoryOfACommandIsItsOwn() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(
            "ab", "--shell", "--base-command", "head -c 60000000 /dev/zero | tail -c 60000000 > /dev/null",
            "--new-command", "true", "--quiet", "--launches", "1", "--output", "out")
        #expect([0, 4].contains(outcome.code), "\(outcome.output)\(outcome.errors)")
        let peaks = try ["base", "new"].map { side in
            try RecordedRun(contentsOf: bench.folder.appendingPathComponent("out/\(side).csv")).rows[0]
                .residentPeakBytes
        }
        #expect(peaks[0].map { $0 > 60_000_000 } == true && peaks[1] == nil)
    }

    @Test func aBaseThatFailsEndsWithTheReason() throws {
        let outcome = try BenchBinary().run("ab", "--base-command", "false", "--new-command", "true", "--quiet")
        #expect(outcome.code == 3 && outcome.output.isEmpty)
        #expect(outcome.errors == "bench: error: --base-command false ended with exit code 1\n")
    }

    @Test func aBudgetThatIsTooSmallIsRefused() throws {
        let outcome = try BenchBinary().run(
            "ab", "--base-command", "sleep 1", "--new-command", "sleep 1", "--quiet", "--budget", "13s")
        #expect(outcome.code == 2, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains("a verdict needs 5 launches: give --budget"), "\(outcome.errors)")
    }
}
