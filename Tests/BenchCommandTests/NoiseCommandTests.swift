import Foundation
import Testing

@Suite struct NoiseCommandTests {
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
        let judged = figures.filter { $0["metric"] as? String == "cpu" }
        #expect(judged.count == 3 && judged.allSatisfy { $0["noise_floor_percent"] is Double })
    }
}
