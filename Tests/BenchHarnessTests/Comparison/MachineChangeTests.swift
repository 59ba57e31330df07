import Foundation
import Testing

@testable import BenchHarness

/// When a comparison says that the machine was not the same.
@Suite struct MachineChangeTests {
    /// The baseline driver on a machine of some noise, beside a driver that nothing is asked of.
    private func run(
        _ repetitions: Int, deviation: Double, slower: Double = 1, phases: Int = 3, _ random: inout SplitMix64
    ) -> RecordedRun {
        var fixture = ComparisonFixture()
        for phase in 0..<phases {
            let durations = (0..<repetitions).map { _ in 100 * slower * exp(deviation * random.nextNormal()) }
            fixture.add("phase-\(phase)", driver: "sqlite", durationsMilliseconds: durations)
        }
        fixture.add("phase-0", durationsMilliseconds: (0..<repetitions).map { 50 + Double($0) })
        return fixture.run
    }

    /// All that a comparison says of the baseline driver, in notes and in reasons.
    private func remarks(_ base: RecordedRun, _ new: RecordedRun) throws -> [String] {
        let comparison = try Comparison(base: [base], new: [new])
        return (comparison.notes + comparison.judgements.map(\.reason)).filter { $0.contains("the baseline driver") }
    }

    /// Both sides are of one distribution, so that whatever is said is false. The rate is that of the test, however
    /// much the times scatter, and however few they are.
    @Test(arguments: [2, 3, 5, 8], [0.1, 0.4])
    func identicalNoiseIsSeldomCalledAnotherMachine(repetitions: Int, deviation: Double) throws {
        var random = SplitMix64(state: UInt64(repetitions))
        let trials = 200
        let said = try (0..<trials).count { _ in
            try !remarks(
                run(repetitions, deviation: deviation, &random), run(repetitions, deviation: deviation, &random)
            ).isEmpty
        }
        #expect(BinomialInterval(said, of: trials).bounds.lowerBound <= ComparisonOptions.alphaOfRuns)
    }

    @Test func aSlowerMachineIsSaidSo() throws {
        var random = SplitMix64(state: 1)
        let said = try remarks(run(8, deviation: 0.05, &random), run(8, deviation: 0.05, slower: 1.3, &random))
        let note = try #require(said.first { $0.contains("the machine was not the same") })
        #expect(note.hasPrefix("sqlite, the baseline driver, itself changed by +"))
    }

    /// Another version of SQLite, or a debug build, is reason enough.
    @Test(arguments: [true, false])
    func aBaselineOfAnotherProgramSaysNothingOfTheMachine(isOtherSQLite: Bool) throws {
        var random = SplitMix64(state: 1)
        let runs = [
            (1, "3.40.1", "release"), (1.3, isOtherSQLite ? "3.45.0" : "3.40.1", isOtherSQLite ? "release" : "debug"),
        ]
        .map { slower, sqlite, build in
            let run = run(8, deviation: 0.05, slower: slower, &random)
            var manifest = ComparisonFixture.manifest(sqlite: sqlite)
            manifest.buildConfiguration = build
            return RecordedRun(url: run.url, rows: run.rows, manifest: manifest)
        }
        let said = try remarks(runs[0], runs[1])
        #expect(said.isEmpty, "\(said)")
    }

    /// No number of repetitions below four can tell.
    @Test func threeRepetitionsSayNothingOfTheMachine() throws {
        var random = SplitMix64(state: 1)
        #expect(try remarks(run(3, deviation: 0.05, &random), run(3, deviation: 0.05, slower: 2, &random)).isEmpty)
    }
}
