import Foundation
import Testing

/// `bench trend` through the binary.
@Suite(.ownThreads) struct TrendCommandTests {
    /// Results in files of a few columns, in another order than bench writes them.
    private func write(_ name: String, _ milliseconds: Double, verified: Bool = true, in bench: BenchBinary) throws {
        let csv = """
            driver,phase,scenario,verified,status,repetition,duration_ns
            sqlite,fetch,small,true,ok,1,10000000
            mine,fetch,small,\(verified),ok,1,\(Int(milliseconds * 1e6))

            """
        try Data(csv.utf8).write(to: bench.folder.appendingPathComponent(name))
    }

    /// A history whose ninth run is a fifth slower, and so are those after it.
    private func history(in bench: BenchBinary) throws -> [String] {
        try (0..<16).map { index in
            let name = String(format: "run%02d.csv", index)
            let noise = [0, 0.1, -0.1, 0.05][index % 4]
            try write(name, (index < 8 ? 20 : 24) + noise, in: bench)
            return name
        }
    }

    @Test func aStepInAHistoryIsReported() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(["trend"] + history(in: bench))
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("small: 16 runs, run00.csv to run15.csv"))
        #expect(outcome.output.contains("+20.0 % at run08.csv"))
        #expect(!outcome.output.contains("\u{1B}"))
    }

    @Test func figuresRelativeToADriverAreRatios() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(["trend", "--relative-to", "sqlite"] + history(in: bench))
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("2.000x"))
        #expect(!outcome.output.contains(" ms"))
    }

    @Test func jsonIsJSON() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(["trend", "--format", "json", "--metric", "duration"] + history(in: bench))
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        #expect((object?["series"] as? [Any])?.count == 2)
    }

    @Test func tooLittleHistoryIsSaid() throws {
        let bench = try BenchBinary()
        try write("a.csv", 20, in: bench)
        try write("b.csv", 99, verified: false, in: bench)
        let outcome = try bench.run("trend", "a.csv", "b.csv", "--format", "markdown")
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("| fetch | mine | duration | 20.0 ms | 20.0 ms |  | ▄  | too little history |"))
        #expect(outcome.output.contains("b.csv: 1 unverified of 2 rows left out"))
    }

    /// Dates come from the manifests of a run that was recorded, which are put in the wrong order here.
    @Test func manifestsDateTheRuns() throws {
        let bench = try BenchBinary()
        for (name, started) in [("a", "2026-02-01T00:00:00Z"), ("b", "2026-01-01T00:00:00Z")] {
            try write("\(name).csv", name == "a" ? 30 : 20, in: bench)
            try bench.copyMillionsManifest(to: name, ["started": started])
        }
        let outcome = try bench.run("trend", "a.csv", "b.csv")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("small: 2 runs, 2026-01-01 e58d6ef to 2026-02-01 e58d6ef"))
        #expect(outcome.output.contains("+50.0 %"))
    }

    @Test(arguments: [
        (["trend"], "needs FILE.csv..."), (["trend", "missing.csv"], "missing.csv: no such file"),
        (["trend", "."], "a directory"), (["trend", "bad.csv"], "a header without \"scenario\""),
        (["trend", "a.csv", "--metric", "duratoin"], "did you mean \"duration\"?"),
        (["trend", "a.csv", "--relative-to", "other"], "unknown driver \"other\""),
        (["trend", "a.csv", "--format", "xml"], "unknown format \"xml\""),
    ])
    func mistakesAreAnsweredWithOneLine(arguments: [String], message: String) throws {
        let bench = try BenchBinary()
        try write("a.csv", 20, in: bench)
        try Data("x,y\n1,2\n".utf8).write(to: bench.folder.appendingPathComponent("bad.csv"))
        let outcome = try bench.run(arguments)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains(message) && outcome.errors.split(separator: "\n").count == 1)
        #expect(outcome.output.isEmpty)
    }
}
