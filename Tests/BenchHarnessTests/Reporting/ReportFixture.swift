import Foundation

@testable import BenchHarness
@testable import BenchReport

/// Rows and runs to make reports of.
enum ReportFixture {
    /// A verified row of a phase that took so long.
    static func row(
        _ driver: String, milliseconds: Int? = 10, phase: String = "fetch", repetition: Int = 1,
        _ change: (inout ResultRow) -> Void = { _ in }
    ) -> ResultRow {
        var row = ResultRow()
        (row.run, row.scenario, row.driver, row.phase, row.kind) = ("r", "s", driver, phase, "fetch")
        (row.repetition, row.verified) = (repetition, true)
        row.durationNanoseconds = milliseconds.map { $0 * 1_000_000 }
        change(&row)
        return row
    }

    static func run(_ rows: [ResultRow], name: String = "run.csv", in folder: String = "/nowhere") -> RecordedRun {
        RecordedRun(url: URL(fileURLWithPath: "\(folder)/\(name)"), rows: rows, manifest: nil)
    }

    static func figures(_ rows: [ResultRow]) -> RunFigures { RunFigures.all([run(rows)])[0] }

    static func page(_ rows: [ResultRow]) -> String { Report(runs: [run(rows)]).html }

    /// The start tags of `name` on a page, each as its attributes.
    static func tags(_ name: String, in html: String) -> [[String: String]] {
        html.matches(of: try! Regex("<\(name)( [^>]*)?>")).map { match in
            let attributes = String(match.output[0].substring ?? "").matches(of: /([a-z0-9-]+)="([^"]*)"/)
            return Dictionary(attributes.map { (String($0.1), String($0.2)) }) { first, _ in first }
        }
    }
}
