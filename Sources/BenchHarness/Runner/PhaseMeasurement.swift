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

    /// The CPU time of the server's processes within the clock, in nanoseconds; nil if they are not seen.
    var server: Int? { grown(\.serverNanoseconds).map { max($0, 0) } }

    /// The bytes that the process read from storage within the clock; nil if unknown.
    var readBytes: Int? { grown(\.readBytes) }

    fileprivate var cpuOfOthers: Int? {
        guard let busy = grown(\.machineBusyNanoseconds), let user = grown(\.cpuUserNanoseconds),
            let system = grown(\.cpuSystemNanoseconds)
        else { return nil }
        return max(busy - user - system, 0)
    }

    fileprivate func grown(_ counter: KeyPath<MetricSample, Int?>) -> Int? {
        guard let before = before[keyPath: counter], let after = after[keyPath: counter] else { return nil }
        return after - before
    }
}

extension ResultRow.Asynchrony {
    init(_ measurement: PhaseMeasurement) {
        self.init(
            firstProgress: measurement.observations.firstProgress,
            queueStall: measurement.stalls.longestNanoseconds,
            queueStallControl: measurement.stalls.controlNanoseconds, cancel: measurement.observations.cancelAnswer)
    }
}

extension ResultRow.Usage {
    init(_ measurement: PhaseMeasurement) {
        let (before, after, grown) = (measurement.before, measurement.after, measurement.grown)
        let peak = measurement.isPeakKnown ? after.residentPeakBytes : nil
        let growth = before.residentBytes.flatMap { before in peak.map { max($0 - before, 0) } }
        self.init(
            cpu: measurement.cpu, cpuUser: grown(\.cpuUserNanoseconds), cpuSystem: grown(\.cpuSystemNanoseconds),
            switchesVoluntary: grown(\.voluntarySwitches), switchesInvoluntary: grown(\.involuntarySwitches),
            faultsMinor: grown(\.minorFaults), faultsMajor: grown(\.majorFaults),
            instructions: measurement.instructions, allocations: measurement.allocations?.calls,
            allocatedBytes: measurement.allocations?.bytes, residentBefore: before.residentBytes,
            residentAfter: after.residentBytes, residentPeakBytes: peak, residentPeakDelta: growth,
            residentAnonymous: after.residentAnonymousBytes, residentFile: after.residentFileBytes,
            heap: after.heapBytes, readBytes: measurement.readBytes, writeBytes: grown(\.writeBytes),
            databaseBytes: measurement.files?.databaseBytes, logBytes: measurement.files?.logBytes,
            counters: measurement.counters)
    }
}

extension ResultRow.Machine {
    /// Other processes that take more than this share of one core disturb a measurement, however many cores there are:
    /// the caches, the memory and the power of the machine are shared.
    private static let contaminatingShare = 0.2
    /// Clock ticks are 10 ms: over fewer than ten of them, shares of the CPU mean nothing.
    private static let shortestJudged = 100_000_000
    /// A machine that takes more than this factor of the fastest calibration is a slower one.
    private static let slower = 1.2

    /// The slower one of the calibrations around the phase counts, because the machine was as slow as that at one end
    /// of the phase at least.
    ///
    /// - Parameters:
    ///   - before: The calibration before the phase; nil if there is none.
    ///   - fastest: The fastest calibration of earlier rows of the run; nil if there is none.
    ///   - hasServer: Whether the server of the store may be one of the other processes of the machine.
    init(_ measurement: PhaseMeasurement?, calibrated before: Int?, fastest: Int?, hasServer: Bool) {
        loadAverage = measurement?.before.loadAverage
        cpuPressure = measurement?.grown(\.cpuPressureNanoseconds)
        otherCPU = measurement?.cpuOfOthers
        if let measurement, let otherCPU, !hasServer, measurement.duration >= Self.shortestJudged {
            contaminated = Double(otherCPU) > Self.contaminatingShare * Double(measurement.duration)
        }
        let own = [before, measurement?.calibration].compactMap(\.self)
        guard let slowest = own.max(), let best = (own + [fastest].compactMap(\.self)).min() else { return }
        calibration = slowest
        if Double(slowest) > Self.slower * Double(best) { contaminated = true }
    }
}
