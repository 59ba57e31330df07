/// A format of another tool that results can be written in.
///
/// ```swift
/// let run = try RecordedRun(contentsOf: URL(fileURLWithPath: "Results/million/million.csv"))
/// try ExportFormat.openMetrics.write(run) { print($0, terminator: "") }
/// ```
public enum ExportFormat: String, Sendable, CaseIterable {
    /// What programs that use google/benchmark write for `--benchmark_format=json`: for its `compare.py`, and
    /// dashboards.
    case googleBenchmark = "google-benchmark"
    /// OpenMetrics 1.0 text, which Prometheus and its kin take in.
    case openMetrics = "openmetrics"

    /// Writes a run in this format, piece by piece: the whole is many times larger than its CSV.
    ///
    /// - Throws: A ``RunError`` when the run cannot be written so, before the first piece; and what `sink` throws.
    public func write(_ run: RecordedRun, to sink: (String) throws -> Void) throws {
        guard !run.rows.isEmpty else {
            throw RunError(.results, "\(run.name): no rows; expected results to export")
        }
        switch self {
        case .googleBenchmark: try GoogleBenchmarkExport(run).write(to: sink)
        case .openMetrics: try OpenMetricsExport(run).write(to: sink)
        }
    }

    /// A run in this format as a whole.
    func text(_ run: RecordedRun) throws -> String {
        var text = ""
        try write(run) { text += $0 }
        return text
    }
}

extension ResultRow {
    /// Whether the figures are handed on: of what failed, none is. That is more than ``isEvidence``: other formats know
    /// only success and failure, and a row that was not verified is no failure.
    var isExported: Bool { status == .ok && verified != false }
}

/// The rows that have something in common, in the order of the table: their places in it.
struct ExportGroup<Key: Hashable> {
    let key: Key
    var places: [Int]

    /// The groups of a table, in the order in which they first occur.
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
