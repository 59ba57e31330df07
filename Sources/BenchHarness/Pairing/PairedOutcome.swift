import Foundation

/// What two sides that took turns came to.
public struct PairedOutcome: Sendable {
    let request: PairedRequest
    let bouts: [Bout]
    /// The launches of each bout.
    private(set) var launches: [[Launch]]
    let evidence: PairedEvidence.Rules

    init(request: PairedRequest, bouts: [Bout], options: ComparisonOptions) {
        self.request = request
        self.bouts = bouts
        launches = bouts.map { _ in [] }
        evidence = PairedEvidence.Rules(
            test: SequentialTest(
                launches: request.launches, figures: bouts.reduce(0) { $0 + $1.judged.count * PairedFigure.all.count },
                alpha: options.alpha),
            thresholds: ComparisonThresholds(
                overrides: options.thresholds, scenario: request.scenario, defaults: PairedFigure.thresholds))
    }

    mutating func add(_ launch: Launch, to index: Int) { launches[index].append(launch) }

    /// All figures of all phases, launch by launch.
    var figures: PairedEvidence {
        var evidence = PairedEvidence(rules: evidence)
        for (bout, launches) in zip(bouts, launches) {
            for phase in bout.judged { evidence.add(bout.key(phase), launches.map { ($0, phase) }) }
        }
        return evidence
    }

    /// The bouts that another launch may decide.
    var openBouts: [Int] {
        let figures = figures
        return bouts.indices.filter { index in
            let last = launches[index].last
            return launches[index].count < request.launches && last?.isWorthRepeating != false
                && bouts[index].judged.contains { !figures.isDecided(bouts[index].key($0)) }
        }
    }

    var phaseCount: Int { bouts.reduce(0) { $0 + $1.judged.count } }

    var decidedCount: Int {
        let figures = figures
        return bouts.reduce(0) { sum, bout in sum + bout.judged.count { figures.isDecided(bout.key($0)) } }
    }

    /// Further facts that a reader of the verdicts needs.
    var notes: [String] {
        guard launches.joined().contains(where: { $0.core == nil }) else { return [] }
        return ["the system does not let a process be kept on one core: sides on different cores differ by more"]
    }

    /// The launches of one side as a run: each of them a repetition, whose times are the medians of its turns, and in
    /// which all else is what its rehearsal recorded.
    public func run(of side: Side) -> RecordedRun {
        let rows = zip(bouts, launches).flatMap { bout, launches in
            launches.flatMap { launch in launch.rows(of: side, in: bout) }
        }
        let manifest = launches.joined().lazy.compactMap { $0.manifests[side] }.first
        return RecordedRun(url: URL(fileURLWithPath: request.program(side).title), rows: rows, manifest: manifest)
    }
}

extension Launch {
    /// Whether the phases could be done: what failed once fails again.
    fileprivate var isWorthRepeating: Bool { !quads.isEmpty }

    fileprivate func rows(of side: Side, in bout: Bout) -> [ResultRow] {
        zip(phases, rehearsals[side] ?? []).map { index, report in
            var row = report.row
            row.driver = bout.contest.name
            row.repetition = number
            let turns = (quads[index] ?? []).flatMap { $0.turns(of: side) }
            row.cpu = SampleSummary(turns.map { Double($0.cpu) }).map { Int($0.median) } ?? row.cpu
            if let median = SampleSummary(turns.map { Double($0.duration) })?.median {
                row.durationNanoseconds = Int(median)
                if row.throughput != nil {
                    row.throughput = (row.records ?? row.operations).map { Double($0) * 1e9 / median }
                }
            }
            if let problems = problems[side], !problems.isEmpty, row.status == .ok {
                (row.status, row.verified) = (.failed, false)
                row.error = "in a turn: " + problems.joined(separator: "; ")
            }
            return row
        }
    }
}
