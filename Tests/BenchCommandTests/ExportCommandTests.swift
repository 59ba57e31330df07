import BenchHarness
import Foundation
import Processes
import Testing

@Suite(.ownThreads) struct ExportCommandTests {
    @Test(arguments: [
        ("google-benchmark", "{\n  \"context\"", "}\n"), ("openmetrics", "# TYPE bench_run info\n", "# EOF\n"),
    ])
    func resultsAreWrittenToAFile(format: String, start: String, end: String) throws {
        let bench = try BenchBinary()
        let outcome = try bench.run("export", "--format", format, BenchBinary.million, "--output", "out.txt")
        #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.errors.isEmpty)
        let text = try String(contentsOf: bench.folder.appendingPathComponent("out.txt"), encoding: .utf8)
        #expect(text.hasPrefix(start) && text.hasSuffix(end))
        #expect(bench.files == ["out.txt"])
    }

    @Test func withoutAnOutputTheyGoToStandardOutput() throws {
        let bench = try BenchBinary()
        let csv = "scenario,driver,phase,repetition,status,statements\ns,d,p,1,ok,3\n"
        try Data(csv.utf8).write(to: bench.folder.appendingPathComponent("in.csv"))
        let outcome = try bench.run("export", "in.csv", "--format=openmetrics")
        #expect(outcome.code == 0)
        let sample = "bench_statements{scenario=\"s\",driver=\"d\",phase=\"p\",repetition=\"1\"} 3\n# EOF\n"
        #expect(outcome.output.hasSuffix(sample))
    }

    @Test func anExistingFileIsKeptUnlessForced() throws {
        let bench = try BenchBinary()
        let file = bench.folder.appendingPathComponent("out.om")
        try Data("mine".utf8).write(to: file)
        let arguments = ["export", "--format", "openmetrics", BenchBinary.million, "--output", "out.om"]
        #expect(try bench.run(arguments).code == 2)
        #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
        #expect(try bench.run(arguments + ["--force"]).code == 0)
        #expect(try String(contentsOf: file, encoding: .utf8).hasSuffix("# EOF\n"))
        #expect(bench.files == ["out.om"])
    }

    @Test(arguments: [
        (["export", BenchBinary.million], "needs --format google-benchmark|openmetrics"),
        (["export"], "needs RESULT.csv"),
        (["export", "--format", "openmetric", BenchBinary.million], "did you mean \"openmetrics\"?"),
        (["export", "--format", "openmetrics", "nope.csv"], "nope.csv: no such file; expected a CSV file"),
        (["export", "--format", "openmetrics", "/dev/zero"], "/dev/zero: a device; expected a CSV file"),
        (["export", "--format", "openmetrics", BenchBinary.smoke], "smoke.json:1: a header without"),
        (["export", "--format", "openmetrics", BenchBinary.million, "--output", "no/out"], "there is no folder"),
        (
            ["export", "--format", "openmetrics", BenchBinary.million, "--output", BenchBinary.million, "--force"],
            "is the file to export"
        ),
    ])
    func mistakesAreAnsweredWithOneLine(arguments: [String], message: String) throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(arguments)
        #expect(outcome.code == 2 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("bench: error: ") && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1 && bench.files.isEmpty)
    }

    @Test func aFullDiskIsAFailureAndNoSuccess() throws {
        let bench = try BenchBinary()
        let (process, _, errors) = try bench.start(
            ["export", "--format", "openmetrics", BenchBinary.million], outputPath: "/dev/full")
        let text = errors.readText()
        #expect(process.awaitEnd() == 3)
        #expect(text.contains("cannot write to standard output"))
    }
}
