import BenchHarness
import Foundation
import TestSupport
import Testing

/// The shipped scenarios through the binary, small: so that none of them, and none of the drivers, rots unnoticed.
@Suite(.ownThreads) struct EveryScenarioTests {
    /// The first ones have every kind of phase and of model; the others are variants.
    private static let scenarios = [
        ("million", 0.002), ("smoke", 0.2), ("load", 0.01), ("relationships", 0.01), ("shop", 0.005), ("mail", 0.01),
        ("library", 0.01), ("chat", 0.05),
        ("feed", 0.01), ("ycsb-a", 0.01), ("wide", 0.02), ("ci", 0.01), ("growth", 0.0002),
        ("hundred-thousand", 0.02), ("ycsb-d", 0.01), ("ycsb-e", 0.01), ("scattered", 0.002), ("indexed", 0.002),
        ("cold", 0.002), ("durable", 0.1), ("growth-related", 0.0002), ("growth-wide", 0.001), ("chunk-size", 0.01),
    ]

    @Test(arguments: EveryTest.cases(9, of: scenarios))
    func everyDriverDoesEveryPhaseAndIsVerified(name: String, scale: Double) throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(
            "run", BenchBinary.scenario(name), "--allow-debug", "--output", "out.csv", "--scale", "\(scale)",
            "--repetitions", "1", "--quiet")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let rows = try bench.rows()
        #expect(Set(rows.map(\.driver)) == ["managed", "sqlite", "sqlite-tuned"])
        #expect(rows.count == 3 * Set(rows.map(\.phase)).count)
        // Only a store with contexts can do what a controller watches, and undo.
        let done = rows.filter { !["watched", "undo-marks"].contains($0.phase) || $0.driver == "managed" }
        #expect(done.allSatisfy { $0.status == .ok && $0.verified == true })
        #expect(rows.count - done.count == (["load", "feed", "mail"].contains(name) ? 2 : 0))
    }

    @Test func aFileSizeLimitEndsInFailedRowsAndAValidFile() throws {
        let bench = try BenchBinary()
        // Room for the results, not for ten thousand records.
        let outcome = try bench.run(
            ["run", BenchBinary.smoke, "--allow-debug", "--output", "out.csv", "--repetitions", "1", "--quiet"],
            fileSizeLimitKiB: 200)
        #expect(outcome.code == 3)
        #expect(outcome.errors.contains("file-size limit"))
        let rows = try bench.rows()
        #expect(rows.contains { $0.status == .failed && $0.verified != true })
    }
}
