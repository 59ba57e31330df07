/// What a launch came to: two fresh processes that took turns on one core, at phases that go on from one another.
package struct Launch: Sendable {
    /// From 1.
    let number: Int
    /// The core that both were kept on; nil when they ran on all.
    let core: Int?
    /// The phases, by their indices.
    let phases: Range<Int>
    /// What each side's rehearsal reported, phase by phase.
    let rehearsals: [Side: [PhaseReport]]
    /// The observations of each phase, by its index.
    let quads: [Int: [Quad]]
    /// What is known of each side's program and of the machine, if the launch asked for it.
    let manifests: [Side: Manifest]
    /// What else happened on the machine.
    var surroundings: Surroundings
    /// What it took of the run's time; nil if that is not recorded.
    var seconds: Double?
    /// What was wrong with turns that were looked at, by their side.
    let problems: [Side: [String]]

    /// Why there were no turns, in words: they go through all phases, of which one side cannot do one. Nil if there
    /// were some, or if a phase failed, of which its row tells.
    var obstacle: String? {
        guard quads.isEmpty else { return nil }
        let unsupported = rehearsals.values.joined().map(\.row).first { $0.status == .unsupported }
        return unsupported.map {
            "\($0.driver) cannot do \($0.phase), and turns go through all phases that go on from one another"
        }
    }

    /// Whether no turn that was looked at had a wrong result.
    var isRight: Bool { problems.values.allSatisfy(\.isEmpty) }

    /// The observations of a phase that show a figure: durations are those of turns one after the other, and CPU times
    /// those of turns at once, if there are any.
    func quads(ofPhase index: Int, showing figure: PairedFigure) -> [Quad] {
        let all = quads[index] ?? []
        let atOnce = figure.isByClock ? [] : all.filter(\.isAtOnce)
        return atOnce.isEmpty ? all.filter { !$0.isAtOnce } : atOnce
    }

    /// The turns of both sides that show a figure.
    func turns(ofPhase index: Int, showing figure: PairedFigure) -> [Turn] {
        quads(ofPhase: index, showing: figure).flatMap { $0.base + $0.new }
    }

    /// The median time of a side's turns at a phase, in nanoseconds; nil without observations.
    func median(of side: Side, ofPhase index: Int, _ figure: PairedFigure) -> Int? {
        let turns = quads(ofPhase: index, showing: figure).flatMap { $0.turns(of: side) }
        return SampleSummary(turns.compactMap(figure.time).map(Double.init)).map { Int($0.median) }
    }

    /// The centre of the logarithms of new over base, by Hodges and Lehmann; nil without observations.
    ///
    /// A machine that changes its speed within a pair spoils that pair alone, so the pairs of a quad count one by one.
    /// Means of two values bear with those, and take the middle between the two orders, which a median does not.
    func logRatio(ofPhase index: Int, _ figure: PairedFigure) -> Double? {
        let quads = quads(ofPhase: index, showing: figure)
        return SignedRank.pseudoMedian(ofDifferences: quads.flatMap { $0.logRatios(figure.value) })
    }
}

extension Launch {
    /// Makes launches at the same time. What else happens on the machine is known of all of them together.
    ///
    /// - Parameter make: Makes the one with a number below `count`.
    static func atOnce(_ count: Int, _ make: @escaping @Sendable (Int) throws -> Launch) throws -> [Launch] {
        let start = Surroundings.Sample.now
        let launches = try onOwnThreads(count, make)
        let end = Surroundings.Sample.now
        return launches.map { launch in
            var launch = launch
            launch.surroundings = Surroundings(from: start, to: end)
            launch.seconds = Double(end.clock - start.clock) / 1e9 / Double(count)
            return launch
        }
    }
}
