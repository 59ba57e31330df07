/// A column of the CSV. ``all`` is the one place that says which there are: header, writing and reading come from it.
/// Columns are only ever added at the end.
struct ResultColumn: Sendable {
    /// The name in the header, with its unit last.
    let name: String
    /// The field's text, empty when the value is missing.
    let text: @Sendable (ResultRow) -> String
    /// What a field must hold, for messages.
    let expectation: String
    /// Whether an empty field is a value, or a missing one.
    let mayBeEmpty: Bool
    /// The value of a figure, nil when it is missing; nil for names and other columns that are no figures.
    let number: (@Sendable (ResultRow) -> Double?)?
    /// Sets the value from a field; false when it is not of the column's type.
    let set: @Sendable (inout ResultRow, CSVField, inout TextPool) -> Bool

    init<Value: CSVValue>(_ name: String, _ path: WritableKeyPath<ResultRow, Value> & Sendable) {
        self.name = name
        text = { $0[keyPath: path].csvField }
        expectation = Value.expectation
        mayBeEmpty = Value.isOptional || Value.self == String.self
        number =
            switch path {
            case let path as WritableKeyPath<ResultRow, Int?> & Sendable: { $0[keyPath: path].map(Double.init) }
            case let path as WritableKeyPath<ResultRow, Double?> & Sendable: { $0[keyPath: path] }
            default: nil
            }
        set = { row, field, texts in
            guard let value = Value(csvField: field, texts: &texts) else { return false }
            row[keyPath: path] = value
            return true
        }
    }

    static let all: [ResultColumn] = identity + work + asynchrony + process + store + machine + load

    /// The columns of ``all`` that are figures: what was measured or counted.
    static let figures = all.filter { $0.number != nil }

    private static let identity = [
        ResultColumn("run", \.run), ResultColumn("scenario", \.scenario), ResultColumn("driver", \.driver),
        ResultColumn("phase", \.phase), ResultColumn("kind", \.kind), ResultColumn("mode", \.mode),
        ResultColumn("repetition", \.repetition), ResultColumn("status", \.status),
        ResultColumn("verified", \.verified), ResultColumn("error", \.error),
    ]

    private static let work = [
        ResultColumn("records", \.records), ResultColumn("operations", \.operations),
        ResultColumn("duration_ns", \.durationNanoseconds), ResultColumn("throughput_per_s", \.throughput),
        ResultColumn("latency_min_ns", \.latencyMin), ResultColumn("latency_p50_ns", \.latencyP50),
        ResultColumn("latency_p90_ns", \.latencyP90), ResultColumn("latency_p99_ns", \.latencyP99),
        ResultColumn("latency_p999_ns", \.latencyP999), ResultColumn("latency_max_ns", \.latencyMax),
    ]

    private static let asynchrony = [
        ResultColumn("first_progress_ns", \.firstProgress), ResultColumn("queue_stall_ns", \.queueStall),
        ResultColumn("queue_stall_control_ns", \.queueStallControl), ResultColumn("cancel_ns", \.cancel),
    ]

    private static let process = [
        ResultColumn("cpu_user_ns", \.cpuUser), ResultColumn("cpu_system_ns", \.cpuSystem),
        ResultColumn("switches_voluntary", \.switchesVoluntary),
        ResultColumn("switches_involuntary", \.switchesInvoluntary),
        ResultColumn("faults_minor", \.faultsMinor), ResultColumn("faults_major", \.faultsMajor),
        ResultColumn("rss_before_bytes", \.residentBefore), ResultColumn("rss_after_bytes", \.residentAfter),
        ResultColumn("rss_peak_bytes", \.residentPeakBytes), ResultColumn("rss_peak_delta_bytes", \.residentPeakDelta),
        ResultColumn("rss_anon_bytes", \.residentAnonymous), ResultColumn("rss_file_bytes", \.residentFile),
        ResultColumn("heap_bytes", \.heap), ResultColumn("read_bytes", \.readBytes),
        ResultColumn("write_bytes", \.writeBytes), ResultColumn("fsyncs", \.fsyncs),
    ]

    private static let store = [
        ResultColumn("store_memory_peak_bytes", \.counters.storeMemoryPeakBytes),
        ResultColumn("database_bytes", \.databaseBytes), ResultColumn("wal_bytes", \.logBytes),
        ResultColumn("statements", \.counters.statements), ResultColumn("vm_steps", \.counters.vmSteps),
        ResultColumn("rows", \.counters.rows), ResultColumn("pages_written", \.counters.pagesWritten),
        ResultColumn("conflicts", \.counters.conflicts),
    ]

    private static let machine = [
        ResultColumn("load_average_1m", \.loadAverage), ResultColumn("cpu_pressure_ns", \.cpuPressure),
        ResultColumn("cpu_other_ns", \.otherCPU), ResultColumn("contaminated", \.contaminated),
    ]

    private static let load = [
        ResultColumn("service_p50_ns", \.serviceP50), ResultColumn("service_p99_ns", \.serviceP99),
        ResultColumn("service_max_ns", \.serviceMax), ResultColumn("errors", \.errors),
        ResultColumn("missing", \.missing), ResultColumn("retries", \.retries),
        ResultColumn("rate_per_s", \.ratePerSecond), ResultColumn("late", \.late), ResultColumn("dropped", \.dropped),
        ResultColumn("schedule_lag_max_ns", \.scheduleLagMax), ResultColumn("merge_p50_ns", \.mergeP50),
        ResultColumn("merge_p99_ns", \.mergeP99), ResultColumn("merge_max_ns", \.mergeMax),
        ResultColumn("delegate_p50_ns", \.delegateP50), ResultColumn("delegate_p99_ns", \.delegateP99),
        ResultColumn("delegate_max_ns", \.delegateMax), ResultColumn("limits", \.limits),
        ResultColumn("drift", \.drift),
    ]
}
