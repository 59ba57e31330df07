/// The figures of a run as tables for people: those of every phase, those that only loads have, and the growth of
/// figures over several sizes, with what a reader must know besides. Only verified rows count.
public struct SummaryTable {
    /// The driver that the others are compared with.
    public static let baseline = "sqlite"
    /// The driver that the others are compared with where all stores are on a server.
    static let serverBaseline = "postgres"

    /// Returns the driver that the others of a run are compared with: that of files, or else that of servers.
    package static func baseline(of drivers: some Collection<String>) -> String? {
        [baseline, serverBaseline].first { drivers.contains($0) }
    }

    private let summary: ResultSummary

    /// Lays out a summary.
    public init(_ summary: ResultSummary) {
        self.summary = summary
    }

    /// Returns the text for a terminal, in tables that fit into `width`. Colour dims decoration and marks failures.
    public func text(isColoured: Bool, width: Int? = nil) -> String {
        tables(PhaseTable(summary).text, repeatsNames: false).map { $0.text(isColoured: isColoured, width: width) }
            .joined(separator: "\n") + sentences.map { "\n\($0)\n" }.joined()
    }

    /// The text as Markdown, for a pull request.
    public var markdown: String {
        tables(PhaseTable(summary).markdown, repeatsNames: true).map(\.markdown).joined(separator: "\n")
            + sentences.map { "\n\($0.escapedForMarkdown)\n" }.joined()
    }

    private func tables(_ phases: TextTable, repeatsNames: Bool) -> [TextTable] {
        let loads = LoadTable(summary).table(repeatsNames: repeatsNames)
        let growth = summary.growth.map { GrowthTable($0).table(repeatsNames: repeatsNames) }
        let rates = FoundRateTable(summary.searches)
        let others = [loads, rates.curves, rates.highestRates, growth].compactMap(\.self).filter { !$0.rows.isEmpty }
        return phases.rows.isEmpty && !others.isEmpty ? others : [phases] + others
    }

    /// What a reader of the figures must know besides, one sentence to a paragraph.
    private var sentences: [String] {
        let figures = [fewRatios].compactMap(\.self) + LoadTable(summary).remarks + summary.idleFilters.sentences
        return (figures + [summary.unknownSettings.sentence, leftOut, summary.unfinished].compactMap(\.self))
            .map(\.asSentence)
    }

    /// What ratios of few repetitions are; nil if there are none.
    private var fewRatios: String? {
        let hasAny = summary.phases.contains { $0.cells.contains { $0.hasFewRatios && $0.ratio(.duration) != nil } }
        return hasAny ? RatioTable.remarkOnFew : nil
    }

    /// The number of rows that do not count, and the reasons; nil if all count.
    private var leftOut: String? {
        guard summary.leftOut.total > 0 else { return nil }
        let reasons = summary.leftOut.reasons.map { "\($0.count) \($0.reason.rawValue)" }.joined(separator: ", ")
        let verb = summary.rowCount == 1 ? "row is" : "rows are"
        return "\(summary.leftOut.total) of \(summary.rowCount) \(verb) left out: \(reasons)"
    }
}
