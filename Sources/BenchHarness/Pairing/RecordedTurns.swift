import Foundation

/// Two files of results whose sides took turns: their launches pair up by number, and are the units of the statistics.
struct RecordedTurns {
    /// The file of all turns, beside those of the sides.
    static let fileName = "turns.csv"

    /// Each phase with its launches.
    private let launches: [(key: ComparisonKey, launches: [Launch])]
    private let manifest: Manifest?
    /// Whether the turns themselves are known, not only their medians.
    let hasTurns: Bool

    /// Returns nil for files of anything else: `bench ab` names the two sides of a run after the run.
    init?(base: [RecordedRun], new: [RecordedRun]) throws(RunError) {
        guard base.count == 1, new.count == 1, let run = Self.run(base[0], .base), run == Self.run(new[0], .new)
        else { return nil }
        let folder = base[0].url.deletingLastPathComponent()
        let url = folder.appendingPathComponent(Self.fileName)
        let areTogether = new[0].url.deletingLastPathComponent().standardizedFileURL == folder.standardizedFileURL
        let file =
            areTogether && FileManager.default.fileExists(atPath: url.path) ? try TurnsFile(contentsOf: url) : nil
        let medians = Self.medians(base[0], new[0])
        let turns = medians.map { key, own in
            // What a side's file lacks is missing, though it took turns.
            let turns = own.isEmpty ? nil : file?.launches[TurnsFile.Place(driver: key.driver, phase: key.phase)]
            return (key: key, launches: turns ?? [])
        }
        // Another run may have left its turns there.
        hasTurns = zip(turns, medians).allSatisfy { Self.agree($0.key, $0.launches, $1.launches) }
        let wrong = Self.wrong(base[0].rows + new[0].rows)
        launches = (hasTurns ? turns : medians).map { key, launches in
            (key, launches.filter { !wrong.contains(Place(key: key, launch: $0.number)) })
        }
        manifest = base[0].manifest
    }

    /// Judges the launches as `bench ab` does, with ``options(_:)``.
    func evidence(_ options: ComparisonOptions) -> PairedEvidence {
        let facts = manifest?.turns
        let most = max(facts?.launches ?? 0, launches.map(\.launches.count).max() ?? 0)
        let rules = PairedEvidence.Rules(
            test: SequentialTest(
                launches: most, figures: facts?.figures ?? launches.count * PairedFigure.all.count,
                alpha: options.alphaForTurns),
            thresholds: ComparisonThresholds(
                overrides: options.thresholds, scenario: manifest?.scenario, defaults: PairedFigure.thresholds),
            accepted: options.accepted)
        var evidence = PairedEvidence(rules: rules)
        for (key, launches) in launches { evidence.add(key, phase: 0, Bout.Pinning(phase: key.phase), launches) }
        evidence.noteUnlaunched(facts?.unlaunched ?? [])
        return evidence
    }

    /// Returns the settings with which `bench ab` compares.
    func options(_ options: ComparisonOptions) -> ComparisonOptions {
        var options = options
        options.pairing = .paired
        options.relation = .absolute
        let recorded = (manifest?.turns?.thresholdsPercent ?? [:]).mapValues { $0 / 100 }
        options.thresholds.merge(recorded) { given, _ in given }
        options.alpha = options.alpha ?? manifest?.turns?.alpha ?? ComparisonOptions.alphaOfTurns
        // Each driver counts in its own way.
        let isOfDrivers = launches.contains { $0.key.driver.contains(PairedRequest.Contest.arrow) }
        options.judgesCounters = options.judgesCounters && !isOfDrivers
        return options
    }

    /// What a reader needs to know.
    var notes: [String] {
        ["the sides took turns in one run of bench ab: their launches are compared pair by pair"]
            + (hasTurns ? [] : ["there is no \(Self.fileName) of this run beside them: ratios are those of medians"])
    }

    /// Returns the name of the run that a side is of; nil if its rows are not of one side.
    private static func run(_ run: RecordedRun, _ side: Side) -> Substring? {
        guard let id = run.rows.first?.run, id.hasSuffix("-\(side.rawValue)"), run.rows.allSatisfy({ $0.run == id })
        else { return nil }
        return id.dropLast(side.rawValue.count + 1)
    }

    private struct Place: Hashable {
        let key: ComparisonKey
        let launch: Int
    }

    /// Returns the launches in which a side had a wrong result: `bench ab` does not judge by them either.
    private static func wrong(_ rows: [ResultRow]) -> Set<Place> {
        Set(rows.filter { $0.status == .failed }.map { Place(key: ComparisonKey($0), launch: $0.repetition) })
    }

    /// Returns each phase of either side with the launches that both have, each as one observation of the medians of
    /// its turns.
    private static func medians(
        _ base: RecordedRun, _ new: RecordedRun
    ) -> [(key: ComparisonKey, launches: [Launch])] {
        let rows = { (run: RecordedRun, key: ComparisonKey) in run.rows.filter { ComparisonKey($0) == key } }
        return (base.rows + new.rows).map { ComparisonKey($0) }.withoutRepeats.map { key in
            let others = Dictionary(rows(new, key).map { ($0.repetition, $0) }, uniquingKeysWith: { first, _ in first })
            let launches = rows(base, key).compactMap { row -> Launch? in
                guard let own = Turn(row), let other = others[row.repetition].flatMap({ Turn($0) }) else { return nil }
                let quad = Quad(first: .base, base: [own, own], new: [other, other])
                return Launch(number: row.repetition, core: nil, quads: [quad], surroundings: Surroundings())
            }
            return (key, launches)
        }
    }

    /// Whether turns have the medians that a side's file has.
    private static func agree(_ key: ComparisonKey, _ turns: [Launch], _ medians: [Launch]) -> Bool {
        let figure = Bout.Pinning(phase: key.phase).figures(ofLoad: false)[0]
        return turns.map(\.number) == medians.map(\.number)
            && zip(turns, medians).allSatisfy { turns, medians in
                turns.median(of: .base, ofPhase: 0, figure) == medians.median(of: .base, ofPhase: 0, figure)
            }
    }
}

extension Turn {
    /// The medians of a launch.
    fileprivate init?(_ row: ResultRow) {
        // On all cores, a launch has no CPU time that is a figure.
        let isOnAllCores = Bout.Pinning(phase: row.phase) == .all
        guard let cpu = row.cpu ?? (isOnAllCores ? 0 : nil), let duration = row.durationNanoseconds ?? row.cpu else {
            return nil
        }
        self.init(
            cpu: cpu, duration: duration, server: row.cpuServer, release: 0, operations: 1,
            responses: isOnAllCores ? Responses(p50: row.latencyP50, p99: row.latencyP99) : nil)
    }
}

extension RecordedRun {
    /// Whether a file is not one of results, but of the turns that two of them sum up.
    public static func isOfTurns(_ url: URL) -> Bool { TurnsFile.isOne(url) }
}
