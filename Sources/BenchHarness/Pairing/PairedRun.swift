import Foundation

/// Launches both sides, again and again, until every figure is decided or the budget is spent.
public final class PairedRun {
    /// What happened, for those who watch.
    public struct Progress: Sendable {
        /// What was launched: the phases and their driver.
        public let title: String
        /// How often it was launched so far.
        public let launches: Int
        /// How many phases are decided.
        public let decided: Int
        /// How many phases there are.
        public let phases: Int
        /// Seconds of the budget that are left.
        public let secondsLeft: Double
    }

    private let request: PairedRequest
    private let options: ComparisonOptions
    private let folder: URL
    private let interruption: Interruption
    private let runner: LaunchRunner
    private let cores = Cores.system.allowed
    private lazy var lanes = Lanes(.system, most: request.lanes)
    private let clock = MonotonicClock()
    private let id = ScratchFolder.tag()
    private var random: SplitMix64
    private var outcome: PairedOutcome

    /// Prepares a run whose stores lie in `folder`; `options` say what is judged.
    public init(_ request: PairedRequest, _ options: ComparisonOptions, in folder: URL, interruption: Interruption) {
        self.request = request
        self.options = options
        self.folder = folder
        self.interruption = interruption
        runner = LaunchRunner(request: request, interruption: interruption)
        random = SplitMix64(state: request.scenario.seed)
        outcome = PairedOutcome(request: request, bouts: [], options: options)
    }

    /// Runs. Blocks; not to be called on the main thread, whose queue drivers may use.
    ///
    /// - Returns: What it came to; nil when it was stopped.
    public func run(onProgress: (Progress) -> Void) throws -> PairedOutcome? {
        let deadline = Double(clock.now()) + request.budgetSeconds * 1e9
        do {
            outcome = PairedOutcome(
                request: request, bouts: try bouts(), options: options,
                coreCount: cores.isEmpty ? nil : cores.count)
            while true {
                let open = outcome.openBouts
                if open.isEmpty { break }
                for index in open {
                    let left = (deadline - Double(clock.now())) / 1e9
                    // One launch on one core there must be, or nothing was seen at all.
                    let isNeeded = outcome.launches[index].isEmpty && outcome.bouts[index].pinning == .core
                    if left <= 0, !isNeeded { return outcome }
                    for launch in try launches(index, until: deadline) { outcome.add(launch, to: index) }
                    onProgress(progress(index, secondsLeft: max(left, 0)))
                }
            }
        } catch is Interrupted {
            return nil
        }
        return outcome
    }

    private func progress(_ index: Int, secondsLeft: Double) -> Progress {
        let bout = outcome.bouts[index]
        let names = bout.phases.map(bout.name).joined(separator: ", ")
        return Progress(
            title: "\(names) of \(bout.contest.name)", launches: outcome.launches[index].count,
            decided: outcome.decidedCount, phases: outcome.phaseCount, secondsLeft: secondsLeft)
    }

    private func bouts() throws -> [Bout] {
        try request.contests.flatMap { contest in
            try request.scenario.stretches.flatMap { phases -> [Bout] in
                try request.scenario.variants(of: phases).flatMap { variant in
                    try bouts(contest, phases, request.scenario.at(variant: variant))
                }
            }
        }
    }

    private func bouts(
        _ contest: PairedRequest.Contest, _ phases: Range<Int>, _ scenario: Scenario
    ) throws -> [Bout] {
        let wanted = phases.filter { options.includes(phase: scenario.phases[$0].name) }
        guard !wanted.isEmpty else { return [] }
        let bout = try scaled(Bout(contest: contest, phases: phases, scenario: scenario, wanted: wanted))
        return [bout, cores.count == 1 ? nil : bout.onAllCores?.paced(as: scenario)].compactMap(\.self)
    }

    private func scaled(_ bout: Bout) throws -> Bout {
        var bout = bout
        let scale = TurnScale(bout.scenario, phases: bout.phases, keepsRecords: request.keepsScale)
        bout.scenario = try scale.fit { scenario in
            bout.scenario = scenario
            return try longestTurn(bout) ?? scale.target
        }
        return bout
    }

    /// CPU time of the longest phase, in nanoseconds, after a turn to warm up; nil when none can be done.
    private func longestTurn(_ bout: Bout) throws -> Double? {
        let job = job(bout, .base, "scale")
        defer { try? FileManager.default.removeItem(atPath: job.directory) }
        let partner = try TurnPartner(
            request, .base, job: job, core: cores.first, wantsManifest: false, interruption: interruption)
        defer { partner.kill() }
        guard try partner.rehearse().allSatisfy({ $0.row.status == .ok }) else { return nil }
        var longest = 0
        for seed in 0..<UInt64(2) {
            try TurnPartner.restore([partner])
            longest = try bout.phases.map { try partner.turn(at: $0, seed: seed).cpu }.max() ?? 0
        }
        try partner.end()
        return Double(longest)
    }

    private func launches(_ index: Int, until deadline: Double) throws -> [Launch] {
        let bout = outcome.bouts[index]
        let count = outcome.launches[index].count
        // Turns of what waits would wait for each other.
        let waits = outcome.waits(index)
        let plans = lanes.cores(for: bout, from: count, areApart: waits).prefix(request.launches - count)
            .enumerated()
            .map { lane, core in
                let number = count + lane + 1
                let jobs = Side.allCases.map { ($0, job(bout, $0, "\(index)-\(number)-\($0.rawValue)")) }
                return LaunchRunner.Plan(
                    number: number, jobs: Dictionary(uniqueKeysWithValues: jobs), core: core,
                    isAtOnce: !waits && bout.pinning == .core, seed: random.next())
            }
        defer {
            for job in plans.flatMap(\.jobs.values) { try? FileManager.default.removeItem(atPath: job.directory) }
        }
        return try runner.run(plans, until: deadline)
    }

    private func job(_ bout: Bout, _ side: Side, _ name: String) -> RepetitionJob {
        RepetitionJob(
            run: "\(id)-\(side.rawValue)", scenario: bout.scenario, driver: bout.contest.driver(side), repetition: 1,
            phases: bout.phases, directory: folder.appendingPathComponent(name).path, parent: getpid())
    }
}
