import Foundation

/// How the highest rate is searched for.
public struct RateSearchRequest: Sendable, Equatable {
    /// What must hold at a rate, by the kind of operation; empty leaves it to the limits of the scenario.
    public var limits: [String: LimitSpec]
    /// Seconds that each rate is tried for.
    public var trialSeconds: Double
    /// Where to start, in operations per second; nil takes the scenario's rate, or 100.
    public var startPerSecond: Double?

    /// Creates a request.
    public init(limits: [String: LimitSpec] = [:], trialSeconds: Double = 5, startPerSecond: Double? = nil) {
        self.limits = limits
        self.trialSeconds = trialSeconds
        self.startPerSecond = startPerSecond
    }
}

/// What the search came to for one driver and load.
public struct FoundRate: Sendable {
    /// The driver's name.
    public let driver: String
    /// The load's name.
    public let phase: String
    /// The highest rate that kept the limits, in operations per second; nil when none did.
    public let rate: Double?
    /// The lowest rate that did not; nil when every one did, or the search was stopped.
    public let missedRate: Double?
    /// Which limits that rate missed, in words.
    public let missedLimits: [String]
    /// Why the driver cannot do this load at all; nil when it can.
    public var unsupportedReason: String?
    /// The rows of all trials.
    public let rows: [ResultRow]
}

extension Run {
    /// Searches, for each driver and each load of the scenario, for the highest rate that keeps the limits. Every trial
    /// becomes a row of the CSV, its number standing for the repetition.
    ///
    /// Blocks; not to be called on the main thread, whose queue drivers may use.
    public func findMax(_ search: RateSearchRequest, onFound: (FoundRate) -> Void) throws -> RunOutcome {
        try recordRun { record, stores in
            for driver in request.drivers {
                for (index, phase) in request.scenario.phases.enumerated() {
                    guard case .load(let work) = phase.work, !interruption.isRequested else { continue }
                    if let reason = phase.reasonUnsupported(by: driver, entity: request.scenario.entity) {
                        onFound(FoundRate(driver: driver.name, phase: phase.name, unsupportedReason: reason))
                        continue
                    }
                    let finder = RateFinder(
                        index: index, phase: phase, work: work, search: search, driver: driver.name,
                        directory: stores.appendingPathComponent(driver.name).path)
                    onFound(try finder.find(self) { job in try perform(job, record).first })
                }
            }
        }
    }
}

extension FoundRate {
    fileprivate init(driver: String, phase: String, unsupportedReason: String) {
        self.init(
            driver: driver, phase: phase, rate: nil, missedRate: nil, missedLimits: [],
            unsupportedReason: unsupportedReason, rows: [])
    }
}

/// The search for one driver and load.
private struct RateFinder {
    let index: Int
    let phase: Phase
    let work: LoadWork
    let search: RateSearchRequest
    let driver: String
    let directory: String

    func find(_ run: Run, trial: (RepetitionJob) throws -> ResultRow?) throws -> FoundRate {
        var state = RateSearch(from: search.startPerSecond ?? work.pace.rate?.perSecond ?? 100)
        var rows: [ResultRow] = []
        var reasons: [String] = []
        while let rate = state.next, !run.interruption.isRequested {
            let job = run.job(
                scenario(run.request.scenario, rate), driver: driver, repetition: rows.count + 1,
                phases: index..<(index + 1),
                directory: directory)
            guard let row = try trial(job) else { break }
            rows.append(row)
            // A rate at which the store did wrong tells nothing of a higher one.
            guard row.isEvidence else { break }
            let missed = self.missed(row)
            if !missed.isEmpty { reasons = missed }
            state.record(isKept: missed.isEmpty)
        }
        return FoundRate(
            driver: driver, phase: phase.name, rate: state.kept, missedRate: state.missed, missedLimits: reasons,
            rows: rows)
    }

    /// Which limits a trial missed, in words. That operations queue up is a limit of its own: at a rate that the store
    /// does not keep up with, any other would be missed in the end.
    private func missed(_ row: ResultRow) -> [String] {
        var missed = row.missedLimits.map { [$0] } ?? []
        let rest = Double(row.durationNanoseconds ?? 0) / 1e9 - search.trialSeconds
        if rest > 0.05 * search.trialSeconds + 0.1 {
            let reached = Figure.count(Int(row.throughput ?? 0))
            missed.append("operations queued up: \(reached)/s were done")
        }
        return missed
    }

    private func scenario(_ scenario: Scenario, _ rate: Double) -> Scenario {
        var work = work
        let arrivals = work.pace.rate?.arrivals ?? .constant
        work.pace.rate = RateSpec(perSecond: rate, arrivals: arrivals)
        work.pace.operations = nil
        work.pace.durationSeconds = search.trialSeconds
        work.abortsEarly = false
        if !search.limits.isEmpty { work.limits = search.limits }
        var phase = phase
        phase.work = .load(work)
        phase.from = .seeded
        var scenario = scenario
        scenario.phases[index] = phase
        return scenario
    }
}
