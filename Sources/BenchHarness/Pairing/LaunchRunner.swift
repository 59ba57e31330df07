import Foundation

/// Starts both sides afresh and has them take turns.
struct LaunchRunner: Sendable {
    /// A launch that is to be.
    struct Plan: Sendable {
        /// From 1.
        let number: Int
        /// What each side does; both differ in driver and folder alone.
        let jobs: [Side: RepetitionJob]
        /// The core that both sides are kept on; nil lets them use all.
        let core: Int?
        /// Whether both sides do their turns at once, if they could be put on the core.
        let isAtOnce: Bool
        /// Chooses orders, pauses and operations.
        let seed: UInt64

        /// Whether both sides say what they are, which is the same in each launch.
        var wantsManifests: Bool { number == 1 }
    }

    let request: PairedRequest
    let interruption: Interruption
    private static let clock = MonotonicClock()
    /// How long a launch goes on after its time is over, in nanoseconds: usually it ends by itself.
    private static let grace = 10e9

    /// Runs launches at the same time. What else happens on the machine is known of all of them together. A launch that
    /// goes on long after `deadline`, a time of the clock, ends after its first observation.
    func run(_ plans: [Plan], until deadline: Double) throws -> [Launch] {
        try Launch.atOnce(plans.count) { try run(plans[$0], until: deadline + Self.grace) }
    }

    private func run(_ plan: Plan, until end: Double) throws -> Launch {
        var random = SplitMix64(state: plan.seed)
        let phases = plan.jobs[.base]!.phases
        var partners: [Side: TurnPartner] = [:]
        defer { for partner in partners.values { partner.kill() } }
        for side in Side.allCases.shuffled(using: &random) {
            partners[side] = try TurnPartner(
                request, side, job: plan.jobs[side]!, core: plan.core, wantsManifest: plan.wantsManifests,
                interruption: interruption)
        }
        let turns = TurnOrder(
            partners: partners, phases: phases,
            canBeAtOnce: plan.isAtOnce && partners.values.allSatisfy(\.isPinned))
        let rehearsals = try partners.mapValues { try $0.rehearse() }
        var quadsOfPhase: [Int: [Quad]] = [:]
        var problems: [Side: [String]] = [:]
        if rehearsals.values.allSatisfy({ $0.allSatisfy { $0.row.status == .ok } }) {
            // The first turns warm up what the rehearsal, which measured more, has not.
            _ = try turns.pass([.base, .new], seed: random.next())
            for step in LaunchSchedule(quads: request.quads, using: &random).steps {
                // The inspection is left out in no case.
                if Double(Self.clock.now()) > end, !quadsOfPhase.isEmpty, !step.isInspection { continue }
                usleep(step.pause)
                if step.isInspection {
                    let seen = try turns.pass(
                        step.passes[0], seed: random.next(), verifies: true, isAtOnce: turns.canBeAtOnce)
                    problems = seen.mapValues { $0.values.flatMap(\.problems) }
                } else {
                    // The first one shows whether the phase waits.
                    let isAtOnce = turns.canBeAtOnce && !quadsOfPhase.isEmpty
                    try turns.quad(step, isAtOnce: isAtOnce, using: &random).forEach {
                        quadsOfPhase[$0, default: []].append($1)
                    }
                }
            }
        }
        for partner in partners.values { try partner.end() }
        let isPinned = partners.values.allSatisfy(\.isPinned)
        return Launch(
            number: plan.number, core: isPinned ? plan.core : nil, phases: phases, rehearsals: rehearsals,
            quads: quadsOfPhase, manifests: partners.compactMapValues(\.manifest), surroundings: Surroundings(),
            seconds: nil, problems: problems)
    }
}

/// Has two processes take turns at phases.
private struct TurnOrder {
    let partners: [Side: TurnPartner]
    let phases: Range<Int>
    /// Whether both sides may work at once: they share a core, and the phases do not wait.
    let canBeAtOnce: Bool

    /// Both sides do all phases, each of them one right after the other, or at once. `seed` chooses the operations of
    /// both.
    func pass(
        _ order: [Side], seed: UInt64, verifies: Bool = false, isAtOnce: Bool = false
    ) throws -> [Side: [Int: Turn]] {
        try TurnPartner.restore(order.map { partners[$0]! })
        var turns: [Side: [Int: Turn]] = [:]
        for phase in phases {
            for group in isAtOnce ? [order] : order.map({ [$0] }) {
                let done = try TurnPartner.turns(
                    group.map { partners[$0]! }, at: phase, seed: seed, verifies: verifies)
                for (side, turn) in zip(group, done) { turns[side, default: [:]][phase] = turn }
            }
        }
        return turns
    }

    /// Makes an observation of each phase.
    func quad(
        _ step: LaunchSchedule.Step, isAtOnce: Bool, using random: inout SplitMix64
    ) throws -> [Int: Quad] {
        let passes = try step.passes.map { try pass($0, seed: random.next(), isAtOnce: isAtOnce) }
        return Dictionary(
            uniqueKeysWithValues: phases.map { phase in
                let turns = { (side: Side) in passes.compactMap { $0[side]?[phase] } }
                return (phase, Quad(first: step.first, base: turns(.base), new: turns(.new), isAtOnce: isAtOnce))
            })
    }
}
