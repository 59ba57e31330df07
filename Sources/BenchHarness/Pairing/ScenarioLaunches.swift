import Foundation

/// Launches of two programs that take turns at the phases of a scenario.
struct ScenarioLaunches: LaunchSource {
    private let request: PairedRequest
    private let scenario: Scenario
    private let options: ComparisonOptions
    private let folder: URL
    private let interruption: Interruption
    private let runner: LaunchRunner
    private let cores = Cores.system.allowed
    private let lanes: Lanes
    private let id: String
    private var random: SplitMix64

    /// - Parameters:
    ///   - id: The name of the run.
    ///   - folder: Takes the stores.
    init(
        _ request: PairedRequest, of scenario: Scenario, _ options: ComparisonOptions, id: String, in folder: URL,
        interruption: Interruption
    ) {
        (self.request, self.scenario, self.options) = (request, scenario, options)
        (self.id, self.folder, self.interruption) = (id, folder, interruption)
        runner = LaunchRunner(request: request, interruption: interruption)
        lanes = Lanes(.system, most: request.lanes)
        random = SplitMix64(state: scenario.seed)
    }

    func bouts(until deadline: Double) throws -> [Bout] {
        try request.contests.flatMap { contest in
            try scenario.stretches.flatMap { phases -> [Bout] in
                try scenario.variants(of: phases).flatMap { variant in
                    try bouts(contest, phases, scenario.at(variant: variant))
                }
            }
        }
    }

    private func bouts(
        _ contest: PairedRequest.Contest, _ phases: Range<Int>, _ scenario: Scenario
    ) throws -> [Bout] {
        let wanted = phases.filter { options.includes(phase: scenario.phases[$0].name) }
        guard !wanted.isEmpty else { return [] }
        var bout = Bout(contest: contest, phases: phases, scenario: scenario, wanted: wanted)
        let scale = TurnScale(scenario, phases: phases, keepsRecords: request.keepsScale)
        bout.scenario = try scale.fit { try longestTurn(bout, $0) ?? scale.target }
        return [bout, cores.count == 1 ? nil : bout.onAllCores?.paced(as: scenario)].compactMap(\.self)
    }

    /// CPU time of the longest phase of `scenario`, in nanoseconds, after a turn to warm up; nil when none can be done.
    private func longestTurn(_ bout: Bout, _ scenario: Scenario) throws -> Double? {
        let job = job(bout, scenario, .base, "scale")
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

    mutating func launches(
        of bout: Bout, at index: Int, after count: Int, waits: Bool, until deadline: Double
    ) throws -> [Launch] {
        // Turns of what waits would wait for each other.
        let cores = lanes.cores(for: bout, from: count, areApart: waits).prefix(request.launches - count)
        var plans: [LaunchRunner.Plan] = []
        for (lane, core) in cores.enumerated() {
            let number = count + lane + 1
            let jobs = Side.allCases.map { side in
                (side, job(bout, bout.scenario ?? scenario, side, "\(index)-\(number)-\(side.rawValue)"))
            }
            plans.append(
                LaunchRunner.Plan(
                    number: number, jobs: Dictionary(uniqueKeysWithValues: jobs), core: core,
                    isAtOnce: !waits && bout.pinning == .core, seed: random.next()))
        }
        defer {
            for job in plans.flatMap(\.jobs.values) { try? FileManager.default.removeItem(atPath: job.directory) }
        }
        return try runner.run(plans, until: deadline)
    }

    private func job(_ bout: Bout, _ scenario: Scenario, _ side: Side, _ name: String) -> RepetitionJob {
        RepetitionJob(
            run: "\(id)-\(side.rawValue)", scenario: scenario, driver: bout.contest.driver(side), repetition: 1,
            phases: bout.phases, directory: folder.appendingPathComponent(name).path, parent: getpid())
    }
}
