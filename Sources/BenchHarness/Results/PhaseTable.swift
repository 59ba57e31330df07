/// The figures that every phase has, as a table: of each driver the median, its spread, the ratio to the baseline, the
/// peak of memory and the longest stall of the queue. Columns that no phase fills are left out.
///
/// In a terminal, the phase and the number of its records stand above the rows, so that these fit into 80 columns. In
/// Markdown they are columns.
struct PhaseTable {
    /// The columns of figures. The title of a column must not be wider than what is below it.
    private func columns(peakMemory: String) -> [TextTable.Column] {
        [.right("median"), .right("spread", dropped: 1), .right("ratio")]
            + further.enumerated().map { place, figure in
                let title = figure.column == FigureColumn.peakMemory.column ? peakMemory : figure.label
                return .right(title, dropped: 2 + further.count - place)
            }
    }

    private let phases: [ResultSummary.Phase]
    /// The figures besides the duration.
    private let further: [FigureColumn]

    init(_ summary: ResultSummary) {
        phases = summary.phases
        // Commands that take turns are compared by their CPU time.
        let isOfCommands = phases.contains { $0.kind == PairedCommands.kind }
        further = (isOfCommands ? [.cpu] : []) + FigureColumn.ofPhases
    }

    /// The table for a terminal.
    var text: TextTable {
        var table = TextTable([.name("driver")] + columns(peakMemory: "memory"))
        forEachCell { phase, cell, isFirst in
            var row = TextTable.Row(cells: ["  \(cell.driver)"] + figures(cell), style: Self.style(cell))
            if isFirst {
                row.startsGroup = true
                row.heading = ([phase.key.phase] + phase.scope.parts).joined(separator: ", ")
            }
            let remark = Self.remark(cell)
            row.note = remark.isEmpty ? nil : "    \(remark)"
            table.append(row)
        }
        return table.withoutEmptyColumns
    }

    /// The table for a pull request.
    var markdown: TextTable {
        var table = TextTable(
            [.left("phase"), .left("driver"), .right("records")] + columns(peakMemory: "peak memory")
                + [.left("remark")])
        forEachCell { phase, cell, _ in
            let records = cell[.records].map { FigureColumn.records.text($0.median) } ?? ""
            table.append(
                TextTable.Row(
                    cells: [phase.key.phase, cell.driver, records] + figures(cell) + [Self.remark(cell)],
                    style: Self.style(cell)))
        }
        return table.withoutEmptyColumns
    }

    private func forEachCell(_ body: (ResultSummary.Phase, ResultSummary.Cell, _ isFirst: Bool) -> Void) {
        for phase in phases {
            let cells = phase.cells.filter { $0.search == nil }
            for (index, cell) in cells.enumerated() { body(phase, cell, index == 0) }
        }
    }

    private static func style(_ cell: ResultSummary.Cell) -> TextTable.Style { cell.leftOut.total > 0 ? .bad : .plain }

    private func figures(_ cell: ResultSummary.Cell) -> [String] {
        let duration = cell[.duration]
        let first = [
            duration.map { Figure.duration($0.median) } ?? "",
            duration.map { $0.summary.count > 1 ? Figure.range($0.summary.min, $0.summary.max) : "" } ?? "",
            cell.ratio(.duration).map(cell.hasFewRatios ? Figure.roughRatio : Figure.ratio) ?? "",
        ]
        return first + further.map { figure in cell[figure].map { figure.text($0.median) } ?? "" }
    }

    /// Which repetitions do not count.
    private static func remark(_ cell: ResultSummary.Cell) -> String {
        cell.leftOut.reasons.map { $0.reason == .unsupported ? "unsupported" : "\($0.count) \($0.reason.rawValue)" }
            .joined(separator: ", ")
    }
}
