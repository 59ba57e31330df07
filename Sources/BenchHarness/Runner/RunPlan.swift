/// Which driver runs when: the warm-ups first, then one repetition after another, and in each all drivers in an order
/// drawn from the scenario's seed, so that no driver always runs on the machine that another has warmed. Of several
/// sizes, each repetition does all in random order too, and at each of them all drivers, which are held against each
/// other, right after one another.
struct RunPlan: Sendable, Equatable {
    /// One repetition of one driver at one size.
    struct Step: Sendable, Equatable {
        var driver: String
        /// From 1; 0 is a warm-up.
        var repetition: Int
        /// The size.
        var records: Int
    }

    let steps: [Step]

    init(scenario: Scenario, drivers: [String]) {
        var random = SplitMix64(state: scenario.seed)
        let rounds = [Int](repeating: 0, count: scenario.warmups) + Array(1...max(scenario.repetitions, 1))
        steps = rounds.flatMap { round in
            scenario.allSizes.shuffled(using: &random).flatMap { size in
                drivers.shuffled(using: &random).map { Step(driver: $0, repetition: round, records: size) }
            }
        }
    }
}

extension Scenario {
    /// The phases that run in one process: where each repetition has processes of its own, those that go on from one
    /// another, so that no phase inherits memory which another has used and the allocator has kept.
    var stretches: [Range<Int>] {
        if isolation == .none { return [phases.indices] }
        let starts = phases.indices.filter { $0 == 0 || phases[$0].from != .previous }
        return zip(starts, starts.dropFirst() + [phases.count]).map { $0..<$1 }
    }
}
