import Foundation

/// The differences between a machine's runs of one build: a change counts only if it exceeds them.
public struct NoiseRecord: Sendable, Codable {
    /// The noise of one figure.
    struct Floor: Sendable, Codable, Equatable {
        var key: ComparisonKey
        var metric: String
        /// The driver whose figures divide these; nil for absolute figures.
        var relativeTo: String?
        /// The largest ratio between the medians of two of the runs, less 1.
        var floorPercent: Double
    }

    /// The version of the format.
    static let version = 1

    var version = Self.version
    var recorded = Date()
    var runs: Int
    var repetitions: Int
    var host: HostFacts
    var scenario: Scenario
    var floors: [Floor]

    func floor(_ key: ComparisonKey, _ metric: Metric, relativeTo baseline: String?) -> Double? {
        let floor = floors.first { $0.key == key && $0.metric == metric.name && $0.relativeTo == baseline }
        return floor.map { $0.floorPercent / 100 }
    }
}

// MARK: - Recording

extension NoiseRecord {
    /// Works out the noise from two or more runs of one build, one scenario and one machine.
    public init(_ runs: [RecordedRun]) throws(RunError) {
        guard runs.count > 1, let manifest = runs[0].manifest, let scenario = manifest.scenario else {
            throw RunError(.results, "noise is the difference between runs; give at least two runs that have manifests")
        }
        let sides = runs.map { ComparisonSide([$0]) }
        self.runs = runs.count
        repetitions = sides.map(\.repetitions).min() ?? 0
        host = manifest.host
        self.scenario = scenario
        let relations = [nil] + [SummaryTable.baseline(of: sides.first?.drivers ?? [])].filter { $0 != nil }
        floors = (sides.first?.keys ?? []).flatMap { key in
            Metric.all.filter { !$0.isExact }.flatMap { metric in
                relations.compactMap { Self.floor(sides, key, metric, $0) }
            }
        }
    }

    private static func floor(
        _ sides: [ComparisonSide], _ key: ComparisonKey, _ metric: Metric, _ baseline: String?
    ) -> Floor? {
        guard key.driver != baseline else { return nil }
        let medians = sides.compactMap { side in
            SampleSummary(side.observations(metric, key, relativeTo: baseline).map(\.value))?.median
        }
        guard medians.count > 1, let low = medians.min(), let high = medians.max(), low > 0 else { return nil }
        return Floor(key: key, metric: metric.name, relativeTo: baseline, floorPercent: (high / low - 1) * 100)
    }
}

// MARK: - Files

extension NoiseRecord {
    /// Returns the name of the file for a scenario.
    public static func fileName(_ scenario: String) -> String { "\(scenario).noise.json" }

    /// Returns the first record in `folders` of the runs' scenario and machine; nil if there is none.
    public static func find(for runs: [RecordedRun], in folders: [URL]) throws(RunError) -> NoiseRecord? {
        guard let scenario = runs.first?.manifest?.scenario else { return nil }
        for folder in folders {
            let url = folder.appendingPathComponent(fileName(scenario.name))
            guard FileManager.default.fileExists(atPath: url.path) else { continue }
            let record = try read(url)
            if runs.allSatisfy({ record.fits($0.manifest) }) { return record }
        }
        return nil
    }

    /// Reads a record from a file.
    public static func read(_ url: URL) throws(RunError) -> NoiseRecord {
        do {
            let record = try JSONFile.read(Self.self, url, kind: "a record of noise")
            guard record.version == version else {
                throw RunError(
                    .results,
                    "\(url.relativePath): a record of noise of version \(record.version); "
                        + "this program reads version \(version): record it again")
            }
            return record
        } catch let error as RunError {
            throw error
        } catch {
            throw RunError(
                .results, "\(url.relativePath): not a record of noise that bench noise wrote: \(JSONFile.reason(error))"
            )
        }
    }

    /// Checks that the record is of the machine and the work of runs, as far as these say where they come from.
    ///
    /// - Parameters:
    ///   - runs: The runs that it is to judge.
    ///   - isOfScenario: Whether it must be of their scenario as well.
    /// - Throws: A ``RunError`` that names the run and the difference.
    public func check(_ runs: [RecordedRun], isOfScenario: Bool = true) throws(RunError) {
        for run in runs {
            guard let manifest = run.manifest,
                let difference = difference(from: manifest, isOfScenario: isOfScenario)
            else { continue }
            throw RunError(
                .results,
                "the record of noise is not of \(run.name): \(difference); record it anew, on this machine and for this "
                    + "scenario")
        }
    }

    /// Writes the record to a file atomically.
    public func write(to url: URL) throws(RunError) {
        try JSONFile.write(self, to: url)
    }

    /// Whether the record describes the machine and the work of a run.
    func fits(_ manifest: Manifest?) -> Bool {
        manifest.map { difference(from: $0) == nil } ?? false
    }

    private func difference(from manifest: Manifest, isOfScenario: Bool = true) -> String? {
        // The noise of a machine outlasts its boots.
        host.difference(from: manifest.host, countsBoots: false)
            ?? (isOfScenario ? ScenarioMatch.difference(scenario, manifest.scenario) : nil)
    }
}

// MARK: - For people

extension NoiseRecord {
    /// Returns a table of the noise of the metrics judged by default.
    public func text(isColoured: Bool, width: Int? = nil) -> String {
        var table = TextTable([
            .name("phase"), .name("driver"), .left("metric"), .right("noise"), .right("of the ratio", dropped: 1),
        ])
        var phase: String?
        let baseline = SummaryTable.baseline(of: floors.map(\.key.driver))
        let phases = floors.map(\.key.phase).withoutRepeats
        let ordered = phases.flatMap { phase in floors.filter { $0.key.phase == phase } }
        for floor in ordered where floor.relativeTo == nil {
            guard let metric = Metric.named(floor.metric), metric.isJudgedByDefault else { continue }
            let relative = self.floor(floor.key, metric, relativeTo: baseline)
            table.append(
                TextTable.Row(
                    cells: [
                        floor.key.phase, floor.key.driver, floor.metric, Figure.percent(floor.floorPercent / 100),
                        relative.map(Figure.percent) ?? "–",
                    ], startsGroup: floor.key.phase != phase))
            phase = floor.key.phase
        }
        return "\n" + table.text(isColoured: isColoured, width: width) + """

            The largest difference between the medians of two of \(runs) runs of \(repetitions) repetitions; beside it that \
            of the ratio to \(baseline ?? SummaryTable.baseline).

            """
    }
}
