import BenchHarness
import Foundation

/// The latencies of a driver's operations in a phase, by percentile.
struct LatencySpectrum: Sendable, Equatable {
    struct Point: Sendable, Equatable {
        /// 1 / (1 - percentile), which spreads the tail: 10 is the 90th percentile, 100 the 99th.
        var tail: Double
        var nanoseconds: Double
    }

    /// The source of the points.
    enum Source: String, Sendable {
        /// The file beside the CSV, in HdrHistogram's text format.
        case file = "hgrm"
        /// The few percentiles in the CSV.
        case columns = "csv"
    }

    let source: Source
    /// The points in ascending order.
    let points: [Point]

    /// Returns the position of the largest of `count` values: the percentile (N - 0.5)/N (Hazen, 1914), because its own
    /// percentile, the 100th, is infinitely far to the right.
    private static func tailOfLargest(_ count: Double) -> Double { 2 * count }
}

// MARK: - From the CSV's columns

extension LatencySpectrum {
    /// The columns with percentiles of the latency, each with its position on the axis.
    private static let columns: [(metric: FigureColumn, tail: Double)] = [
        (.latencyMin, 1), (.latencyP50, 2), (.latencyP90, 10), (.latencyP99, 100), (.latencyP999, 1_000),
    ]

    /// Creates a spectrum from the CSV; nil without percentiles of several operations.
    init?(columnsOf figures: DriverFigures) {
        guard let operations = figures.median(.operations), operations > 1 else { return nil }
        var points = Self.columns.compactMap { column -> Point? in
            // A percentile beyond the resolution of this many operations equals the largest value.
            guard column.tail <= operations else { return nil }
            return figures.median(column.metric).map { Point(tail: column.tail, nanoseconds: $0) }
        }
        if let largest = figures.median(.latencyMax) {
            points.append(Point(tail: Self.tailOfLargest(operations), nanoseconds: largest))
        }
        guard points.count > 1 else { return nil }
        (source, self.points) = (.columns, points)
    }
}

// MARK: - From the file beside the CSV

extension LatencySpectrum {
    private static let nanosecondsPerMillisecond = 1e6

    /// Creates a spectrum from a file; nil for a file with a single line, which is no curve.
    init?(_ spectrum: PercentileSpectrum) {
        var points: [Point] = []
        for point in spectrum.points {
            let isLast = point.percentile == 100
            let tail =
                isLast
                ? max(Self.tailOfLargest(Double(point.count)), points.last?.tail ?? 1)
                : 100 / (100 - point.percentile)
            points.append(Point(tail: tail, nanoseconds: point.milliseconds * Self.nanosecondsPerMillisecond))
        }
        // Leaves out a value longer than any duration, which has no position on an axis.
        guard points.count > 1, points.allSatisfy({ $0.nanoseconds.isFinite }) else { return nil }
        (source, self.points) = (.file, points)
    }

    /// Reads the spectrum from the file beside the CSV, or from the CSV's percentiles if there is none.
    ///
    /// - Returns: The spectrum, nil if there is neither; and the error if a file exists but cannot be read.
    static func read(
        _ run: RecordedRun, _ phase: PhaseFigures, _ figures: DriverFigures
    ) -> (spectrum: LatencySpectrum?, remark: String?) {
        let columns = LatencySpectrum(columnsOf: figures)
        guard let file = file(beside: run.url, figures.driver, phase.name) else { return (columns, nil) }
        do {
            return (LatencySpectrum(try PercentileSpectrum(contentsOf: file)) ?? columns, nil)
        } catch {
            return (columns, "\(error)")
        }
    }

    /// Returns the file; nil if there is none. The names come from the CSV and must not lead to another folder.
    private static func file(beside csv: URL, _ driver: String, _ phase: String) -> URL? {
        guard !(driver + phase).contains(where: { $0 == "/" || $0 == "\0" }) else { return nil }
        let file = PercentileSpectrum.url(beside: csv, driver: driver, phase: phase)
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }
}
