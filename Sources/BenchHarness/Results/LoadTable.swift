/// The figures that only loads have, as a table.
struct LoadTable {
    private static let columns: [TextTable.Column] =
        [.name("load"), .name("driver")]
        + figures.map { figure in
            .right(figure.label, dropped: dropped.firstIndex { $0.column == figure.column })
        } + [.left("limits")]
    private static let figures = FigureColumn.ofLoads + FigureColumn.wrongInLoads
    /// What gives way to a narrow terminal, in this order. Errors stay, as do the throughput and its 99th percentile.
    private static let dropped: [FigureColumn] = [
        .delegateP99, .mergeP99, .retries, .latencyMax, .latencyP50, .dropped,
    ]

    private let summary: ResultSummary

    init(_ summary: ResultSummary) {
        self.summary = summary
    }

    /// Returns the table; nil without a load.
    func table(repeatsNames: Bool) -> TextTable? {
        var table = TextTable(Self.columns)
        for phase in summary.phases {
            let loads = phase.cells.compactMap { cell in cell.load.map { (cell.driver, $0) } }
            for (index, (driver, load)) in loads.enumerated() {
                let name = index == 0 || repeatsNames ? phase.key.phase : ""
                table.append(
                    TextTable.Row(
                        cells: [name, driver] + Self.figures(load), style: load.limits.missed > 0 ? .bad : .plain,
                        startsGroup: index == 0))
            }
        }
        return table.rows.isEmpty ? nil : table.withoutEmptyColumns
    }

    private static func figures(_ load: ResultSummary.Load) -> [String] {
        figures.map { load.text($0) ?? "" } + [load.limits.text ?? ""]
    }

    /// What the figures do not show, a sentence for each load and driver without its full stop.
    var remarks: [String] {
        summary.phases.flatMap { phase in
            phase.cells.compactMap { cell in
                cell.load?.unanswered.map { "\(phase.key.phase) of \(cell.driver): \($0)" }
            }
        }
    }
}
