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
        #expect(bench.files.filter { $0.hasSuffix(".png") || $0.hasSuffix(".svg") } == names)
        for name in names {
            let picture = try Data(contentsOf: bench.folder.appendingPathComponent(name))
            let start = name.hasSuffix(".svg") ? Data("<svg".utf8) : Data([0x89, 0x50, 0x4E, 0x47])
            #expect(picture.starts(with: start) && picture.count > 5_000)
        }
    }

    @Test func oneResultMakesThePicturesOfItsReport() throws {
        let bench = try BenchBinary()
        let outcome = try plot([BenchBinary.million], in: bench)
        #expect(outcome.code == 0, "\(outcome.errors)")
        try expectPictures(
            ["duration", "fetching", "latencies", "memory", "ratios"].map { "million-\($0).svg" }, in: bench)
    }

    @Test func aRunAtSeveralSizesMakesOnePicture() throws {
        let bench = try BenchBinary()
        try Data(GrowthCSV.text.utf8).write(to: bench.folder.appendingPathComponent("in.csv"))
        let outcome = try plot(["in.csv"], in: bench)
        #expect(outcome.code == 0, "\(outcome.errors)")
        try expectPictures(["in-growth.svg"], in: bench)
    }

    @Test func aRunWithAListMakesAPictureOfItToo() throws {
        let bench = try BenchBinary()
        try Data(SweepCSV.text.utf8).write(to: bench.folder.appendingPathComponent("in.csv"))
        let outcome = try plot(["in.csv"], in: bench)
        #expect(outcome.code == 0, "\(outcome.errors)")
        try expectPictures(["duration", "memory", "sweep"].map { "in-\($0).svg" }, in: bench)
    }

    @Test func twoResultsMakeAComparisonAndAHistory() throws {
        let bench = try BenchBinary()
        for name in ["base", "new"] { try bench.copyMillion(to: name, percent: 100) }
        let outcome = try plot(["base.csv", "new.csv"], in: bench)
        #expect(outcome.code == 0, "\(outcome.errors)")
        try expectPictures(["new-comparison.svg", "new-history.png"], in: bench)
    }

    @Test func aLoadOverTimeIsDrawnFromItsSamples() throws {
        let bench = try BenchBinary()
        let load = Repository.url("Results/load/load.csv").path
        let outcome = try plot([load], in: bench)
        #expect(outcome.code == 0, "\(outcome.errors)")
        try expectPictures(
            ["latencies.svg", "loads.svg", "memory.svg", "ratios.svg", "series.png"].map { "load-\($0)" }, in: bench)
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
        (["text.csv"], "plot.py: text.csv:1: a header without"),
        (["wrong.csv"], "wrong.csv: no verified row has a figure to draw"),
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
