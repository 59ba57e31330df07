import BenchHarness
import Foundation
import Testing

/// `bench run` at several sizes, through the binary.
@Suite(.ownThreads) struct GrowthCommandTests {
    /// A tiny scenario whose figures may grow at most so fast.
    private func scenario(maxExponent: Double, sizes: String = "[10, 100, 1000]") throws -> String {
        try String(contentsOfFile: BenchBinary.tiny, encoding: .utf8)
            .replacing(
                /"records": \d+/, with: "\"records\": \(sizes), \"growth\": { \"max_exponent\": \(maxExponent) }")
    }

    private func run(_ scenario: String, _ arguments: String...) throws -> (BenchBinary.Outcome, [ResultRow]) {
        let bench = try BenchBinary()
        try Data(scenario.utf8).write(to: bench.folder.appendingPathComponent("sizes.json"))
        let outcome = try bench.run(
            ["run", "sizes.json", "--allow-debug", "--output", "out.csv", "--driver", "sqlite", "--quiet"] + arguments)
        let csv = bench.folder.appendingPathComponent("out.csv")
        return (outcome, (try? ResultTable(contentsOf: csv).rows) ?? [])
    }

    @Test func growthWithinItsLimitPasses() throws {
        let (outcome, rows) = try run(try scenario(maxExponent: 10))
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("at most 10") && outcome.output.contains("kept"))
        #expect(Set(rows.map(\.phase)).count == rows.count / (rows.map(\.repetition).max() ?? 1))
        #expect(rows.contains { $0.phase.hasSuffix("@1000") } && rows.allSatisfy { $0.verified == true })
    }

    @Test func sizesThatScalingMakesTooFewAreInsufficientData() throws {
        let (outcome, rows) = try run(try scenario(maxExponent: 10), "--scale", "0.01")
        #expect(outcome.code == 4, "\(outcome.errors)")
        #expect(outcome.output.contains("insufficient data"))
        #expect(Set(rows.map { $0.phase.split(separator: "@").last }) == ["1", "10"])
    }

    @Test func aSearchForARateTakesOneSize() throws {
        let text = try String(contentsOfFile: BenchBinary.scenario("ycsb-a"), encoding: .utf8)
            .replacing(/"records": \d+/, with: #""records": [100, 1000]"#)
        let (outcome, _) = try run(text, "--find-max", "--limit", "p99=1s")
        #expect(outcome.code == 2 && outcome.errors.contains("has several numbers of records; choose"))
    }

    @Test func everySubcommandTakesTheSizesOfAPhase() throws {
        let bench = try BenchBinary()
        try Data(GrowthCSV.text.utf8).write(to: bench.folder.appendingPathComponent("in.csv"))
        let copy = GrowthCSV.text.replacing("scenario,", with: "run,scenario,").replacing("\ns,", with: "\nother,s,")
        try Data(copy.utf8).write(to: bench.folder.appendingPathComponent("new.csv"))
        let compared = try bench.run("compare", "in.csv", "new.csv", "--phase", "seed")
        #expect(compared.code == 4 && compared.output.contains("seed@10000") && !compared.output.contains("fetch@"))
        let unknown = try bench.run("compare", "in.csv", "new.csv", "--phase", "sed")
        #expect(unknown.code == 2 && unknown.errors.contains("did you mean \"seed\"?"))
        #expect(try bench.run("report", "in.csv").code == 0)
        #expect(try bench.run("trend", "in.csv", "new.csv").code == 0)
        #expect(try bench.run("export", "--format", "openmetrics", "in.csv").output.contains("seed@10000"))
    }
}
