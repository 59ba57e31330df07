import BenchHarness

/// A format of another tool for results.
///
/// ```swift
/// let run = try RecordedRun(contentsOf: URL(fileURLWithPath: "Results/million/million.csv"))
/// try ExportFormat.openMetrics.write(run) { print($0, terminator: "") }
/// ```
public enum ExportFormat: String, Sendable, CaseIterable {
    /// The output of google/benchmark with `--benchmark_format=json`: for its `compare.py`, and for dashboards.
    case googleBenchmark = "google-benchmark"
    /// OpenMetrics 1.0 text, which Prometheus and similar systems read.
    case openMetrics = "openmetrics"

    /// Writes a run in this format, piece by piece: the whole is many times larger than its CSV.
    ///
    /// - Throws: A ``BenchHarness/RunError`` before the first piece if the format cannot hold the run; any error of
    ///   `sink`.
    public func write(_ run: RecordedRun, to sink: (String) throws -> Void) throws {
        try run.checkHasRows()
        switch self {
        case .googleBenchmark: try GoogleBenchmarkExport(run).write(to: sink)
        case .openMetrics: try OpenMetricsExport(run).write(to: sink)
        }
    }
}

extension ResultRow {
    /// Whether the row exports its figures: a failed row exports none. The rule admits more rows than ``isEvidence``:
    /// other formats know only success and failure, and a row that was not verified is no failure.
    var isExported: Bool { outcome.status == .ok && outcome.verified != false }
}

/// A group of rows with an equal key: their indices in the table, ascending.
struct ExportGroup<Key: Hashable> {
    let key: Key
    var places: [Int]

    /// Returns the groups of a table, in the order in which they first occur.
    static func groups(_ rows: [ResultRow], by key: (ResultRow) -> Key) -> [Self] {
        var groups: [Self] = []
        var found: [Key: Int] = [:]
        for (place, row) in rows.enumerated() {
            let key = key(row)
            if let group = found[key] {
                groups[group].places.append(place)
            } else {
                found[key] = groups.count
                groups.append(Self(key: key, places: [place]))
            }
        }
        return groups
    }
}
