/// A figure that the report shows, by the column of the CSV that it comes from.
struct ReportMetric: Sendable {
    /// The column's name, which the page's data attributes carry.
    let column: String
    /// What the figure of a row is; nil when it is missing.
    let value: @Sendable (ResultRow) -> Double?
    /// The figure for a person, with its unit.
    let text: @Sendable (Double) -> String

    private init(
        _ column: String, _ path: KeyPath<ResultRow, Int?> & Sendable, _ text: @escaping @Sendable (Double) -> String
    ) {
        self.column = column
        value = { $0[keyPath: path].map(Double.init) }
        self.text = text
    }

    private init(
        _ column: String, _ path: KeyPath<ResultRow, Double?> & Sendable, _ text: @escaping @Sendable (Double) -> String
    ) {
        self.column = column
        value = { $0[keyPath: path] }
        self.text = text
    }

    static let duration = ReportMetric("duration_ns", \.durationNanoseconds, Figure.duration)
    static let peakMemory = ReportMetric("rss_peak_bytes", \.residentPeakBytes, Figure.bytes)
    static let stall = ReportMetric("queue_stall_ns", \.queueStall, Figure.duration)
    static let idleStall = ReportMetric("queue_stall_control_ns", \.queueStallControl, Figure.duration)
    static let firstProgress = ReportMetric("first_progress_ns", \.firstProgress, Figure.duration)
    static let cancel = ReportMetric("cancel_ns", \.cancel, Figure.duration)
    static let operations = ReportMetric("operations", \.operations, count)
    static let records = ReportMetric("records", \.records, count)
    static let latencyMin = ReportMetric("latency_min_ns", \.latencyMin, Figure.duration)
    static let latencyP50 = ReportMetric("latency_p50_ns", \.latencyP50, Figure.duration)
    static let latencyP90 = ReportMetric("latency_p90_ns", \.latencyP90, Figure.duration)
    static let latencyP99 = ReportMetric("latency_p99_ns", \.latencyP99, Figure.duration)
    static let latencyP999 = ReportMetric("latency_p999_ns", \.latencyP999, Figure.duration)
    static let latencyMax = ReportMetric("latency_max_ns", \.latencyMax, Figure.duration)

    static let throughput = ReportMetric("throughput_per_s", \.throughput) { Figure.rate($0) }
    static let serviceP99 = ReportMetric("service_p99_ns", \.serviceP99, Figure.duration)
    static let mergeP99 = ReportMetric("merge_p99_ns", \.mergeP99, Figure.duration)
    static let delegateP99 = ReportMetric("delegate_p99_ns", \.delegateP99, Figure.duration)
    static let retries = ReportMetric("retries", \.retries, count)
    static let errors = ReportMetric("errors", \.errors, count)

    /// The largest Int is none any more once it has been a Double.
    private static func count(_ count: Double) -> String {
        Figure.count(Int(exactly: count.rounded()) ?? .max)
    }
}
