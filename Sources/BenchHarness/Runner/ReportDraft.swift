/// What a phase came to so far. One that fails keeps what was measured until then.
struct ReportDraft {
    var outcome = ResultRow.Outcome()
    var outsideClock = ResultRow.OutsideClock()
    var load = ResultRow.Load()
    /// The figures of a load, by the kind of operation.
    var operations: [OperationKind: OperationFigures]?
    /// What was measured around the work; nil before it ended.
    private(set) var measurement: PhaseMeasurement?
    /// The number of operations.
    private(set) var count: Int?
    private var records: Int?
    /// The number of operations without a time, which are slower than all others.
    private var unanswered = 0

    /// Notes what was measured around the work.
    ///
    /// - Parameters:
    ///   - records: The number of records that it worked on; nil for a load, which counts operations instead.
    ///   - leastCount: The number of operations of work without times.
    mutating func note(_ measurement: PhaseMeasurement, records: Int?, unanswered: Int = 0, leastCount: Int = 1) {
        (self.measurement, self.records, self.unanswered) = (measurement, records, unanswered)
        count = max(measurement.observations.latencies.count, leastCount)
    }

    /// Adds the time that it takes to release something.
    mutating func addRelease(_ nanoseconds: Int) {
        outsideClock.release = (outsideClock.release ?? 0) + nanoseconds
    }

    /// Makes the report, with the row of all parts.
    func report(_ identity: ResultRow.Identity, _ machine: ResultRow.Machine) -> PhaseReport {
        let row = ResultRow(
            identity: identity, outcome: outcome, work: work, outsideClock: outsideClock,
            asynchrony: measurement.map(ResultRow.Asynchrony.init) ?? ResultRow.Asynchrony(),
            usage: measurement.map(ResultRow.Usage.init) ?? ResultRow.Usage(), machine: machine, load: load)
        guard outcome.status != .failed, let latencies = measurement?.observations.latencies else {
            return PhaseReport(row: row)
        }
        return PhaseReport(row: row, latencies: latencies.count > 1 ? latencies : nil, operations: operations)
    }

    /// The percentiles of the response times that turns are compared by.
    var responses: Turn.Responses {
        let work = work
        return Turn.Responses(p50: work.latencyP50, p99: work.latencyP99)
    }

    private var work: ResultRow.Work {
        guard let measurement else { return ResultRow.Work() }
        let (latencies, duration) = (measurement.observations.latencies, measurement.duration)
        // Operations that are counted alone have a rate, too.
        let done = records ?? latencies.count
        return ResultRow.Work(
            records: records, operations: count, duration: duration,
            throughput: done > 0 && duration > 0 ? Double(done) * 1e9 / Double(duration) : nil,
            latencies, unanswered: unanswered)
    }
}

extension ResultRow.Work {
    /// - Parameter unanswered: The number of operations without a time, which are slower than all others.
    init(
        records: Int? = nil, operations: Int? = nil, duration: Int? = nil, throughput: Double?,
        _ latencies: LatencyHistogram, unanswered: Int
    ) {
        let percentile = { latencies.percentile($0, unbounded: unanswered) }
        self.init(
            records: records, operations: operations, durationNanoseconds: duration, throughput: throughput,
            latencyMin: latencies.min, latencyP50: percentile(50), latencyP90: percentile(90),
            latencyP99: percentile(99), latencyP999: percentile(99.9), latencyMax: percentile(100))
    }
}
