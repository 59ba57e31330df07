/// The figures that only loads have, as a table.
struct LoadTable {
    private static let columns: [TextTable.Column] =
        [.left("load"), .left("driver")]
        + (FigureColumn.ofLoads + [.retries, .errors]).map { .right($0.label) } + [.left("limits")]

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
        return table.rows.isEmpty ? nil : table
    }

    private static func figures(_ load: ResultSummary.Load) -> [String] {
        FigureColumn.ofLoads.map { figure in load[figure].map { figure.text($0.summary.median) } ?? "" }
            + [Figure.count(load.retries), Figure.count(load.errors), load.limits.text ?? ""]
    }
}
