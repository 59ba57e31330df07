import Foundation
import TestSupport
import Testing

/// Programs that the system leaves too little room.
@Suite(.ownThreads, .timeLimit(.minutes(5)), .disabled(if: Sanitizer.isOn, "a sanitizer takes room of its own"))
struct ProcessLimitTests {
    private let bench: BenchBinary

    init() throws { bench = try BenchBinary() }

    private func run(under limit: String) throws -> BenchBinary.Outcome {
        let script = "ulimit \(limit); exec \"$0\" run \"$1\" --allow-debug --quiet --driver sqlite --output out.csv"
        return try bench.run(URL(filePath: "/bin/bash"), ["-c", script, BenchBinary.path, BenchBinary.tiny])
    }

    @Test(arguments: [
        ("-n 16", "cannot open 32 more files: Too many open files; raise the limit (ulimit -n)"),
        ("-n 32", "raise the limit (ulimit -n)"), ("-v 400000", "more of address space; raise the limit (ulimit -v)"),
    ])
    func tooLittleRoomIsSaidBeforeTheRun(limit: String, message: String) throws {
        let outcome = try run(under: limit)
        #expect(outcome.code == 3)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(bench.files.isEmpty)
    }

    @Test func aModestLimitIsEnough() throws {
        let outcome = try run(under: "-n 128")
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    /// As when the program that started it has ended before it gave one.
    @Test(arguments: ["__repetition", "__inspection", "__torture", "__instructions"])
    func aWorkerWithoutAJobSaysSo(command: String) throws {
        let outcome = try bench.run(command)
        #expect(outcome.code == 3 && outcome.errors.contains("standard input has no job from another bench"))
    }
}
