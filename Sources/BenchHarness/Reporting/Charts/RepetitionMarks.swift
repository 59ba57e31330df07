/// A mark for every repetition of a driver in a phase; hollow for one that others disturbed.
struct RepetitionMarks {
    let phase: PhaseFigures
    let figures: DriverFigures
    let style: DriverStyle
    let metric: FigureColumn

    /// The marks. `position` tells where a figure is on the axis; across it they lie about `y`, a little up or down, so
    /// that equal ones do not hide each other.
    func node(y: Double, position: (Double) -> Double) -> HTMLNode {
        let marks = figures.counted.enumerated().compactMap { index, row in
            metric.value(row).map { mark(row, $0, position($0), y + (Double(index * 2 % 5) - 2) * 1.6) }
        }
        return .tag("g", ReportText.data(phase, figures.driver, metric, "repetition", nil), marks)
    }

    private func mark(_ row: ResultRow, _ value: Double, _ x: Double, _ y: Double) -> HTMLNode {
        style.mark(
            x, y, radius: 2.8,
            attributes: [
                "class": row.contaminated == true ? "dot hollow" : "dot", "data-repetition": String(row.repetition),
                "data-value": ReportText.raw(value),
            ], title: "repetition \(row.repetition): \(metric.text(value))")
    }
}
