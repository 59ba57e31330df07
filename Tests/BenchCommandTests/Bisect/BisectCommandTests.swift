import BenchHarness
import Foundation
import Processes
import TestSupport
import Testing

/// The search for a slow commit through the binary, in a real repository.
@Suite(.ownThreads) struct BisectCommandTests {
    @Test func theCommitIsFoundAmongEight() throws {
        let history = try History(.fast, .fast, .fast, .fast, .fast, .slow, .slow, .slow, .slow)
        let outcome = try history.run(history.arguments("v0..HEAD"))
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        let (before, first) = (try history.short(4), try history.short(5))
        #expect(outcome.output.hasPrefix("fetch-sync became slower in \(first) Change 5\n"), "\(outcome.output)")
        // On a quiet machine, the slow program regresses in its duration, too.
        let step = outcome.output.split(separator: "\n\n")[0]
        #expect(step.contains("\nfrom \(before) Change 4 to \(first):\n"), "\(outcome.output)")
        #expect(step.contains("\n  cpu of sqlite in fetch-sync: +"), "\(outcome.output)")
        #expect(step.contains("), regressed\n"))
        #expect(outcome.output.contains("  good \(before) Change 4: ") && outcome.output.contains("  bad \(first) "))
        let built = try history.built()
        #expect(Set(built).count == built.count && built.count < 9, "\(built)")
        #expect(try history.isClean && history.keptBuilds.count == built.count)
    }

    @Test(.takesLong, .enabled(if: InstructionsCommandTests.hasValgrind))
    func theLastStepIsExplainedByItsFunctions() throws {
        let history = try History(.fastProgram, .fastProgram, .slowProgram)
        let outcome = try history.run(history.arguments("v0..v2", explain: "auto"))
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        let first = try history.short(2)
        let parts = [
            "fetch-sync became slower in \(first) Change 2\n", "  what moved in fetch-sync of sqlite:\n",
            "instructions +",
            "SlowedSession.cpuTime", "against ",
        ]
        let places = parts.map { outcome.output.firstRange(of: $0)?.lowerBound }
        #expect(!places.contains(nil), "\(outcome.output)")
        #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted(), "\(outcome.output)")
        #expect(try history.isClean)
    }

    @Test(.takesLong)
    func aCommitThatDoesNotBuildIsSkippedAndLeavesARange() throws {
        let history = try History(.fast, .fast, .broken, .slow, .slow)
        // What is not committed does not matter, and stays.
        try history.repository.write("exit 9\n", to: "a b/build.sh")
        let outcome = try history.run(history.arguments("v0..v4"))
        #expect(outcome.code == 4, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.hasPrefix("fetch-sync became slower in one of 2 commits:\n"), "\(outcome.output)")
        let broken = try history.short(2)
        #expect(outcome.output.contains("  skipped \(broken) Change 2: does not build (exit code 3: no rule)\n"))
        #expect(outcome.output.contains("from \(try history.short(1)) Change 1 to \(try history.short(3)):\n"))
        try history.repository.git("checkout", "--quiet", "--", ".")
        #expect(try history.isClean)
    }

    @Test(.takesLong)
    func whatStaysInconclusiveIsSkippedAndSaid() throws {
        let history = try History(.fast, .wavering, .slow)
        let outcome = try history.run(history.arguments("v0..v2", lanes: 1))
        #expect(outcome.code == 4, "\(outcome.output)\(outcome.errors)")
        let line = "  skipped \(try history.short(1)) Change 1: inconclusive with twice the budget: "
        #expect(outcome.output.contains("one of 2 commits:") && outcome.output.contains(line), "\(outcome.output)")
        #expect(outcome.output.components(separatedBy: line)[1].prefix { $0 != "\n" }.contains("cpu of sqlite"))
    }

    /// What is built is what the action would find.
    @Test func withoutARegressionThereIsNothingToFind() throws {
        let history = try History(.fast, .fast, .fast)
        let outcome = try history.run(history.arguments("v0..v2"))
        #expect(outcome.code == 4, "\(outcome.output)\(outcome.errors)")
        let ends = "\(try history.short(0)) Change 0 and \(try history.short(2)) Change 2:\n"
        #expect(outcome.output.hasPrefix("no regression of fetch-sync between \(ends)"), "\(outcome.output)")
        let outputs = history.builds.path + ".outputs"
        let action = try Script.run(
            Repository.url(".ci/action.sh").path, ["base"], folder: history.folder,
            environment: [
                "BENCH_SCENARIO": "x", "BENCH_BUILD": History.build, "BENCH_PATH": "out/bench", "BENCH_BASE_REF": "v0",
                "BENCH_CACHE": history.builds.path, "GITHUB_OUTPUT": outputs, "GITHUB_BASE_REF": "",
            ])
        #expect(action.code == 0, "\(action.errors)")
        let kept = try String(contentsOf: URL(fileURLWithPath: outputs), encoding: .utf8).split(separator: "\n")
        #expect(kept.contains { FileManager.default.isExecutableFile(atPath: "\($0)/bench") }, "\(kept)")
    }

