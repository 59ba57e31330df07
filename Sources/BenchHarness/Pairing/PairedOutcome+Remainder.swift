extension PairedOutcome {
    /// What a run anew would take to decide the figures that this one left open.
    public struct Remainder: Sendable, Equatable {
        /// The open phases, by their names in the scenario.
        public var phases: [String]
        /// Whether the scenario has no other phases.
        public var areAll: Bool
        /// The launches of each of them.
        public var launches: Int
        /// The time that they take, in seconds.
        public var seconds: Double

        /// Creates a remainder, of nothing unless it is said of what.
        public init(phases: [String] = [], areAll: Bool = true, launches: Int = 0, seconds: Double = 0) {
            (self.phases, self.areAll, self.launches, self.seconds) = (phases, areAll, launches, seconds)
        }
    }

    /// Nil if nothing is open, or if no number of launches is known to decide what is.
    public var remainder: Remainder? {
        let figures = figures
        var remainder = Remainder()
        for (bout, own) in zip(bouts, launches) {
            let needed = bout.judgedPhases.compactMap { phase in
                figures.launchesToDecide(bout.key(phase)).map { (name: bout.phaseName(phase), launches: $0) }
            }
            guard let most = needed.map(\.launches).max() else { continue }
            let seconds = (own.isEmpty ? Array(launches.joined()) : own).compactMap(\.seconds).max() ?? 0
            remainder.phases += needed.map(\.name)
            remainder.launches = max(remainder.launches, most)
            remainder.seconds += Double(most) * seconds
        }
        remainder.phases = remainder.phases.withoutRepeats
        remainder.areAll = Set(bouts.flatMap { $0.phases.map($0.phaseName) })
            .isSubset(of: remainder.phases)
        return remainder.seconds == 0 ? nil : remainder
    }
}

extension PairedEvidence {
    /// So many usually decide a phase of which too few launches are known, or none.
    private static let launchesOfUnknown = 12

    /// Returns how many launches would decide a phase; nil if it is decided, or if no number is known.
    fileprivate func launchesToDecide(_ key: ComparisonKey) -> Int? {
        if unlaunched.contains(key) { return Self.launchesOfUnknown }
        return figures(key).filter { !$0.isDecided }.compactMap { series in
            series.logRatios.count < SequentialTest.fewest ? Self.launchesOfUnknown : series.launchesNeeded
        }.max()
    }
}
