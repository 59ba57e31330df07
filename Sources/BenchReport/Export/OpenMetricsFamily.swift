import BenchHarness

/// A figure as a metric family: its name in base units, and its meaning.
struct OpenMetricsFamily {
    /// The name, such as `bench_latency_p99_seconds`.
    let name: String
    /// The unit; nil for a plain number and for a rate.
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

    /// Returns the value of a sample; nil if it is missing.
    func value(_ row: ResultRow) -> String? {
        guard let value = figure.value(row) else { return nil }
        return figure.unit == .nanoseconds ? "\(value / 1e9)" : column.text(row)
    }
}
