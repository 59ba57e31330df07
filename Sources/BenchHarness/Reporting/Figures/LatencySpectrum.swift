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

    /// The spectrum in the file beside the CSV; the CSV's percentiles where there is none; nil without either.
    init?(_ run: RecordedRun, _ phase: PhaseFigures, _ figures: DriverFigures) {
        if let points = Self.points(besides: run.url, figures.driver, phase.name) {
            (source, self.points) = (.file, points)
        } else if let points = Self.points(figures) {
            (source, self.points) = (.columns, points)
        } else {
            return nil
        }
    }

    /// Reads HdrHistogram's text format: lines of value in milliseconds, percentile as a fraction, count up to there, and
    /// 1/(1-percentile), which the last line has not; remarks begin with `#`.
    static func points(hgrm text: String) -> [Point]? {
        var points: [Point] = []
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            let fields = line.split(whereSeparator: \.isWhitespace).prefix(3).compactMap { Double($0) }
            guard fields.count == 3, fields.allSatisfy({ (0...1e15).contains($0) }), fields[1] <= 1 else { continue }
            let tail = fields[1] < 1 ? 1 / (1 - fields[1]) : max(tailOfLargest(fields[2]), points.last?.tail ?? 1)
            points.append(Point(tail: tail, nanoseconds: fields[0] * 1e6))
        }
        return points.count > 1 ? points : nil
    }

    /// Where the largest of so many values stands: at the percentile (N - 0.5)/N (Hazen, 1914), because the 100th, at which
    /// it is, would be infinitely far to the right.
    private static func tailOfLargest(_ count: Double) -> Double { 2 * count }

    /// The columns that say where the latencies lie, each with its place on the axis.
    static let columns: [(metric: ReportMetric, tail: Double)] = [
        (.latencyMin, 1), (.latencyP50, 2), (.latencyP90, 10), (.latencyP99, 100), (.latencyP999, 1_000),
    ]

    private static func points(_ figures: DriverFigures) -> [Point]? {
        guard let operations = figures.median(.operations), operations > 1 else { return nil }
        var points = columns.compactMap { column -> Point? in
            // A percentile beyond the resolution of so many operations is the largest value under another name.
            guard column.tail <= operations else { return nil }
            return figures.median(column.metric).map { Point(tail: column.tail, nanoseconds: $0) }
        }
        if let largest = figures.median(.latencyMax) {
            points.append(Point(tail: tailOfLargest(operations), nanoseconds: largest))
        }
        return points.count > 1 ? points : nil
    }

    /// `<csv name>-<driver>-<phase>.hgrm`, of which nothing may lead to another folder.
    private static func points(besides csv: URL, _ driver: String, _ phase: String) -> [Point]? {
        let name = "\(csv.deletingPathExtension().lastPathComponent)-\(driver)-\(phase).hgrm"
        guard !name.contains("/"), !name.contains("\0") else { return nil }
        let file = csv.deletingLastPathComponent().appendingPathComponent(name, isDirectory: false)
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
            let text = try? String(contentsOf: file, encoding: .utf8)
        else { return nil }
        return points(hgrm: text)
    }
}
