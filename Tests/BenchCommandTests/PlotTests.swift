import Foundation
import TestSupport
import Testing

/// A Python that has matplotlib: that of `make plot`, or the system's.
private enum PlotPython {
    /// Its path; nil where there is none.
    static let path: String? = {
        let candidates = [Repository.url(".venv/bin/python").path, "/usr/bin/python3"]
        return candidates.first { path in
            guard FileManager.default.isExecutableFile(atPath: path) else { return false }
            return (try? Script.run(path, ["-c", "import matplotlib"]).code) == 0
        }
    }()
}

/// `plot.py` with the built program.
@Suite(.ownThreads, .enabled(if: PlotPython.path != nil, "needs Python and matplotlib, which make plot sets up"))
struct PlotTests {
    private func plot(_ arguments: [String], in bench: BenchBinary) throws -> BenchBinary.Outcome {
        let script = Repository.url("plot.py").path
        return try Script.run(
            #require(PlotPython.path), [script, "--bench", BenchBinary.path, "--output", "."] + arguments,
            folder: bench.folder)
    }

    private func expectPictures(_ names: [String], in bench: BenchBinary) throws {
        #expect(bench.files.filter { $0.hasSuffix(".png") } == names)
        for name in names {
            let picture = try Data(contentsOf: bench.folder.appendingPathComponent(name))
            #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) && picture.count > 10_000)
        }
    }

    @Test func oneResultMakesThreePictures() throws {
        let bench = try BenchBinary()
        let outcome = try plot([BenchBinary.million], in: bench)
        #expect(outcome.code == 0, "\(outcome.errors)")
        try expectPictures(["million-async.png", "million-duration.png", "million-memory.png"], in: bench)
    }

    @Test func aRunAtSeveralSizesMakesOnePicture() throws {
        let bench = try BenchBinary()
        try Data(GrowthCSV.text.utf8).write(to: bench.folder.appendingPathComponent("in.csv"))
        let outcome = try plot(["in.csv"], in: bench)
        #expect(outcome.code == 0, "\(outcome.errors)")
        try expectPictures(["in-growth.png"], in: bench)
    }

    @Test func aRunWithAListMakesAPictureOfItToo() throws {
        let bench = try BenchBinary()
        try Data(SweepCSV.text.utf8).write(to: bench.folder.appendingPathComponent("in.csv"))
        let outcome = try plot(["in.csv"], in: bench)
        #expect(outcome.code == 0, "\(outcome.errors)")
        try expectPictures(["in-duration.png", "in-memory.png", "in-sweep.png"], in: bench)
    }

    @Test func twoResultsMakeAComparisonAndAHistory() throws {
        let bench = try BenchBinary()
        let outcome = try plot([BenchBinary.million, BenchBinary.million], in: bench)
        #expect(outcome.code == 0, "\(outcome.errors)")
        try expectPictures(["million-comparison.png", "million-history.png"], in: bench)
    }

    @Test func powerIsDrawnFromItsJSON() throws {
        let bench = try BenchBinary()
        let rows = try String(contentsOfFile: BenchBinary.million, encoding: .utf8).split(separator: "\n")
        let few = rows.prefix(1) + rows.filter { $0.contains(",sqlite,seed,") }
        try Data((few.joined(separator: "\n") + "\n").utf8).write(to: bench.folder.appendingPathComponent("few.csv"))
        let power = try bench.run(
            "power", "few.csv", "--format", "json", "--comparisons", "2", "--repetitions", "3", "--slowdown", "6%")
        try Data(power.output.utf8).write(to: bench.folder.appendingPathComponent("power.json"))
        let outcome = try plot(["--power", "power.json"], in: bench)
        #expect(outcome.code == 0, "\(outcome.errors)")
        try expectPictures(["power.png"], in: bench)
    }

    @Test(arguments: [
        (["missing.csv"], "plot.py: missing.csv: no such file"),
        (["text.csv"], "plot.py: text.csv:1: a header without"), (["wrong.csv"], "none of its 1 rows is verified"),
        (["--compare", BenchBinary.million, "text.csv"], "text.csv:1"),
        (["--power", "text.csv"], "not the output of `bench power --format json`"),
    ])
    func whatCannotBeDrawnIsSaidInOneLine(arguments: [String], message: String) throws {
        let bench = try BenchBinary()
        try Data("once upon a time\n".utf8).write(to: bench.folder.appendingPathComponent("text.csv"))
        let wrong = "scenario,driver,phase,repetition,status,verified\ns,d,p,1,ok,false\n"
        try Data(wrong.utf8).write(to: bench.folder.appendingPathComponent("wrong.csv"))
        let outcome = try plot(arguments, in: bench)
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains(message) && outcome.errors.split(separator: "\n").count == 1)
        try expectPictures([], in: bench)
    }
}
