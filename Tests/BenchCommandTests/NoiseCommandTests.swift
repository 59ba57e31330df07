import Foundation
import Testing

@Suite(.ownThreads) struct NoiseCommandTests {
    @Test func noiseIsRecordedWhereCompareFindsIt() throws {
        let bench = try BenchBinary()
        let recorded = try bench.run(
            "noise", BenchBinary.tiny, "--allow-debug", "--quiet", "--driver", "sqlite", "--runs",
            "2",
            "--repetitions", "2")
        #expect(recorded.code == 0, "\(recorded.errors)")
        #expect(recorded.output.contains("Noise: Results/tiny.noise.json"))
        for name in ["base.csv", "new.csv"] { #expect(try bench.measure(name, repetitions: 7).code == 0) }
        let outcome = try bench.run("compare", "base.csv", "new.csv", "--format", "json")
        let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        let figures = try #require(json?["figures"] as? [[String: Any]])
        // Which time of a phase is judged depends on how much of it was work.
        let times = figures.filter { ["cpu", "duration"].contains($0["metric"] as? String) }
        let known = times.filter { $0["noise_floor_percent"] is Double }
        #expect(Set(known.compactMap { $0["phase"] as? String }) == ["seed", "fetch-sync", "update"])
        let other = try bench.run(
            "compare", BenchBinary.million, BenchBinary.million, "--noise", "Results/tiny.noise.json")
        #expect(other.code == 2 && other.errors.contains("the record of noise is not of "), "\(other.errors)")
    }
}
