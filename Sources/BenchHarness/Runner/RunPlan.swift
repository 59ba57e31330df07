/// The order of a run: the warm-ups first, then one repetition after another.
///
/// A machine changes its speed within seconds. So all drivers run a stretch of phases right after one another, in an
/// order drawn from the scenario's seed: the results compare them, and no driver always runs on a machine that another
/// has warmed up. With several sizes, each repetition runs all sizes in random order too; with lists of numbers, all
/// variants of a stretch run right after one another, in random order.
struct RunPlan: Sendable, Equatable {
    /// One stretch of one repetition of one driver in one variant at one size.
    struct Step: Sendable, Equatable {
        var driver: String
        /// The number of the repetition, from 1; 0 is a warm-up.
        var repetition: Int
        /// The index of the variant; 0 for a scenario without lists.
        var variant = 0
        /// The size.
        var records: Int
        /// The indices of the phases.
        var phases: Range<Int>

        /// The estimated cost of the step, for the progress: the number of records of all its phases.
        var weight: Double { Double(records) * Double(phases.count) }
    }

    /// The steps of each warm-up and repetition.
    let rounds: [[Step]]

    /// Plans the run of all phases; or of those with some names, and of what they go on from.
    init(scenario: Scenario, drivers: [String], phases names: Set<String> = []) {
        var random = SplitMix64(state: scenario.seed)
        let stretches = scenario.stretches.compactMap { stretch in
            scenario.part(of: stretch, with: names).map { (phases: $0, variants: scenario.variants(of: stretch)) }
        }
        let rounds = [Int](repeating: 0, count: scenario.warmups) + Array(1...max(scenario.repetitions, 1))
        self.rounds = rounds.map { round in
            scenario.allSizes.shuffled(using: &random).flatMap { size in
                stretches.flatMap { stretch in
                    stretch.variants.shuffled(using: &random).flatMap { variant in
                        drivers.shuffled(using: &random).map {
                            Step(
                                driver: $0, repetition: round, variant: variant, records: size, phases: stretch.phases)
                        }
                    }
                }
            }
        }
    }
}

extension Scenario {
    /// The ranges of phases that run in one process. If each repetition has its own processes, a range is a chain of
    /// phases that continue from one another. Thus no phase inherits memory that another has used and that the
    /// allocator has kept.
    package var stretches: [Range<Int>] {
        if isolation == .none { return [phases.indices] }
        let starts = phases.indices.filter { $0 == 0 || phases[$0].from != .previous }
        return zip(starts, starts.dropFirst() + [phases.count]).map { $0..<$1 }
    }

    /// Returns the part of a stretch up to its last phase with one of these names; nil if there is none. No names stand
    /// for all.
    fileprivate func part(of stretch: Range<Int>, with names: Set<String>) -> Range<Int>? {
        guard !names.isEmpty else { return stretch }
        return stretch.last { names.contains(phases[$0].name) }.map { stretch.lowerBound..<$0 + 1 }
    }
}
