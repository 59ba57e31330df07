import Foundation

/// The latencies of a driver's operations in a phase, by percentile.
struct LatencySpectrum: Sendable, Equatable {
    struct Point: Sendable, Equatable {
        /// 1 / (1 - percentile), which spreads the tail: 10 is the 90th percentile, 100 the 99th.
        var tail: Double
        var nanoseconds: Double
    }

    /// Where the points are from.
    enum Source: String, Sendable {
        /// HdrHistogram's text format, beside the CSV.
        case file = "hgrm"
        /// The few percentiles that the CSV has.
        case columns = "csv"
    }

    let source: Source
    /// In ascending order.
    let points: [Point]

    /// Where the largest of so many values stands: at the percentile (N - 0.5)/N (Hazen, 1914), because the 100th, at
    /// which it is, would be infinitely far to the right.
    private static func tailOfLargest(_ count: Double) -> Double { 2 * count }
}

// MARK: - From the CSV's columns

extension LatencySpectrum {
    /// The columns that say where the latencies lie, each with its place on the axis.
    private static let columns: [(metric: FigureColumn, tail: Double)] = [
        (.latencyMin, 1), (.latencyP50, 2), (.latencyP90, 10), (.latencyP99, 100), (.latencyP999, 1_000),
    ]

    /// Nil without percentiles of several operations.
    init?(columnsOf figures: DriverFigures) {
        guard let operations = figures.median(.operations), operations > 1 else { return nil }
        var points = Self.columns.compactMap { column -> Point? in
            // A percentile beyond the resolution of so many operations is the largest value under another name.
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

    /// Nil for a file with a single line, which is no curve.
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
        // What is longer than any duration would have no place on an axis.
        guard points.count > 1, points.allSatisfy({ $0.nanoseconds.isFinite }) else { return nil }
        (source, self.points) = (.file, points)
    }

    /// The spectrum in the file beside the CSV; the CSV's percentiles where there is none.
    ///
    /// - Returns: Nil for the spectrum without either, and what kept a file that is there from being read.
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

    /// Nil when there is none. The names come from the CSV, and must not lead to another folder.
    private static func file(beside csv: URL, _ driver: String, _ phase: String) -> URL? {
        guard !(driver + phase).contains(where: { $0 == "/" || $0 == "\0" }) else { return nil }
        let file = PercentileSpectrum.url(beside: csv, driver: driver, phase: phase)
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }
}
