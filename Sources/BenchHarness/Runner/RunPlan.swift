/// The order of a run: the warm-ups first, then one repetition after another. Each repetition runs all drivers in an
/// order drawn from the scenario's seed, so that no driver always runs on a machine that another has warmed up. With
/// several sizes, each repetition runs all sizes in random order too. At each size, all drivers run right after one
/// another, since the results compare them.
struct RunPlan: Sendable, Equatable {
    /// One repetition of one driver at one size.
    struct Step: Sendable, Equatable {
        var driver: String
        /// The number of the repetition, from 1; 0 is a warm-up.
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
    /// The ranges of phases that run in one process. If each repetition has its own processes, a range is a chain of
    /// phases that continue from one another. Thus no phase inherits memory that another has used and that the
    /// allocator has kept.
    var stretches: [Range<Int>] {
        if isolation == .none { return [phases.indices] }
        let starts = phases.indices.filter { $0 == 0 || phases[$0].from != .previous }
        return zip(starts, starts.dropFirst() + [phases.count]).map { $0..<$1 }
    }
}
