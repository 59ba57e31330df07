@testable import BenchHarness

/// The columns of the CSV as the article "Reading the table" lists them.
enum ColumnTables {
    private static let groups = [
        ("Identity", ResultColumn.identity), ("Work and time", ResultColumn.work),
        ("Asynchrony", ResultColumn.asynchrony), ("The process", ResultColumn.process),
        ("The store", ResultColumn.store), ("The machine", ResultColumn.machine), ("Loads", ResultColumn.load),
        ("Added later", ResultColumn.added),
    ]

    /// Every column there is, for comparison with ``ResultColumn/all``.
    static let columns = groups.flatMap(\.1)

    static var markdown: String {
        groups.map { "### \($0)\n\n" + table($1).joined(separator: "\n") }.joined(separator: "\n\n")
    }

    private static func table(_ columns: [ResultColumn]) -> [String] {
        let rows = columns.map { column in
            let cells = ["`\(column.name)`", column.figure?.label ?? "", column.help, judged(column.figure)]
            return "| " + cells.joined(separator: " | ") + " |"
        }
        return ["| column | heading | what it is | judged |", "| --- | --- | --- | --- |"] + rows
    }

    private static func judged(_ figure: FigureColumn?) -> String {
        guard let figure, let comparison = figure.comparison else { return "" }
        let threshold = comparison.threshold == 0 ? "exactly" : Figure.percent(comparison.threshold)
        if JudgedTimes.metrics.contains(figure.name) { return "by the phase, \(threshold)" }
        return comparison.isJudgedByDefault ? "always, \(threshold)" : "on request, \(threshold)"
    }
}
