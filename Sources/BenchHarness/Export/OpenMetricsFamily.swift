/// A figure as a family: its name in base units, and what it means.
struct OpenMetricsFamily {
    /// Such as `bench_latency_p99_seconds`.
    let name: String
    /// Nil where it is a plain number, or a rate.
    let unit: String?
    private let figure: FigureColumn
    private let column: ResultColumn

    init(_ column: ResultColumn, _ figure: FigureColumn) {
        (self.column, self.figure) = (column, figure)
        switch figure.unit {
        case .nanoseconds: (name, unit) = ("bench_\(figure.name)_seconds", "seconds")
        case .bytes: (name, unit) = ("bench_\(figure.name)_bytes", "bytes")
        case .perSecond: (name, unit) = ("bench_\(figure.name)_per_second", nil)
        case .count: (name, unit) = ("bench_\(figure.name)", nil)
        }
    }

    /// The lines before the samples.
    var metadata: String {
        "# TYPE \(name) gauge\n" + (unit.map { "# UNIT \(name) \($0)\n" } ?? "") + "# HELP \(name) \(figure.help)\n"
    }

    /// The value of a sample; nil when it is missing.
    func value(_ row: ResultRow) -> String? {
        guard let value = figure.value(row) else { return nil }
        return figure.unit == .nanoseconds ? "\(value / 1e9)" : column.text(row)
    }
}
