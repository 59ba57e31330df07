import Foundation
import TestSupport
import Testing

/// The tests that count need valgrind; the others run everywhere.
@Suite(.ownThreads) struct InstructionsCommandTests {
    static let hasValgrind = FileManager.default.isExecutableFile(atPath: "/usr/bin/valgrind")

    private func run(
        _ bench: BenchBinary, _ program: URL = BenchBinary.url, driver: String = "sqlite", _ more: String...
    ) throws -> BenchBinary.Outcome {
        try bench.run(
            program,
            [
                "instructions", BenchBinary.tiny, "--allow-debug", "--quiet", "--driver", driver, "--scale", "0.1",
            ] + more)
    }

    /// A build for debugging asks Swift's runtime for generic types all the time, and collisions in its table depend
    /// on addresses: a driver of a store varies by one to three per cent. This one only writes to memory.
    @Test(.enabled(if: hasValgrind)) func countsRepeat() throws {
        let bench = try BenchBinary()
        let outcome = try run(
            bench, BenchBinary.known, driver: "allocates", "--phase", "fetch-sync", "--output", "counts.csv")
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(bench.files == ["counts.csv"])
        let file = bench.folder.appendingPathComponent("counts.csv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        #expect(
            lines.map { Array($0[1...9]) }
                == (1...3).map {
                    ["allocates", "fetch-sync", "fetch", "sync", "false", "new", "\($0)", "100", "ok"]
                })
        let counts = try lines.map { try #require(Int($0[11])) }.sorted()
        // Some hundreds of instructions for each of 16,384 pages; a program that is counted as a whole has far more.
        #expect(counts[0] > 1_000_000 && counts[2] < 20_000_000, "\(counts)")
        #expect(counts[2] - counts[0] <= counts[0] / 500, "\(counts)")
    }

    @Test(.enabled(if: hasValgrind)) func aSlowedBuildFailsWithItsPhaseAndItsFunction() throws {
        let bench = try BenchBinary()
        let outcome = try run(
            bench, BenchBinary.slowed, "--base", BenchBinary.path, "--phase", "fetch-sync", "--repetitions", "1")
        #expect(outcome.code == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("fetch-sync of sqlite: the functions that grew most"), "\(outcome.output)")
        #expect(outcome.output.contains("SlowedSession.cpuTime"), "\(outcome.output)")
        #expect(bench.files.isEmpty)
    }

    @Test(.enabled(if: hasValgrind)) func anAcceptedGrowthPasses() throws {
        let bench = try BenchBinary()
        let messages = bench.folder.appendingPathComponent("messages")
        try Data(
            "\(String(repeating: "a", count: 40))\nCheck\n\nAccept-slowdown: fetch-sync 1000% because it waits\n".utf8
        )
        .write(to: messages)
        let outcome = try run(
            bench, BenchBinary.slowed, "--base", BenchBinary.path, "--phase", "fetch-sync", "--repetitions", "1",
            "--accept-file", "messages")
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(
            outcome.output.contains("fetch-sync of sqlite: commit aaaaaaaaaa accepts 1000 %: it waits"),
            "\(outcome.output)")
    }

    @Test(.enabled(if: hasValgrind)) func aProgramThatCannotCountIsNamed() throws {
        let bench = try BenchBinary()
        let outcome = try run(bench, BenchBinary.url, "--base", "/bin/false", "--phase", "seed", "--repetitions", "1")
        #expect(outcome.code == 3)
        #expect(
            outcome.errors.contains(
                "--base /bin/false: the process that counts ended with exit code 1; if it is of another "
                    + "version of bench, build it anew"), "\(outcome.errors)")
        #expect(bench.files.isEmpty)
    }

    @Test(
        .enabled(if: hasValgrind),
        arguments: [
            (["--phase", "fetchsync"], "unknown phase \"fetchsync\"; did you mean \"fetch-sync\"?"),
            (["--base", "/nowhere"], "--base /nowhere: expected an executable program, such as .build/release/bench"),
            (["--threshold", "much"], "--threshold much: expected a percentage"),
            (["--output", "missing/counts.csv"], "create it first"),
        ])
    func wrongArgumentsAreRefused(arguments: [String], message: String) throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(["instructions", BenchBinary.tiny, "--allow-debug"] + arguments)
        #expect(outcome.code == 2 && outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func withoutValgrindTheErrorNamesWhatToDo() throws {
        let bench = try BenchBinary()
        let outcome = try Script.run(
            BenchBinary.path, ["instructions", BenchBinary.tiny, "--allow-debug"], folder: bench.folder,
            environment: ["PATH": "/nowhere"])
        #expect(outcome.code == 2 && outcome.errors.contains("apt-get install valgrind"), "\(outcome.errors)")
    }

    @Test func theWorkerCountsUnderValgrindOnly() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run("__instructions")
        #expect(outcome.code == 3)
    }
}
