import Foundation
import TestSupport

@testable import BenchHarness

/// A table of the README or of Results, made from files of `Results`, so that no figure there is older than its file.
struct PublishedTable: Sendable {
    /// What a column shows of a phase.
    enum Content: Sendable {
        /// The ratio of a figure of two drivers, whose repetitions are pairs: `≈` if its interval contains 1.
        case ratio(FigureColumn, of: String, to: String)
        /// The median of a figure of a driver.
        case median(FigureColumn, of: String)
    }

    struct Column: Sendable {
        let title: String
        let content: Content
        /// The result, if not the row's.
        var result: String?
    }

    struct Row: Sendable {
        let title: String
        let phase: String
        let result: String
    }

    let name: String
    let page: String
    /// The title of the first column.
    let subject: String
    let columns: [Column]
    let rows: [Row]
    /// Whether ratios have their intervals.
    var showsIntervals = true

    /// The table as Markdown.
    func markdown() throws -> String {
        let head = ([subject] + columns.map(\.title)).joined(separator: " | ")
        let rule = (["---"] + columns.map { _ in "---:" }).joined(separator: " | ")
        let lines = try rows.map { row in
            try ([row.title] + columns.map { try cell(row, $0) }).joined(separator: " | ")
        }
        return ([head, rule] + lines).map { "| \($0) |" }.joined(separator: "\n")
    }

    private func cell(_ row: Row, _ column: Column) throws -> String {
        let rows = try Self.rows(of: column.result ?? row.result).filter { $0.phase == row.phase && $0.isEvidence }
        switch column.content {
        case .ratio(let figure, let driver, let base):
            if driver == base { return "1" }
            let sides = [driver, base].map { name in rows.filter { $0.driver == name } }
            return text(RatioTable.Ratio(RatioTable.pairs(sides[0], sides[1], figure)))
        case .median(let figure, let driver):
            let sample = ResultSummary.Sample(rows.filter { $0.driver == driver }, figure)
            return sample.map { figure.text($0.median) } ?? "–"
        }
    }

    /// A ratio that a loop has no counterpart of, or that too few repetitions show, is a dash.
    private func text(_ ratio: RatioTable.Ratio?) -> String {
        guard let ratio, let interval = ratio.interval else { return "–" }
        let centre = interval.contains(1) ? "≈" : Self.digits(ratio.centre)
        guard showsIntervals else { return centre }
        return "\(centre) (\(Self.digits(interval.lowerBound))–\(Self.digits(interval.upperBound)))"
    }

    private static func digits(_ ratio: Double) -> String { Figure.ratio(ratio, decimals: 2, sign: "") }

    private static func rows(of result: String) throws -> [ResultRow] {
        try RecordedRun(contentsOf: Repository.url("Results/\(result).csv")).rows
    }
}
