import Foundation

/// Launches of two commands, which run at the same time on one core, so that what disturbs one disturbs the other.
///
/// Two programs that share a core also share its caches. They have them for milliseconds at a time, in which each fills
/// them anew at little cost: programs that live from their caches differ by as much as they do one after the other.
///
/// Commands that wait run one after the other instead, and their time by the clock is judged as well.
struct CommandLaunches: LaunchSource {
    let request: PairedRequest
    private let commands: PairedCommands
    private let folder: URL
    private let lanes: Lanes
    private let sides: [Side: CommandSide]
    let id: String
    let coreToRehearse = Cores.system.allowed.first
    private var random = SplitMix64(state: 1)
    private(set) var rehearsals: [Side: CommandSide.Rehearsal] = [:]
    private let clock = MonotonicClock()

    /// So long a turn takes at least, in nanoseconds: short commands run several times.
    private static let turn = 100_000_000
    private static let mostRuns = 100
    /// A pair of turns that takes longer than this, in nanoseconds, is a launch; of shorter ones, two are.
    private static let longPair = 4_000_000_000
    /// How many times as long as alone a run may take, beside whatever else the machine does, and at least how long.
    private static let patience = (factor: 20.0, seconds: 30.0)

    /// - Parameters:
    ///   - id: The name of the run.
    ///   - folder: Takes what the commands write.
    init(
        _ request: PairedRequest, of commands: PairedCommands, id: String, in folder: URL, interruption: Interruption
    ) {
        (self.request, self.commands, self.folder, self.id) = (request, commands, folder, id)
        lanes = Lanes(.system, most: request.lanes)
        let sides = Side.allCases.map { side in
            // Tags of one length: see there.
            let tag = "\(id)-\(side == .base ? 0 : 1)-0000"
            return (side, CommandSide(request.program(side).command, tag: tag, interruption: interruption))
        }
        self.sides = Dictionary(uniqueKeysWithValues: sides)
    }

    // MARK: - Before the launches

    mutating func bouts(until deadline: Double) throws -> [Bout] {
        let bout = Bout(contest: request.contests[0], phases: 0..<1, title: commands.name)
        // A run alone of each side, and pairs of which each takes as long as two runs.
        let share = 2 + 2 * Self.rounds(laneCount(bout))
        let seconds = (deadline - Double(clock.now())) / 1e9 / Double(share)
        for side in Side.allCases {
            // Whoever is as quick as the base on a machine that has become busy meanwhile has the time for it.
            let known = Double(rehearsals[.base]?.duration ?? 0) / 1e9
            rehearsals[side] = try rehearse(sides[side]!, within: max(seconds, 3 * known, 0.1), of: share)
            // Without the base there is nothing to compare with; that the new side fails is a verdict.
            if side == .base, let problem = rehearsals[side]?.problem {
                throw RunError(.phase, "\(request.commandTitle(side)) \(problem)")
            }
        }
        try checkBudget(bout, until: deadline)
        return [bout]
    }

    private func laneCount(_ bout: Bout) -> Int { lanes.cores(for: bout, from: 0, areApart: waits).count }

    private func rehearse(
        _ side: CommandSide, within seconds: Double, of share: Int
    ) throws -> CommandSide.Rehearsal {
        var rehearsal = try side.rehearse(on: coreToRehearse, within: seconds)
        if rehearsal.problem?.hasPrefix("did not end") == true {
            rehearsal.problem? +=
                ", and a verdict takes \(share) times as long: a larger --budget allows longer runs; a command that "
                + "waits for input gets none"
        }
        return rehearsal
    }

    /// How often all lanes have a launch before there can be a verdict.
    private static func rounds(_ lanes: Int) -> Int { (SequentialTest.fewest + lanes - 1) / lanes }

    private func checkBudget(_ bout: Bout, until deadline: Double) throws(RunError) {
        guard rehearsals.values.allSatisfy({ $0.problem == nil }) else { return }
        let needed = Double(Self.rounds(laneCount(bout)) * pairDuration * passes)
        let left = deadline - Double(clock.now())
        guard needed > left else { return }
        let seconds = Int((request.budgetSeconds + (needed * 1.5 - left) / 1e9).rounded(.up))
        throw RunError(
            .request,
            "a pair of runs takes \(Figure.duration(Double(pairDuration))), and a verdict needs "
                + "\(SequentialTest.fewest) launches: give --budget \(seconds)s or more")
    }

