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

    /// So many usually decide a phase on all cores, for which no time was left.
    private static let launchesOfUnlaunched = 12

    /// Nil if nothing is open, or if no number of launches is known to decide what is.
    public var remainder: Remainder? {
        let figures = figures
        var remainder = Remainder()
        for bout in bouts {
            var (most, seconds) = (0, 0.0)
            for phase in bout.judgedPhases {
                if figures.unlaunched.contains(bout.key(phase)) {
                    most = max(most, Self.launchesOfUnlaunched)
                    seconds = max(seconds, launches.joined().compactMap(\.seconds).max() ?? 0)
                    remainder.phases.append(bout.scenario.phases[phase].name)
                    continue
                }
                let open = bout.figures(of: phase).compactMap { figures.series(bout.key(phase), $0.metric) }
                    .filter { !$0.isDecided && $0.isJudged }
                if open.isEmpty { continue }
                guard let needed = open.compactMap(\.launchesNeeded).max() else { continue }
                most = max(most, needed)
                seconds = max(seconds, open.compactMap(\.secondsOfLaunch).max() ?? 0)
                remainder.phases.append(bout.scenario.phases[phase].name)
            }
            remainder.launches = max(remainder.launches, most)
            remainder.seconds += Double(most) * seconds
        }
        remainder.phases = remainder.phases.withoutRepeats
        remainder.areAll = Set(bouts.flatMap { $0.scenario.phases[$0.phases].map(\.name) })
            .isSubset(of: remainder.phases)
        return remainder.phases.isEmpty || remainder.seconds == 0 ? nil : remainder
    }
}
