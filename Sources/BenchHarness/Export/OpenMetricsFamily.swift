/// a column as a family: its name in base units, and what it means.
struct OpenMetricsFamily {
    /// Such as `bench_latency_p99_seconds`.
    let name: String
    /// Nil where it is a plain number, or a rate.
    let unit: String?
    private let help: String
    private let column: ResultColumn

    init(_ column: ResultColumn) {
        self.column = column
        help = Self.helps[column.name] ?? ""
        if let stem = column.name.dropping(suffix: "_ns") {
            (name, unit) = ("bench_\(stem)_seconds", "seconds")
        } else if let stem = column.name.dropping(suffix: "_per_s") {
            (name, unit) = ("bench_\(stem)_per_second", nil)
        } else {
            (name, unit) = ("bench_\(column.name)", column.name.hasSuffix("_bytes") ? "bytes" : nil)
        }
    }

    /// The lines before the samples.
    var metadata: String {
        "# TYPE \(name) gauge\n" + (unit.map { "# UNIT \(name) \($0)\n" } ?? "") + "# HELP \(name) \(help)\n"
    }

    /// The value of a sample; nil when it is missing.
    func value(_ row: ResultRow) -> String? {
        guard let value = column.number?(row) else { return nil }
        return unit == "seconds" ? "\(value / 1e9)" : column.text(row)
    }

    /// What each figure is, by the column's name.
    static let helps = [
        "records": "Records that the phase worked on.",
        "operations": "Operations, such as saves, that the phase consisted of.",
        "duration_ns": "How long the phase took.",
        "throughput_per_s": "Records for each second.",
        "latency_min_ns": "The quickest operation.",
        "latency_p50_ns": "The median of operations.",
        "latency_p90_ns": "What 90 % of operations did not exceed.",
        "latency_p99_ns": "What 99 % of operations did not exceed.",
        "latency_p999_ns": "What 99.9 % of operations did not exceed.",
        "latency_max_ns": "The slowest operation.",
        "first_progress_ns": "From the start to the first progress.",
        "queue_stall_ns": "The longest time that the context's queue stood still.",
        "queue_stall_control_ns": "The longest time that an idle queue stood still meanwhile.",
        "cancel_ns": "From the cancellation to the completion block.",
        "cpu_user_ns": "CPU time of the process outside the kernel.",
        "cpu_system_ns": "CPU time of the process in the kernel.",
        "switches_voluntary": "Context switches because the process waited.",
        "switches_involuntary": "Context switches because others wanted the CPU.",
        "faults_minor": "Page faults answered from memory.",
        "faults_major": "Page faults answered from storage.",
        "rss_before_bytes": "Resident memory before the phase.",
        "rss_after_bytes": "Resident memory after the phase.",
        "rss_peak_bytes": "The most resident memory during the phase.",
        "rss_peak_delta_bytes": "The peak of resident memory above that before the phase.",
        "rss_anon_bytes": "Resident memory after the phase that no file backs.",
        "rss_file_bytes": "Resident memory after the phase that files back.",
        "heap_bytes": "Heap in use after the phase.",
        "read_bytes": "Bytes read from storage.",
        "write_bytes": "Bytes written to storage.",
        "fsyncs": "Times that files were forced to storage.",
        "service_p50_ns": "Median time of a load's operations, from when they could begin.",
        "service_p99_ns": "99th percentile of the time of a load's operations, from when they could begin.",
        "service_max_ns": "Longest time of a load's operations, from when they could begin.",
        "errors": "Operations of a load that failed.",
        "missing": "Operations of a load about a record that was not there.",
        "retries": "Times that operations of a load were tried again.",
        "rate_per_s": "Operations per second that were meant to begin.",
        "late": "Operations that began more than a millisecond after they were meant to.",
        "dropped": "Operations that were not done because it was too late for them.",
        "schedule_lag_max_ns": "The longest that an operation began after it was meant to.",
        "merge_p50_ns": "Median time from a save until the main context had merged it.",
        "merge_p99_ns": "99th percentile of the time from a save until the main context had merged it.",
        "merge_max_ns": "Longest time from a save until the main context had merged it.",
        "delegate_p50_ns": "Median time from a save until the last callback of the controller's delegate returned.",
        "delegate_p99_ns": "99th percentile of the time from a save until the delegate's last callback returned.",
        "delegate_max_ns": "Longest time from a save until the last callback of the controller's delegate returned.",
        "store_memory_peak_bytes": "The most memory that the store library had allocated.",
        "database_bytes": "Size of the database after the phase.",
        "wal_bytes": "Size of the write-ahead log after the phase.",
        "statements": "SQL statements run.",
        "vm_steps": "Steps of the virtual machine of SQLite.",
        "rows": "Rows read or written by statements.",
        "pages_written": "Database pages written.",
        "conflicts": "Saves refused because somebody else had changed a record.",
        "load_average_1m": "Load of the machine before the phase, averaged over a minute.",
        "cpu_pressure_ns": "Time in which something on the machine waited for the CPU.",
        "cpu_other_ns": "CPU time that other processes took meanwhile.",
    ]
}

extension String {
    /// What stands before a suffix; nil when it is not there.
    fileprivate func dropping(suffix: String) -> Substring? {
        hasSuffix(suffix) ? dropLast(suffix.count) : nil
    }
}
