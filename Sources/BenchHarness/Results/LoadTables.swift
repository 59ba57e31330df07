import Foundation
import Locking

/// The tables beside the CSV of a run with loads: `-series.csv` has each load's figures interval by interval,
/// `-operations.csv` has them by kind of operation. Their files are created with the first rows.
final class LoadTables: Sendable {
    private let series: LateFile
    private let operations: LateFile

    /// Prepares the tables of a run whose CSV is `output`.
    init(beside output: URL, replaces: Bool) {
        series = LateFile(Self.url("series", output), columns: SampleColumn.all.map(\.name), replaces: replaces)
        operations = LateFile(
            Self.url("operations", output), columns: OperationColumn.all.map(\.name), replaces: replaces)
    }

    /// Returns the URLs of the tables, whether or not the files exist.
    static func urls(beside output: URL) -> [URL] {
        ["series", "operations"].map { url($0, output) }
    }

    private static func url(_ name: String, _ output: URL) -> URL {
        output.besideResult("-\(name).csv")
    }

    /// Writes the figures of a load in one interval.
    func add(_ sample: LoadSample, _ row: ResultRow) throws(RunError) {
        try series.append(row, SampleColumn.all.map { $0.text(sample) })
    }

    /// Writes the figures of a load's operations.
    func add(_ report: PhaseReport) throws(RunError) {
        for kind in OperationKind.allCases {
            guard let figures = report.operations?[kind] else { continue }
            try operations.append(report.row, OperationColumn.all.map { $0.text(kind, figures) })
        }
    }
}

/// A CSV in which each line identifies its row of the results; the file is created with its first line.
private final class LateFile: Sendable {
    private let url: URL
    private let columns: [String]
    private let replaces: Bool
    private let file = Locked<CSVFile?>(nil)

    init(_ url: URL, columns: [String], replaces: Bool) {
        self.url = url
        self.columns = columns
        self.replaces = replaces
    }

    func append(_ row: ResultRow, _ fields: [String]) throws(RunError) {
        let file = try opened()
        try file.append([row.run, row.scenario, row.driver, row.phase, "\(row.repetition)"] + fields)
    }

    private func opened() throws(RunError) -> CSVFile {
        try file.withLock { file throws(RunError) in
            if let file { return file }
            let header = ["run", "scenario", "driver", "phase", "repetition"] + columns
            let made = try CSVFile(path: url.path, header: header, replace: replaces)
            file = made
            return made
        }
    }
}

extension URL {
    /// Returns the file with the same name as this CSV, except for its ending: `-series.csv`, for example.
    package func besideResult(_ end: String) -> URL {
        let name = deletingPathExtension().lastPathComponent
        return deletingLastPathComponent().appendingPathComponent(name + end)
    }
}

/// A column of `-series.csv`.
struct SampleColumn: Sendable {
    let name: String
    let text: @Sendable (LoadSample) -> String

    static let all = [
        SampleColumn(name: "time_s") { $0.seconds.csvField },
        SampleColumn(name: "interval_s") { $0.intervalSeconds.csvField },
        SampleColumn(name: "operations") { $0.operations.csvField },
        SampleColumn(name: FigureColumn.throughput.column) { $0.throughput.csvField },
        SampleColumn(name: FigureColumn.latencyP50.column) { $0.latencyP50.csvField },
        SampleColumn(name: FigureColumn.latencyP90.column) { $0.latencyP90.csvField },
        SampleColumn(name: FigureColumn.latencyP99.column) { $0.latencyP99.csvField },
        SampleColumn(name: FigureColumn.latencyMax.column) { $0.latencyMax.csvField },
        SampleColumn(name: "errors") { $0.errors.csvField },
        SampleColumn(name: "dropped") { $0.dropped.csvField },
        SampleColumn(name: "rss_bytes") { $0.residentBytes.csvField },
        SampleColumn(name: FigureColumn.heap.column) { $0.heapBytes.csvField },
        SampleColumn(name: "ledger_bytes") { $0.ledgerBytes.csvField },
        SampleColumn(name: FigureColumn.log.column) { $0.logBytes.csvField },
        SampleColumn(name: "database_bytes") { $0.databaseBytes.csvField },
    ]
}

/// A column of `-operations.csv`.
struct OperationColumn: Sendable {
    let name: String
    let text: @Sendable (OperationKind, OperationFigures) -> String

    static let all: [OperationColumn] =
        [
            OperationColumn(name: "operation") { kind, _ in kind.rawValue },
            OperationColumn(name: "operations") { $1.response.count.csvField },
            OperationColumn(name: "errors") { $1.errors.csvField },
            OperationColumn(name: "missing") { $1.missing.csvField },
        ] + times("latency") { $0.responsePercentile($1) } + times("service") { $0.service.percentile($1) }
        + [OperationColumn(name: "dropped") { $1.dropped.csvField }]

    private static func times(
        _ name: String, _ percentile: @escaping @Sendable (OperationFigures, Double) -> Int?
    ) -> [OperationColumn] {
        let percentiles: [(String, Double)] = [("p50", 50), ("p90", 90), ("p99", 99), ("p999", 99.9), ("max", 100)]
        return percentiles.map { label, percent in
            OperationColumn(name: "\(name)_\(label)_ns") { percentile($1, percent).csvField }
        }
    }
}
