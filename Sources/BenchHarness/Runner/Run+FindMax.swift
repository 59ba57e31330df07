import Foundation

/// Settings of a search for the highest rate.
public struct RateSearchRequest: Sendable, Equatable {
    /// The limits at a rate, by the kind of operation; if empty, the limits of the scenario apply.
    public var limits: [String: LimitSpec]
    /// The length of the trial of each rate, in seconds.
    public var trialSeconds: Double
    /// The first rate, in operations per second; nil takes the scenario's rate, or 100.
    public var startPerSecond: Double?

    /// Creates a request.
    public init(limits: [String: LimitSpec] = [:], trialSeconds: Double = 5, startPerSecond: Double? = nil) {
        self.limits = limits
        self.trialSeconds = trialSeconds
        self.startPerSecond = startPerSecond
    }
}

/// The result of the search for one driver and load.
public struct FoundRate: Sendable {
    /// The driver's name.
    public let driver: String
    /// The load's name.
    public let phase: String
    /// The highest rate that kept the limits, in operations per second; nil if there is none.
    public let rate: Double?
    /// The lowest rate that missed a limit; nil if every rate kept them, or if the search was stopped.
    public let missedRate: Double?
    /// The limits that this rate missed, in words.
    public let missedLimits: [String]
    /// The reason why the driver does not support this load; nil if it does.
    public var unsupportedReason: String?
    /// The rows of all trials.
    public let rows: [ResultRow]
}

extension Run {
    /// Searches, for each driver and each load of the scenario, for the highest rate that keeps the limits. Every trial
    /// becomes a row of the CSV, with its number as the repetition.
    ///
    /// Blocks; do not call it on the main thread, whose queue drivers may use.
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
            // A rate with a wrong outcome says nothing about a higher one.
            guard row.isEvidence else { break }
            let missed = self.missed(row)
            if !missed.isEmpty { reasons = missed }
            state.record(isKept: missed.isEmpty)
        }
        return FoundRate(
            driver: driver, phase: phase.name, rate: state.kept, missedRate: state.missed, missedLimits: reasons,
            rows: rows)
    }

    /// Returns the limits that a trial missed, in words. A growing queue of operations is a limit of its own: at a rate
    /// that the store cannot sustain, any other limit would be missed eventually.
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
