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
    private(set) var notes: [String] = []

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

    mutating func bouts(until deadline: Double) throws -> [Bout] {
        var all: [Bout] = []
        for contest in request.contests {
            for phases in scenario.stretches {
                for variant in scenario.variants(of: phases) {
                    all += try bouts(contest, phases, scenario.at(variant: variant))
                }
            }
        }
        let hidden = all.filter { isOnServer($0) && !$0.seesServer }.map(\.contest.name).withoutRepeats
        if !hidden.isEmpty {
            notes.append(
                "the server's CPU time is not judged: its processes are on another machine, or hidden "
                    + "(\(hidden.joined(separator: ", ")))")
        }
        return all
    }

    private func isOnServer(_ bout: Bout) -> Bool {
        !request.driversOnServers.isDisjoint(with: [bout.contest.base, bout.contest.new])
    }

    private func bouts(
        _ contest: PairedRequest.Contest, _ phases: Range<Int>, _ scenario: Scenario
    ) throws -> [Bout] {
        let wanted = phases.filter { options.includes(phase: scenario.phases[$0].name) }
        guard !wanted.isEmpty else { return [] }
        var bout = Bout(contest: contest, phases: phases, scenario: scenario, wanted: wanted)
        let scale = TurnScale(scenario, phases: phases, keepsRecords: request.keepsScale)
        var seesServer = false
        bout.scenario = try scale.fit { scenario in
            let turn = try longestTurn(bout, scenario)
            seesServer = turn?.server != nil
            return turn.map { Double($0.cpu) } ?? scale.target
        }
        bout.seesServer = seesServer
        return [bout, cores.count == 1 ? nil : bout.onAllCores?.paced(as: scenario)].compactMap(\.self)
    }

    /// The longest turn at a phase of `scenario`, after one to warm up; nil when none can be done.
    private func longestTurn(_ bout: Bout, _ scenario: Scenario) throws -> Turn? {
        let job = job(bout, scenario, .base, "scale")
        defer { try? FileManager.default.removeItem(atPath: job.directory) }
        let partner = try TurnPartner(
            request, .base, job: job, core: cores.first, wantsManifest: false, interruption: interruption)
        defer { partner.kill() }
        guard try partner.rehearse().allSatisfy({ $0.row.status == .ok }) else { return nil }
        var longest: Turn?
        for seed in 0..<UInt64(2) {
            try TurnPartner.restore([partner])
            longest = try bout.phases.map { try partner.turn(at: $0, seed: seed) }.max { $0.cpu < $1.cpu }
        }
        try partner.end()
        return longest
    }

    mutating func launches(
        of bout: Bout, at index: Int, after count: Int, waits: Bool, until deadline: Double
    ) throws -> [Launch] {
        // Turns of what waits would wait for each other, and those on one server share its processes.
        let areApart = waits || isOnServer(bout)
        let cores = lanes.cores(for: bout, from: count, areApart: areApart).prefix(request.launches - count)
        var plans: [LaunchRunner.Plan] = []
        for (lane, core) in cores.enumerated() {
            let number = count + lane + 1
            let jobs = Side.allCases.map { side in
                (side, job(bout, bout.scenario ?? scenario, side, "\(index)-\(number)-\(side.rawValue)"))
            }
            plans.append(
                LaunchRunner.Plan(
                    number: number, jobs: Dictionary(uniqueKeysWithValues: jobs), core: core,
                    isAtOnce: !areApart && bout.pinning == .core, seed: random.next()))
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
