import Foundation
import Testing

@Suite(.ownThreads) struct ReportCommandTests {
    @Test func reportWritesAPageAndSaysWhere() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run("report", BenchBinary.million, "-o", "page.html")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output == "Report: page.html\n")
        #expect(bench.files == ["page.html"])
        #expect(try bench.run("report", BenchBinary.million, BenchBinary.million).code == 0)
        #expect(bench.files == ["page.html", "report.html"])
    }

    @Test func picturesAreFilesOfTheirOwn() throws {
        let bench = try BenchBinary()
        let arguments = ["report", BenchBinary.million, "--pictures", "new/folder"]
        let outcome = try bench.run(arguments)
        #expect(outcome.code == 0 && bench.files == ["new"], "\(outcome.errors)")
        let names = ["duration", "memory", "ratios", "fetching", "latencies"].map { "million-\($0).svg" }
        #expect(outcome.output == names.map { "Picture: new/folder/\($0)\n" }.joined())
        let again = try bench.run(arguments)
        #expect(again.code == 2 && again.errors.contains("--force"))
        #expect(try bench.run(arguments + ["-o", "page.html", "--force"]).code == 0)
        #expect(bench.files == ["new", "page.html"])
    }

    @Test func onlyTheNamedDriversAreShown() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run("report", BenchBinary.million, "--driver", "managed", "--driver", "sqlite")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let page = try String(contentsOf: bench.folder.appendingPathComponent("report.html"), encoding: .utf8)
        #expect(page.contains("data-driver=\"managed\"") && !page.contains("data-driver=\"sqlite-tuned\""))
    }

    @Test func resultsThatCannotBeComparedMakeNoPicture() throws {
        let bench = try BenchBinary()
        try Data("run,scenario,driver,phase,repetition,status\nx,other,sqlite,seed,1,ok\n".utf8).write(
            to: bench.folder.appendingPathComponent("other.csv"))
        let outcome = try bench.run("report", BenchBinary.million, "other.csv", "--pictures", ".")
        #expect(outcome.code == 2 && outcome.errors.contains("different scenarios"))
        #expect(bench.files == ["other.csv"])
    }

    @Test func anExistingPageIsReplacedOnlyWhenAsked() throws {
        let bench = try BenchBinary()
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
        (
            [BenchBinary.million, "--driver", "sqlit"],
            "has no rows of the driver sqlit; it has grdb, grdb-fast, lmdb, managed, sqlite"
        ),
        ([BenchBinary.million, "--threshold", "duration=5%"], "--threshold needs a comparison"),
        ([BenchBinary.million, "--accept", "seed 5% because so"], "--accept needs a comparison; give the base and"),
        ([BenchBinary.million, BenchBinary.million, "--accept", "seed"], "there is no bound above 0%"),
        ([BenchBinary.million, BenchBinary.million, "--accept-file", "none"], "none: no such file"),
    ])
    func whatCannotBeUsedIsRefused(arguments: [String], message: String) throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(["report"] + arguments)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(bench.files.isEmpty)
    }

    @Test func resultsAreNeverReplacedByTheirReport() throws {
        let bench = try BenchBinary()
        let copy = bench.folder.appendingPathComponent("copy.csv")
        try FileManager.default.copyItem(at: URL(fileURLWithPath: BenchBinary.million), to: copy)
        let outcome = try bench.run("report", "copy.csv", "-o", "./copy.csv", "--force")
        #expect(outcome.code == 2)
        #expect(FileManager.default.contentsEqual(atPath: copy.path, andPath: BenchBinary.million))
    }

    @Test func resultsWithoutRowsMakeAPage() throws {
        let bench = try BenchBinary()
        try Data("scenario,driver,phase,repetition,status\n".utf8).write(
            to: bench.folder.appendingPathComponent("empty.csv"))
        #expect(try bench.run("report", "empty.csv").code == 0)
        let page = try String(contentsOf: bench.folder.appendingPathComponent("report.html"), encoding: .utf8)
        #expect(page.contains("The file has no rows."))
    }

    /// The comparison on a report of results in the program's folder, and what `bench compare` says of them.
    private func reportAndComparison(
        _ bench: BenchBinary, _ files: String...
    ) throws -> (page: String, compare: BenchBinary.Outcome) {
        let outcome = try bench.run(["report"] + files + ["--force"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let page = try String(contentsOf: bench.folder.appendingPathComponent("report.html"), encoding: .utf8)
        let end = try #require(page.firstRange(of: "<article")).lowerBound
        return (String(page[..<end]), try bench.run(["compare"] + files))
    }

    @Test func severalResultsAreJudgedAsBenchCompareJudgesThem() throws {
        let bench = try BenchBinary()
        try bench.copyMillion(to: "base", percent: 100)
        try bench.copyMillion(to: "new", percent: 150)
        for (files, outcome, code) in [
            (("base.csv", "new.csv"), "regressed", 1), (("new.csv", "base.csv"), "inconclusive", 0),
        ] {
            let (page, compare) = try reportAndComparison(bench, files.0, files.1)
            #expect(Int(compare.code) == code)
            #expect(page.contains("data-outcome=\"\(outcome)\""))
            let words = try #require(compare.output.split(separator: "\n").suffix(2).first)
            #expect(page.contains(">\(words).</p>"), "\(words)")
        }
    }

    @Test func aSlowdownIsAcceptedAsBenchCompareAcceptsIt() throws {
        let bench = try BenchBinary()
        try bench.copyMillion(to: "base", percent: 100)
        try bench.copyMillion(to: "new", percent: 150)
        let commit = String(repeating: "ab", count: 20)
        try Data("\(commit)\nCheck rows\n\nAccept-slowdown: fetch-sync 100% because rows are checked\n".utf8).write(
            to: bench.folder.appendingPathComponent("messages"))
        let options = ["--accept-file", "messages", "--accept", "fetch-sync 10% because it waits"]
        let report = try bench.run(["report", "base.csv", "new.csv"] + options)
        #expect(report.code == 0, "\(report.errors)")
        let page = try String(contentsOf: bench.folder.appendingPathComponent("report.html"), encoding: .utf8)
        #expect(page.contains("<h3>Accepted</h3>") && page.contains("--accept accepts 10 %: it waits"))
        #expect(page.contains("commit ababababab accepts 100 %: rows are checked"))
        let compare = try bench.run(["compare", "base.csv", "new.csv"] + options)
        let words = try #require(compare.output.split(separator: "\n").suffix(2).first)
        #expect(page.contains(">\(words).</p>"), "\(words)")
    }

    @Test func resultsThatCannotBeComparedMakeAPageThatSaysWhy() throws {
        let bench = try BenchBinary()
        try Data("run,scenario,driver,phase,repetition,status\nx,other,sqlite,seed,1,ok\n".utf8).write(
            to: bench.folder.appendingPathComponent("other.csv"))
        try bench.copyMillion(to: "base", percent: 100)
        let (page, compare) = try reportAndComparison(bench, "base.csv", "other.csv")
        #expect(compare.code == 2)
        #expect(compare.errors.contains("base.csv and other.csv are of different scenarios"))
        #expect(page.contains("No comparison: base.csv and other.csv are of different scenarios"))
    }

    @Test func theRecordOfNoiseIsTheOneThatBenchCompareHeeds() throws {
        let bench = try BenchBinary()
        for name in ["base", "new"] { try bench.copyMillion(to: name, percent: 100) }
        try Data("{}".utf8).write(to: bench.folder.appendingPathComponent("million.noise.json"))
        let (page, compare) = try reportAndComparison(bench, "base.csv", "new.csv")
        #expect(compare.errors.contains("million.noise.json: not a record of noise"))
        #expect(page.contains("No comparison: ./million.noise.json: not a record of noise"))
    }
}
