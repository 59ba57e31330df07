import Foundation

/// The percentile spectrum in a `.hgrm` file: the durations of operations, from the fastest to the slowest.
///
/// ```swift
/// let file = PercentileSpectrum.url(beside: csv, driver: "sqlite", phase: "merge")
/// let slowest = try PercentileSpectrum(contentsOf: file).points.last?.milliseconds
/// ```
///
/// It also reads files of other programs in the format of HdrHistogram's `outputPercentileDistribution`.
public struct PercentileSpectrum: Sendable, Equatable {
    /// One line of the file.
    public struct Point: Sendable, Equatable {
        /// The percentile, from 0 to 100.
        public var percentile: Double
        /// The value of the percentile, in the file's unit, which for `bench` is milliseconds.
        public var milliseconds: Double
        /// The number of values at or below it.
        public var count: Int
    }

    /// The points, in ascending order of percentiles, values and counts.
    public let points: [Point]

    /// The number of values.
    public var count: Int { points.last?.count ?? 0 }

    /// Returns the file of one driver and phase that belongs to a CSV: `million.csv` has `million-sqlite-merge.hgrm`.
    public static func url(beside csv: URL, driver: String, phase: String) -> URL {
        csv.besideResult("-\(driver)-\(phase).hgrm")
    }

    /// Reads a file.
    ///
    /// - Throws: A ``RunError`` that names the file and the line.
    public init(contentsOf url: URL) throws {
        let file = try InputFile(url, kind: "a percentile spectrum")
        try self.init(file.contents(limit: ResultLimits.spectrumBytes), file: file.name)
    }

    init(_ contents: Data, file: String) throws(RunError) {
        var points: [Point] = []
        let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, bytes) in lines.enumerated() {
            let fields = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            guard let first = fields.first, !first.hasPrefix("#"), first != "Value" else { continue }
            guard let point = Point(fields), points.last.map({ $0.isBelow(point) }) ?? true else {
                throw RunError(
                    .results,
                    "\(file):\(index + 1): \(fields.joined(separator: " ").quoted); expected a value, a percentile from "
                        + "0 to 1 and a count, none below those of the line before")
            }
            points.append(point)
        }
        guard points.last?.percentile == 100 else {
            throw RunError(.results, "\(file): no line for all values; expected HdrHistogram's percentiles up to 1.0")
        }
        self.points = points
    }
}

extension PercentileSpectrum.Point {
    fileprivate init?(_ fields: [Substring]) {
        guard (3...4).contains(fields.count), let value = Double(fields[0]), value.isFinite, value >= 0,
            let fraction = Double(fields[1]), (0...1).contains(fraction), let count = Int(fields[2]), count > 0
        else { return nil }
        self.init(percentile: fraction * 100, milliseconds: value, count: count)
    }

    fileprivate func isBelow(_ next: Self) -> Bool {
        percentile <= next.percentile && milliseconds <= next.milliseconds && count <= next.count
    }
}
