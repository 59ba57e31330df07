/// The figures of a run as a table for people: for each phase the median of each driver, its spread, the ratio to the
/// baseline, the peak of memory and the longest stall of the queue. Tables below have the figures that only loads have,
/// and the growth of figures over several sizes. Only verified rows count.
public struct SummaryTable {
    /// The driver that the others are compared with.
    public static let baseline = "sqlite"
    /// The driver that the others are compared with where all stores are on a server.
    static let serverBaseline = "postgres"

    /// Returns the driver that the others of a run are compared with: that of files, or else that of servers.
    static func baseline(of drivers: some Collection<String>) -> String? {
        [baseline, serverBaseline].first { drivers.contains($0) }
    }

    private static let columns: [TextTable.Column] =
        [.left("phase"), .left("driver"), .right("median"), .right("spread"), .right("ratio")]
        + FigureColumn.ofPhases.map { .right($0.label) } + [.left("")]

    private let summary: ResultSummary

    /// Lays out a summary.
    public init(_ summary: ResultSummary) {
        self.summary = summary
    }

    /// Returns the text for a terminal. Colour dims decoration and marks failures.
    public func text(isColoured: Bool) -> String {
        let loads = LoadTable(summary).table(repeatsNames: false).map { "\n" + $0.text(isColoured: isColoured) }
        let growth = growth(repeatsNames: false).map { "\n" + $0.text(isColoured: isColoured) }
        return table(repeatsNames: false).text(isColoured: isColoured) + (loads ?? "") + (growth ?? "") + remarks
    }

    /// The text as Markdown, for a pull request.
    public var markdown: String {
        let loads = LoadTable(summary).table(repeatsNames: true).map { "\n" + $0.markdown }
        let growth = growth(repeatsNames: true).map { "\n" + $0.markdown }
        return table(repeatsNames: true).markdown + (loads ?? "") + (growth ?? "") + remarks
    }

    private func growth(repeatsNames: Bool) -> TextTable? {
        summary.growth.map { GrowthTable($0).table(repeatsNames: repeatsNames) }
    }

    /// What a reader of the figures must know besides, one sentence to a paragraph.
    private var remarks: String {
        (LoadTable(summary).remarks + [summary.unknownSettings.sentence, leftOut].compactMap(\.self))
            .map { "\n\($0.asSentence)\n" }.joined()
    }

    /// The number of rows that do not count, and the reasons; nil if all count.
    private var leftOut: String? {
        guard summary.leftOut.total > 0 else { return nil }
        let reasons = summary.leftOut.reasons.map { "\($0.count) \($0.reason.rawValue)" }.joined(separator: ", ")
        let verb = summary.rowCount == 1 ? "row is" : "rows are"
        return "\(summary.leftOut.total) of \(summary.rowCount) \(verb) left out: \(reasons)"
    }

    private func table(repeatsNames: Bool) -> TextTable {
        var table = TextTable(Self.columns)
        for phase in summary.phases {
            for (index, cell) in phase.cells.enumerated() {
                let name = index == 0 || repeatsNames ? phase.key.phase : ""
                table.append(
                    TextTable.Row(
                        cells: [name, cell.driver] + Self.figures(cell),
                        style: cell.leftOut.total > 0 ? .bad : .plain, startsGroup: index == 0))
            }
        }
        return table
    }

    private static func figures(_ cell: ResultSummary.Cell) -> [String] {
        let duration = cell[.duration]?.summary
        let first = [
            duration.map { Figure.duration($0.median) } ?? "",
            duration.map { $0.count > 1 ? "\(Figure.duration($0.min)) … \(Figure.duration($0.max))" : "" } ?? "",
            cell.ratio(.duration).map(Figure.ratio) ?? "",
        ]
        let others = FigureColumn.ofPhases.map { figure in cell[figure].map { figure.text($0.median) } ?? "" }
        return first + others + [remarks(cell.leftOut)]
    }

    private static func remarks(_ leftOut: LeftOutRows) -> String {
        leftOut.reasons.map { $0.reason == .unsupported ? "unsupported" : "\($0.count) \($0.reason.rawValue)" }
            .joined(separator: ", ")
    }
}
