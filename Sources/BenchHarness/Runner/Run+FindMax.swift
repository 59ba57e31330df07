import Foundation

/// Settings of a search for the highest rate.
public struct RateSearchRequest: Sendable, Equatable, Codable {
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

extension Run {
    /// Searches, for each load of the scenario and each driver, for the highest rate that keeps the limits. The drivers
    /// take turns trial by trial, in random order, so that none has the machine to itself in its better minutes. Every
    /// trial becomes a row of the CSV, with its number as the repetition.
    ///
    /// Shards do each trial together. Each of them judges the merged result, and so tries the same rate next.
    ///
    /// Blocks; do not call it on the main thread, whose queue drivers may use.
    public func findMax(_ search: RateSearchRequest, onFound: (FoundRate) -> Void) throws -> RunOutcome {
        try recordRun(search: search) { files, stores in
            for (index, phase) in request.scenario.phases.enumerated() where isChosen(phase) {
                guard let work = phase.work.as(LoadWork.self), !interruption.isRequested else { continue }
                var finders = request.drivers.map { driver in
                    RateFinder(
                        index: index, phase: phase, work: work, search: search, driver: driver.name,
                        directory: stores.appendingPathComponent(driver.name).path,
                        unsupportedReason: request.scenario.reasonUnsupported(at: index, by: driver))
                }
                try takeTurns(&finders) { job in
                    try merged(perform(job, files).first, of: job, files.operations)
                }
                for found in finders.map(\.found) {
                    files.add(found)
                    onFound(found)
                }
            }
        }
    }

    private func isChosen(_ phase: Phase) -> Bool { request.phases.isEmpty || request.phases.contains(phase.name) }

    private func takeTurns(_ finders: inout [RateFinder], trial: (RepetitionJob) throws -> ResultRow?) throws {
        var random = SplitMix64(state: request.scenario.seed)
        while finders.contains(where: { !$0.isOver }) {
            for position in finders.indices.shuffled(using: &random) where !finders[position].isOver {
                if interruption.isRequested { return }
                try finders[position].tryNext(self, trial: trial)
            }
        }
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
    let unsupportedReason: String?
    private var state: RateSearch
    private var trials: [RateTrial] = []
    private var isBroken = false

    init(
        index: Int, phase: Phase, work: LoadWork, search: RateSearchRequest, driver: String, directory: String,
        unsupportedReason: String?
    ) {
        self.index = index
        self.phase = phase
        self.work = work
        self.search = search
        self.driver = driver
        self.directory = directory
        self.unsupportedReason = unsupportedReason
        state = RateSearch(from: search.startPerSecond ?? work.pace.rate?.perSecond ?? 100)
    }

    /// Whether there is nothing left to try.
    var isOver: Bool { unsupportedReason != nil || isBroken || state.next == nil }

    /// Tries the next rate once.
    mutating func tryNext(_ run: Run, trial: (RepetitionJob) throws -> ResultRow?) throws {
        guard let rate = state.next else { return }
        let job = run.job(
            scenario(run.request.scenario, rate), driver: driver, repetition: trials.count + 1,
            phases: index..<(index + 1), directory: directory)
        let tried = try trial(job).map { RateTrial(row: $0, seconds: search.trialSeconds) }
        if let tried { trials.append(tried) }
        // A rate with a wrong outcome says nothing about a higher one.
        isBroken = tried?.row.isEvidence != true
        if let tried, !isBroken { state.record(isKept: tried.isKept) }
    }

    var found: FoundRate {
        FoundRate(
            driver: driver, phase: phase.name, rate: state.kept, isConfirmed: state.isConfirmed,
            missedRate: state.missed, unsupportedReason: unsupportedReason, trials: trials)
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
