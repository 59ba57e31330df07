import BenchHarness
import Foundation
import TestSupport
import Testing

@testable import BenchCommand

/// What every command prints, at the widths of terminals.
@Suite(.ownThreads) struct TerminalWidthTests {
    /// Commands over recorded results.
    private static let commands: [[String]] =
        [
            [], ["help"], ["list"], ["validate", "smoke", "ci", "nope.json"], ["frobnicate"], ["compare", "one.csv"],
            compare, compare + ["--relative-to", "sqlite"],
            ["compare", "costs/cache-2000.csv", "costs/cache-16000.csv", "--allow-different-scenarios"],
            ["compare", "costs/cache-2000.csv", "costs/wide.csv"],
            [
                "power", "million.csv", "--driver", "managed", "--comparisons", "2", "--repetitions", "3", "--slowdown",
                "6%",
            ],
            ["trend", "costs/cache-2000.csv", "million.csv"], ["show", "million.csv"],
            ["show", "million.csv", "--ratios"], ["show", "apps/feed.csv", "--relative-to", "sqlite-tuned"],
            ["show", "load/load.csv"], ["show", "load/rates.csv"], ["show", "growth/related.csv"],
            ["show", "growth/related.csv", "--ratios"], ["show", "million.csv", "--relative-to", "nope"],
            ["merge", "load/load.csv", "million.csv", "--output", "x.csv"],
        ] + CommandSpec.visible.map { ["help", $0.name] }

    private static let compare = ["compare", "million.csv", "million.csv"]

    /// Runs a command in a terminal of so many columns; nil is a pipe.
    private func run(_ arguments: [String], columns: Int?) throws -> BenchBinary.Outcome {
        let arguments = arguments.map { argument in
            let name = argument == "million.csv" ? "million/million.csv" : argument
            let file = Repository.url("Results/\(name)")
            return name.contains("/") && FileManager.default.fileExists(atPath: file.path) ? file.path : argument
        }
        return try Script.run(
            BenchBinary.path, arguments, folder: Repository.root,
            environment: ["COLUMNS": columns.map(String.init) ?? ""])
    }

    @Test(arguments: commands) func noLineIsWiderThanTheTerminal(arguments: [String]) throws {
        for columns in [60, 80, 200] {
            let outcome = try run(arguments, columns: columns)
            for line in (outcome.output + outcome.errors).split(separator: "\n") {
                // A path stays whole. The rule of a table is as wide as its rows.
                let isPath = line.contains("/") && !line.drop { $0 == " " }.contains(" ")
                #expect(line.count <= columns || isPath, "\(columns): \(line)")
            }
        }
    }

    /// A terminal that is too narrow for a row gets a shorter one, not two.
    @Test(arguments: [40, 60, 80, 103]) func everyRowOfAComparisonEndsWithItsVerdict(columns: Int) throws {
        let verdicts = { (output: String) in
            output.split(separator: "\n").compactMap { line in
                Verdict.allCases.map(\.rawValue).first { line.hasSuffix("  \($0)") }
            }
        }
        let wide = verdicts(try run(Self.compare, columns: nil).output)
        #expect(wide.count > 20)
        #expect(verdicts(try run(Self.compare, columns: columns).output) == wide)
    }

    @Test func allColumnsAreShownOnRequestAndInAPipe() throws {
        let show = ["show", "load/load.csv"]
        let narrow = try run(show, columns: 80)
        #expect(narrow.output.contains("no room in 80 columns for max, merged p99, delegate p99, retries; COLUMNS=125"))
        let wide = try run(show, columns: nil)
        #expect(!wide.output.contains("no room") && wide.output.contains("delegate p99"))
        #expect(try run(show, columns: 125).output == wide.output)
        #expect(try run(show + ["--all"], columns: 80).output == wide.output)
    }

    /// Help has the width of a page of text where there is none.
    @Test func helpIsNeverWiderThan80Columns() {
        for width in [nil, 80, 200] {
            let help = HelpText(width: width)
            let texts = [help.overview, HelpText.beginning] + CommandSpec.visible.map(help.text)
            let lines = texts.flatMap { $0.split(separator: "\n") }
            #expect(lines.filter { $0.count > 80 } == [])
        }
    }

    @Test func aLongExampleStaysOneCommandOfTheShell() {
        let text = HelpText(width: 80).text(for: CompareCommand.spec)
        #expect(
            text.contains(
                "  bench compare --base monday.csv --base tuesday.csv --new today.csv \\\n    --format markdown\n"))
    }

    @Test func aProgramWithoutArgumentsSaysWhatToType() throws {
        let outcome = try run([], columns: nil)
        #expect(outcome.code == 2 && outcome.output.isEmpty)
        for command in ["bench run smoke ", "bench describe my.sqlite ", "bench help "] {
            #expect(outcome.errors.contains("\n  \(command)"))
        }
    }

    /// The line that is replaced may take several rows of a terminal that became narrower.
    @Test func theLiveLineIsClearedInAllItsRows() {
        #expect(Console.clearing(0, at: 80) == "\r\u{1B}[K")
        #expect(Console.clearing(79, at: 80) == "\r\u{1B}[K")
        #expect(Console.clearing(79, at: 79) == "\r\u{1B}[K")
        #expect(Console.clearing(79, at: 40) == "\r\u{1B}[1A\u{1B}[J")
        #expect(Console.clearing(79, at: 20) == "\r\u{1B}[3A\u{1B}[J")
    }
}
