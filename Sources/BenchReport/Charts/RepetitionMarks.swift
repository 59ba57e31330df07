import BenchHarness

/// A mark for every repetition of a driver in a phase; hollow if other processes disturbed the repetition.
struct RepetitionMarks {
    let phase: PhaseFigures
    let figures: DriverFigures
    let style: DriverStyle
    let metric: FigureColumn

    /// Returns the marks. `position` maps a figure to its position on the axis; across the axis, marks lie slightly
    /// above or below `y`, so that equal figures do not hide each other.
    func node(y: Double, position: (Double) -> Double) -> HTMLNode {
        let marks = figures.counted.enumerated().compactMap { index, row in
            metric.value(row).map { mark(row, $0, position($0), y + (Double(index * 2 % 5) - 2) * 1.6) }
        }
        return .tag("g", ReportText.data(phase, figures.driver, metric, "repetition", nil), marks)
    }

    private func mark(_ row: ResultRow, _ value: Double, _ x: Double, _ y: Double) -> HTMLNode {
        style.mark(
            x, y, radius: 2.6,
            attributes: [
                "class": row.contaminated == true ? "dot hollow" : "dot", "data-repetition": String(row.repetition),
                "data-value": ReportText.raw(value),
            ], title: "repetition \(row.repetition): \(metric.text(value))")
    }
}