    @Test(arguments: [
        ("v2..v0", [], "is not an ancestor of"), ("v2..v0", [], "did you mean "), ("v1..v1", [], "both are one commit"),
        ("v0", [], "expected GOOD..BAD, such as v1.0..HEAD"), ("v0...v1", [], "expected GOOD..BAD"),
        ("v0..nope", [], "there is no commit \"nope\""), ("v0..-x", [], "there is no commit \"-x\""),
        ("v0..side", [], "does not build (exit code 3: no rule)"), ("side..v2", [], "they are on different branches"),
        ("side..merged", [], "by a merge, and bench bisect follows first parents only"),
        ("v0..v1", ["--phase=fetch-snyc"], "fetch-sync"),
        ("v0..v1", ["--driver=sqlit"], "did you mean \"sqlite\"?"), ("v0..v1", ["--budget=soon"], "--budget soon"),
        ("v0..v1", ["--builds=/proc/x"], "--builds /proc/x: cannot create the folder"),
        ("v0..v1", ["--build=true"], "left no program out/bench; --bench-path says where it is"),
    ])
    func mistakesAreAnsweredWithOneLine(range: String, changes: [String], message: String) throws {
        let history = try History(.fast, .fast, .fast)
        try history.repository.git("checkout", "--quiet", "-b", "side", "v0")
        try history.repository.write("echo no rule >&2; exit 3\n", to: "a b/build.sh")
        try history.repository.commit("Break")
        try history.repository.git("checkout", "--quiet", "-b", "merged", "v1")
        try history.repository.git("merge", "--quiet", "--no-edit", "side")
        var arguments = history.arguments(range) + ["--quiet"]
        for change in changes {
            let name = change.prefix { $0 != "=" }
            if let place = arguments.firstIndex(of: String(name)) { arguments.removeSubrange(place...place + 1) }
            arguments.append(change)
        }
        let outcome = try history.run(arguments)
        #expect(outcome.code == 2 && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.output.isEmpty, "\(outcome.errors)")
        #expect(try history.isClean)
    }

    @Test func outsideOfACheckoutAndWithoutAPhaseTheFixIsNamed() throws {
        let history = try History(.fast)
        let outside = try TemporaryDirectory()
        let outcome = try history.run(history.arguments("v0..v1"), in: outside.url)
        #expect(outcome.code == 2 && outcome.errors.contains("this is no checkout of git"), "\(outcome.errors)")
        let phaseless = try history.run(["bisect", "v0..v1", BenchBinary.tiny, "--allow-debug"])
        #expect(phaseless.errors.contains("needs --phase P, one of seed, fetch-sync, update"), "\(phaseless.errors)")
        let unknown = try history.run(["bisect", "v0..v1", "nope.json", "--allow-debug", "--phase", "seed"])
        #expect(unknown.code == 2 && unknown.errors.contains("nope.json"), "\(unknown.errors)")
    }

    @Test func interruptionEndsTheBuildAndLeavesNothingBehind() throws {
        let history = try History(.fast, .fast)
        let mark = history.builds.path + ".id"
        let process = Process()
        process.executableURL = BenchBinary.url
        process.arguments = history.arguments("v0..v1", build: "echo $$ >'\(mark)'; exec sleep 100")
        process.currentDirectoryURL = history.folder
        process.standardInput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        var build: Int32?
        for _ in 0..<3_000 where build == nil && process.isRunning {
            Thread.sleep(forTimeInterval: 0.02)
            build = (try? String(contentsOfFile: mark, encoding: .utf8)).flatMap { Int32($0.dropLast()) }
        }
        kill(process.processIdentifier, SIGTERM)
        let text = errors.readText()
        #expect(process.awaitEnd() == 130 && text.contains("interrupted before the commit"), "\(text)")
        #expect(kill(try #require(build), 0) != 0)
        #expect(try history.isClean && history.keptBuilds.isEmpty)
    }
}