    /// Whether the commands wait: turns at once would wait for each other.
    var waits: Bool {
        JudgedTimes.waits(base: rehearsals[.base]?.busyShare ?? 1, new: rehearsals[.new]?.busyShare ?? 1)
    }

    /// How long a turn of both sides takes, in nanoseconds, whether at once or one after the other.
    private var pairDuration: Int { rehearsals.values.reduce(0) { $0 + $1.duration } * runs }

    /// How often a command runs in a turn.
    private var runs: Int {
        let longest = rehearsals.values.map { waits ? $0.duration : $0.cpu }.max() ?? 0
        return min(max(Self.turn / max(longest, 1), 1), Self.mostRuns)
    }

    /// How many pairs a launch has.
    private var passes: Int { pairDuration > Self.longPair ? 1 : 2 }

    // MARK: - Launches

    mutating func launches(
        of bout: Bout, at index: Int, after count: Int, waits: Bool, until deadline: Double
    ) throws -> [Launch] {
        if let problem = rehearsals[.new]?.problem { return [failed(bout, problem)] }
        let cores = lanes.cores(for: bout, from: count, areApart: self.waits).prefix(request.launches - count)
        let plans = cores.enumerated().map { lane, core in
            Plan(number: count + lane + 1, core: core, first: Bool.random(using: &random) ? .base : .new)
        }
        let launches = try Launch.atOnce(plans.count) { [self] in try launch(plans[$0], bout) }
        if let problem = launches.lazy.compactMap({ $0.problems[.base]?.first }).first {
            throw RunError(.phase, "\(request.commandTitle(.base)), in a turn: \(problem)")
        }
        return launches
    }

    /// What may be the reason of a failure in a turn.
    private static let hint = " (it succeeded alone: do runs at the same time disturb each other, by a file?)"

    private struct Plan {
        let number: Int
        let core: Int?
        let first: Side
    }

    private func launch(_ plan: Plan, _ bout: Bout) throws -> Launch {
        var turns: [Side: [CommandSide.Runs]] = [:]
        var problems: [Side: [String]] = [:]
        let isAtOnce = !waits && plan.core != nil && lanes.canPin
        for pass in 0..<passes where problems.isEmpty {
            let done = try pair(plan, first: pass == 0 ? plan.first : plan.first.other, isAtOnce: isAtOnce)
            for (side, runs) in done.runs {
                turns[side, default: []].append(runs)
                problems[side] = runs.problem.map { [$0 + Self.hint] }
            }
            if problems.isEmpty, let difference = done.difference { problems[.new] = [difference.text] }
        }
        let quad = Quad(
            first: plan.first, base: (turns[.base] ?? []).map(\.turn), new: (turns[.new] ?? []).map(\.turn),
            isAtOnce: isAtOnce)
        let isPinned = turns.values.joined().allSatisfy(\.isPinned)
        return Launch(
            number: plan.number, core: isPinned ? plan.core : nil, phases: bout.phases,
            rehearsals: reports(bout, turns), quads: [0: [quad]],
            manifests: plan.number == 1 ? manifests(bout) : [:], surroundings: Surroundings(), seconds: nil,
            problems: problems)
    }

    private struct Pair {
        var runs: [Side: CommandSide.Runs]
        var difference: OutputDifference?
    }

    /// Both sides do a turn.
    private func pair(_ plan: Plan, first: Side, isAtOnce: Bool) throws -> Pair {
        let order = [first, first.other]
        let outputs = Dictionary(
            uniqueKeysWithValues: order.map {
                ($0, folder.appendingPathComponent("\(plan.number)-\($0.rawValue)-output"))
            })
        defer { for file in outputs.values { try? FileManager.default.removeItem(at: file) } }
        let budget = request.budgetSeconds
        let run = { @Sendable [rehearsals, sides, runs, commands] (place: Int) in
            let side = order[place]
            let duration = Double(rehearsals[side]?.duration ?? 0) / 1e9
            return try sides[side]!.marked(plan.number).run(
                runs, on: plan.core, to: commands.comparesOutput ? outputs[side] : nil,
                within: max(Self.patience.factor * duration, min(Self.patience.seconds, max(budget / 4, 2))))
        }
        let done = try isAtOnce ? onOwnThreads(2, run) : (0..<2).map(run)
        var pair = Pair(runs: Dictionary(uniqueKeysWithValues: zip(order, done)))
        if commands.comparesOutput {
            pair.difference = try OutputDifference.find(base: outputs[.base]!, new: outputs[.new]!)
        }
        return pair
    }
}
