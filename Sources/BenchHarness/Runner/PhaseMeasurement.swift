import Foundation

/// The measurements around a phase's work, taken before its verification.
struct PhaseMeasurement {
    var duration = 0
    var before = MetricSample()
    var after = MetricSample()
    var isPeakKnown = false
    var stalls = QueueStalls()
    /// The calibration after the work, in nanoseconds.
    var calibration: Int?
    /// The instructions within the clock, outside the kernel; nil if nothing counts them.
    var instructions: Int?
    /// The allocations within the clock; nil if nothing counts them.
    var allocations: AllocationCount?
    var observations = PhaseObservations()
    var counters = StoreCounters()
    var files: StoreFiles?
    /// Whether to note where the logs of the store stand.
    var followsLogs = false
    /// The logs of the store before and after the work; nil if nothing noted them.
    private(set) var logs: LogSpan?

    /// Other processes that take more than this share of one core disturb a measurement, however many cores there are:
    /// the caches, the memory and the power of the machine are shared.
    private static let contaminatingShare = 0.2
    /// Clock ticks are 10 ms: over fewer than ten of them, shares of the CPU mean nothing.
    private static let shortestJudged = 100_000_000

    /// Measures `body`; the clock runs for it and nothing else.
    ///
    /// - Parameters:
    ///   - session: The session whose counters count; nil if `body` opens it.
    ///   - body: The work. It receives the watch, and may end it early.
    mutating func measure<Outcome>(
        _ session: (any StoreSession)?, queue: DispatchQueue, in directory: URL, with instruments: Instruments,
        beginning: (() throws -> Int)? = nil, _ body: (any StallWatch) throws -> Outcome
    ) throws -> Outcome {
        let logsBefore = followsLogs ? LogPositions(in: directory) : nil
        session?.resetCounters()
        isPeakKnown = instruments.probe.prepare()
        let counter = instruments.counter?()
        before = instruments.probe.sample()
        let watch = instruments.stalls.watch(queue)
        let allocated = instruments.allocations?()
        counter?.start()
        let begin = Result { try beginning?() ?? instruments.clock.now() }
        let start = (try? begin.get()) ?? instruments.clock.now()
        let outcome = Result {
            _ = try begin.get()
            return try body(watch)
        }
        duration = instruments.clock.now() - start
        instructions = counter?.stop()
        if let allocated { allocations = instruments.allocations?().map { $0 - allocated } }
        watch.end()
        after = instruments.probe.sample()
        // Before the session is asked for anything: it could save then.
        logs = logsBefore.map { LogSpan(directory: directory, before: $0, after: LogPositions(in: directory)) }
        stalls = watch.stop()
        calibration = instruments.calibrate?()
        let value = try outcome.get()
        if let session { counters = try session.counters() }
        files = StoreFiles(in: directory)
        return value
    }

    /// The CPU time of the process within the clock, in nanoseconds; nil if unknown.
    var cpu: Int? { grown(\.cpuNanoseconds) }

    /// The bytes that the process read from storage within the clock; nil if unknown.
    var readBytes: Int? { grown(\.readBytes) }

    /// Writes the times into `row`, and nothing else.
    func fill(_ row: inout ResultRow) {
        row.durationNanoseconds = duration
        row.cpu = cpu
        row.operations = max(observations.latencies.count, 1)
    }

    /// Writes the figures into `row`.
    ///
    /// - Parameters:
    ///   - records: The number of records of the phase; nil for a load, which counts operations instead.
    ///   - done: The count for throughput.
    func fill(_ row: inout ResultRow, records: Int?, done: Int?) {
        fill(&row)
        row.records = records
        if let done, done > 0, duration > 0 { row.throughput = Double(done) * 1e9 / Double(duration) }
        fillLatencies(&row)
        fillUsage(&row)
        fillMemory(&row)
        row.counters = counters
        row.databaseBytes = files?.databaseBytes
        row.logBytes = files?.logBytes
        fillMachine(&row)
        row.calibration = calibration
    }

    private func fillLatencies(_ row: inout ResultRow) {
        let latencies = observations.latencies
        row.latencyMin = latencies.min
        row.latencyP50 = latencies.percentile(50)
        row.latencyP90 = latencies.percentile(90)
        row.latencyP99 = latencies.percentile(99)
        row.latencyP999 = latencies.percentile(99.9)
        row.latencyMax = latencies.max
        row.firstProgress = observations.firstProgress
        row.queueStall = stalls.longestNanoseconds
        row.queueStallControl = stalls.controlNanoseconds
        row.cancel = observations.cancelAnswer
    }

    private func fillUsage(_ row: inout ResultRow) {
        row.cpuUser = grown(\.cpuUserNanoseconds)
        row.cpuSystem = grown(\.cpuSystemNanoseconds)
        row.switchesVoluntary = grown(\.voluntarySwitches)
        row.switchesInvoluntary = grown(\.involuntarySwitches)
        row.faultsMinor = grown(\.minorFaults)
        row.faultsMajor = grown(\.majorFaults)
        row.instructions = instructions
        row.allocations = allocations?.calls
        row.allocatedBytes = allocations?.bytes
        row.readBytes = readBytes
        row.writeBytes = grown(\.writeBytes)
    }

    private func fillMemory(_ row: inout ResultRow) {
        row.residentBefore = before.residentBytes
        row.residentAfter = after.residentBytes
        row.residentAnonymous = after.residentAnonymousBytes
        row.residentFile = after.residentFileBytes
        row.heap = after.heapBytes
        guard isPeakKnown, let peak = after.residentPeakBytes else { return }
        row.residentPeakBytes = peak
        row.residentPeakDelta = before.residentBytes.map { max(peak - $0, 0) }
    }

    private func fillMachine(_ row: inout ResultRow) {
        row.loadAverage = before.loadAverage
        row.cpuPressure = grown(\.cpuPressureNanoseconds)
        guard let busy = grown(\.machineBusyNanoseconds), let user = row.cpuUser, let system = row.cpuSystem else {
            return
        }
        let other = max(busy - user - system, 0)
        row.otherCPU = other
        guard duration >= Self.shortestJudged else { return }
        row.contaminated = Double(other) > Self.contaminatingShare * Double(duration)
    }

    private func grown(_ counter: KeyPath<MetricSample, Int?>) -> Int? {
        guard let before = before[keyPath: counter], let after = after[keyPath: counter] else { return nil }
        return after - before
    }
}
