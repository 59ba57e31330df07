import Foundation

/// What two sides that took turns came to.
public struct PairedOutcome: Sendable {
    let request: PairedRequest
    let bouts: [Bout]
    /// The launches of each bout.
    private(set) var launches: [[Launch]]
    let evidence: PairedEvidence.Rules
    /// What else a reader of the verdicts needs to know of what took turns.
    var facts: [String] = []
    /// The number of cores that the sides may use; nil if it is unknown.
    let coreCount: Int?
    /// How many launches a bout has at least: what rehearsals record is judged by those alone.
    private let leastLaunches: Int
    /// The thresholds that were asked for, which later comparisons of the files take over.
    private let thresholds: [String: Double]

    init(request: PairedRequest, bouts: [Bout], options: ComparisonOptions, coreCount: Int? = nil) {
        self.coreCount = coreCount
        self.request = request
        self.bouts = bouts
        launches = bouts.map { _ in [] }
        thresholds = options.thresholds
        evidence = PairedEvidence.Rules(
            test: SequentialTest(
                launches: request.launches, figures: bouts.reduce(0) { $0 + $1.figureCount },
                alpha: options.alphaForTurns),
            thresholds: ComparisonThresholds(
                overrides: options.thresholds, scenario: request.scenario, defaults: PairedFigure.thresholds),
            accepted: options.accepted)
        let named = options.moreMetrics.count {
            name in
            !PairedFigure.all.contains { $0.metric == name } && Metric.named(name)?.isExact == false
        }
        let phases = bouts.filter { $0.pinning == .core }.reduce(0) { $0 + $1.judgedPhases.count }
        leastLaunches =
            named == 0
            ? 0 : SignedRank.countNeeded(tests: named * phases, alpha: options.alphaForTurns) ?? request.launches
    }

    mutating func add(_ launch: Launch, to index: Int) { launches[index].append(launch) }

    /// All figures of all phases, launch by launch.
    var figures: PairedEvidence {
        var evidence = PairedEvidence(rules: evidence)
        for (bout, launches) in zip(bouts, launches) { evidence.add(bout, launches) }
        evidence.noteUnlaunched(keysWithoutLaunch)
        return evidence
    }

    /// The phases on all cores that were never launched. Their bouts come last, when the time may be over.
    private var keysWithoutLaunch: [ComparisonKey] {
        zip(bouts, launches).filter { $0.0.pinning == .all && $0.1.isEmpty }.flatMap { bout, _ in
            bout.judgedPhases.map(bout.key)
        }
    }

    /// The bouts that another launch may decide. Those on all cores come when all others are decided.
    var openBouts: [Int] {
        let figures = figures
        let open = bouts.indices.filter { index in
            let last = launches[index].last
            return launches[index].count < request.launches && last?.isWorthRepeating != false
                && (bouts[index].judgedPhases.contains { !isSettled($0, of: bouts[index], figures) }
                    || (bouts[index].pinning == .core && launches[index].count < leastLaunches))
        }
        let pinned = open.filter { bouts[$0].pinning == .core }
        return pinned.isEmpty ? open : pinned
    }

    /// Whether a bout waits for storage or for others: launches at the same time would then wait for each other.
    func waits(_ index: Int) -> Bool {
        let quiet = launches[index].filter { $0.surroundings.disturbance == nil }
        return bouts[index].judgedPhases.contains { PairedEvidence.waits($0, quiet) }
    }

    var phaseCount: Int { bouts.reduce(0) { $0 + $1.judgedPhases.count } }

    var decidedCount: Int {
        let figures = figures
        return bouts.reduce(0) { sum, bout in
            sum + bout.judgedPhases.count { isSettled($0, of: bout, figures) }
        }
    }

    /// Whether a phase needs no launch of its own any more: it has a verdict, or what it does on all cores cannot
    /// change the one that it has.
    private func isSettled(_ phase: Int, of bout: Bout, _ figures: PairedEvidence) -> Bool {
        let key = bout.key(phase)
        return figures.isDecided(key) || bout.pinning == .all && figures.hasRegressed(key.onOneCore)
    }

    /// The launches of one side as a run: each of them a repetition, whose times are the medians of its turns, and in
    /// which all else is what its rehearsal recorded.
    public func run(of side: Side) -> RecordedRun {
        let rows = zip(bouts, launches).flatMap { bout, launches in
            launches.flatMap { launch in launch.rows(of: side, in: bout) }
        }
        var manifest = launches.joined().lazy.compactMap { $0.manifests[side] }.first
        // The working directory, whose commit a manifest has, is that of the program to judge.
        if side == .base, request.base.command != request.new.command { manifest?.git = nil }
        // A launch is kept on one core; the run has all that are allowed.
        manifest?.host.allowedCores = coreCount
        manifest?.status = rows.contains { $0.status == .failed } ? Manifest.failed : Manifest.ok
        manifest?.ended = Date()
        let test = evidence.test
        let seconds = manifest.map { Date().timeIntervalSince($0.started) }
        let count = Double(max(launches.joined().count, 1))
        manifest?.turns = Manifest.TurnFacts(
            launches: test.launches, figures: test.figures, alpha: test.alpha,
            secondsPerLaunch: seconds.map { $0 / count },
            thresholdsPercent: thresholds.isEmpty ? nil : thresholds.mapValues { $0 * 100 },
            unlaunched: keysWithoutLaunch)
        return RecordedRun(url: URL(fileURLWithPath: request.program(side).title), rows: rows, manifest: manifest)
    }
}

extension Launch {
    /// Whether the phases could be done: what failed once fails again.
    fileprivate var isWorthRepeating: Bool { !quads.isEmpty && isRight }

    fileprivate func rows(of side: Side, in bout: Bout) -> [ResultRow] {
        let judged = Set(bout.judgedPhases)
        return zip(phases, rehearsals[side] ?? []).filter { judged.contains($0.0) }.map { index, report in
            let (rehearsed, isOnCore) = (report.row, bout.pinning == .core)
            let outcome = ResultRow.Outcome(
                status: rehearsed.status, verified: rehearsed.verified, error: rehearsed.error)
            // The rehearsal on one core has recorded all else already.
            var row = isOnCore ? rehearsed : ResultRow(identity: rehearsed.identity, outcome: outcome)
            row.identity.driver = bout.contest.name
            (row.identity.phase, row.identity.repetition) = (bout.name(index), number)
            if isOnCore {
                row.usage.cpu = median(of: side, ofPhase: index, .cpu) ?? row.cpu
                row.usage.cpuServer = median(of: side, ofPhase: index, .server)
            }
            if let median = median(of: side, ofPhase: index, .duration) {
                let done = row.throughput == nil ? nil : row.records ?? row.operations
                row.work.durationNanoseconds = median
                row.work.throughput = done.map { Double($0) * 1e9 / Double(median) }
            }
            if !isOnCore {
                let response = { place in median(of: side, ofPhase: index, PairedFigure.responses[place]) }
                (row.work.latencyP50, row.work.latencyP99) = (response(0), response(1))
            }
            if let problems = problems[side], !problems.isEmpty, row.status == .ok {
                let error = "in a turn: " + problems.joined(separator: "; ")
                (row.outcome.status, row.outcome.verified, row.outcome.error) = (.failed, false, error)
            }
            return row
        }
    }
}
