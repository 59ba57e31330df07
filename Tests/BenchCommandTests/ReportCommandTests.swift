import Foundation
import Testing

@Suite struct ReportCommandTests {
    @Test func reportWritesAPageAndSaysWhere() throws {
        let bench = try BenchBinary()
        defer { bench.remove() }
        let outcome = try bench.run("report", BenchBinary.million, "-o", "page.html")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output == "Report: page.html\n")
        #expect(bench.files == ["page.html"])
        #expect(try bench.run("report", BenchBinary.million, BenchBinary.million).code == 0)
        #expect(bench.files == ["page.html", "report.html"])
    }

    @Test func anExistingPageIsReplacedOnlyWhenAsked() throws {
        let bench = try BenchBinary()
        defer { bench.remove() }
        let page = bench.folder.appendingPathComponent("report.html")
        try Data("mine".utf8).write(to: page)
        let refused = try bench.run("report", BenchBinary.million)
        #expect(refused.code == 2)
        #expect(refused.errors.contains("--force"))
        #expect(try String(contentsOf: page, encoding: .utf8) == "mine")
        #expect(try bench.run("report", BenchBinary.million, "--force").code == 0)
        #expect(try String(contentsOf: page, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
    }

    @Test(arguments: [
        (["nope.csv"], "nope.csv: no such file"), (["."], "a directory"), ([], "needs RESULT.csv"),
        ([BenchBinary.million, "-o", "none/page.html"], "there is no folder"),
        ([BenchBinary.million, "-o", "/proc/page.html"], "not writable"), ([BenchBinary.million, "-o", "/"], "/"),
        ([BenchBinary.smoke], "expected the columns that bench run writes"),
        ([BenchBinary.million, "-o"], "needs a value"),
    ])
    func whatCannotBeUsedIsRefused(arguments: [String], message: String) throws {
        let bench = try BenchBinary()
        defer { bench.remove() }
        let outcome = try bench.run(["report"] + arguments)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(bench.files.isEmpty)
    }

    @Test func resultsAreNeverReplacedByTheirReport() throws {
        let bench = try BenchBinary()
        defer { bench.remove() }
        let copy = bench.folder.appendingPathComponent("copy.csv")
        try FileManager.default.copyItem(at: URL(fileURLWithPath: BenchBinary.million), to: copy)
        let outcome = try bench.run("report", "copy.csv", "-o", "./copy.csv", "--force")
        #expect(outcome.code == 2)
        #expect(FileManager.default.contentsEqual(atPath: copy.path, andPath: BenchBinary.million))
    }

    @Test func resultsWithoutRowsMakeAPage() throws {
        let bench = try BenchBinary()
        defer { bench.remove() }
        try Data("scenario,driver,phase,repetition,status\n".utf8).write(
            to: bench.folder.appendingPathComponent("empty.csv"))
        #expect(try bench.run("report", "empty.csv").code == 0)
        let page = try String(contentsOf: bench.folder.appendingPathComponent("report.html"), encoding: .utf8)
        #expect(page.contains("The file has no rows."))
    }
}
