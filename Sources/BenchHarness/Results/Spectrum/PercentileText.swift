import Foundation

/// A histogram in the format of HdrHistogram's `outputPercentileDistribution`, which its plotter, wrk2 and many other
/// tools read.
///
/// The formats and the choice of percentiles are those of HdrHistogram 2.1 (AbstractHistogram.java,
/// PercentileIterator.java), with five ticks per halving of the distance to 100 %. Values are in milliseconds, as in
/// wrk2, with six decimals, down to the nanosecond.
struct PercentileText {
    private static let ticksPerHalfDistance = 5.0
    private static let nanosecondsPerMillisecond = 1e6

    private let histogram: LatencyHistogram

    init(_ histogram: LatencyHistogram) {
        self.histogram = histogram
    }

    /// The whole file; a histogram without values has no lines between header and footer.
    var text: String {
        let header = "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
        return header + lines.map(Self.line).joined() + footer
    }

    private struct Line {
        var value: Int
        /// The percentile, from 0 to 100.
        var percentile: Double
        var total: Int
    }

    /// A line for each percentile, with the bucket that reaches it, and one for 100 %.
    private var lines: [Line] {
        var lines: [Line] = []
        var percentile = 0.0
        var total = 0
        histogram.forEachBucket { index, count in
            total += count
            let reached = 100 * Double(total) / Double(histogram.count)
            let value = LatencyHistogram.highestValue(at: index)
            while reached >= percentile {
                lines.append(Line(value: value, percentile: percentile, total: total))
                percentile += Self.step(after: percentile)
                // The last bucket gets one line, even if it holds several percentiles.
                if total == histogram.count { break }
            }
        }
        if let last = lines.last { lines.append(Line(value: last.value, percentile: 100, total: total)) }
        return lines
    }

    private static func step(after percentile: Double) -> Double {
        let halvings = (log(100 / (100 - percentile)) / log(2)).rounded(.down)
        return 100 / (ticksPerHalfDistance * pow(2, halvings + 1))
    }

    private static func line(_ line: Line) -> String {
        let value = Double(line.value) / nanosecondsPerMillisecond
        let fraction = line.percentile / 100
        let start = String(format: "%12.6f %2.12f %10d", value, fraction, line.total)
        return line.percentile == 100 ? start + "\n" : start + String(format: " %14.2f\n", 1 / (1 - fraction))
    }

    private var footer: String {
        let (mean, deviation) = moments
        let max = histogram.max.map { LatencyHistogram.highestValue(at: LatencyHistogram.index(of: $0)) } ?? 0
        let unit = Self.nanosecondsPerMillisecond
        return String(format: "#[Mean    = %12.6f, StdDeviation   = %12.6f]\n", mean / unit, deviation / unit)
            + String(format: "#[Max     = %12.6f, Total count    = %12d]\n", Double(max) / unit, histogram.count)
            + String(
                format: "#[Buckets = %12d, SubBuckets     = %12d]\n", LatencyHistogram.bucketCount,
                LatencyHistogram.subBucketCount)
    }

    /// Mean and standard deviation of the population; each value counts as the middle of its bucket.
    private var moments: (mean: Double, deviation: Double) {
        guard histogram.count > 0 else { return (0, 0) }
        let count = Double(histogram.count)
        var sum = 0.0
        histogram.forEachBucket { index, count in sum += Self.middle(index) * Double(count) }
        let mean = sum / count
        var squares = 0.0
        histogram.forEachBucket { index, count in
            let distance = Self.middle(index) - mean
            squares += distance * distance * Double(count)
        }
        return (mean, (squares / count).squareRoot())
    }

    private static func middle(_ index: Int) -> Double {
        let lowest = LatencyHistogram.lowestValue(at: index)
        let width = LatencyHistogram.highestValue(at: index) - lowest + 1
        return Double(lowest + width / 2)
    }
}
