import Foundation

/// Adds the results of all shards of a load up to those of the load: its percentiles are those of all values together.
public struct ShardMerge {
    /// The results of one shard: a CSV, its manifest, and the log of its histograms.
    struct Part {
        let run: RecordedRun
        let histograms: LoadHistograms
        let log: HistogramLog
        let facts: ShardFacts
        var shard: Shard

        /// What to add to the machine's times, so that those of all shards go by the clock of the meeting place.
        var timeShift: Double { Double(facts.timeOfDayOffset ?? 0) / 1e9 }

        /// When the shard began and ended its run by that clock.
        var started: Date? { run.manifest?.started.addingTimeInterval(timeShift) }
        var ended: Date? { run.manifest?.ended?.addingTimeInterval(timeShift) }
    }

    private let parts: [Part]
    /// Whether a shard did not reach the end of its run, so that the load is incomplete.
    public var isStopped: Bool { parts.contains(where: \.isStopped) }
    /// The name of the run in the rows.
    private var load: String { parts[0].facts.load }

    /// Reads the results of all shards, in any order.
    ///
    /// - Throws: `RunError` that names results which are of no shard, of another load, given twice, or missing.
    public init(contentsOf files: [URL]) throws {
        try self.init(files.map { try Part(contentsOf: $0) })
    }

    init(_ parts: [Part]) throws(RunError) {
        let sorted = parts.sorted { $0.shard.index < $1.shard.index }
        guard let first = sorted.first else {
            throw RunError(.results, "no results to merge; give the CSVs of all shards")
        }
        for part in sorted.dropFirst() {
            if part.facts.load != first.facts.load || part.shard.count != first.shard.count {
                throw RunError(
                    .results,
                    "\(part.run.name) is of the load \(part.facts.load) of \(part.shard.count), \(first.run.name) of "
                        + "\(first.facts.load) of \(first.shard.count); expected the shards of one load")
            }
        }
        for (part, next) in zip(sorted, sorted.dropFirst()) where part.shard == next.shard {
            throw RunError(.results, "\(part.run.name) and \(next.run.name) are both shard \(part.shard)")
        }
        let missing = Set(0..<first.shard.count).subtracting(sorted.map(\.shard.index)).sorted()
        if !missing.isEmpty {
            throw RunError(
                .results,
                "\(missing.shardsInWords) missing; expected the CSVs of all \(first.shard.count) shards of the load")
        }
        for part in sorted where !part.isStopped { try part.run.checkHasRows() }
        try ScenarioMatch.check(sorted.map(\.run))
        self.parts = sorted
    }

    /// The files that ``write(to:)`` makes.
    public static func files(_ output: URL) -> [URL] {
        [output, Manifest.url(beside: output), HistogramLog.url(beside: output)]
    }

    /// Writes the results of the load: the CSV, its manifest, and the log of its histograms.
    ///
    /// - Returns: The rows.
    @discardableResult public func write(to url: URL) throws -> [ResultRow] {
        let merged = try merged()
        try RecordedRun(url: url, rows: merged.rows, manifest: merged.manifest).write(to: url)
        try HistogramLog.merged(parts.map(\.shiftedLog)).write(to: HistogramLog.url(beside: url))
        return merged.rows
    }

    func merged() throws(RunError) -> (rows: [ResultRow], manifest: Manifest?) {
        let keys = parts.flatMap { $0.run.rows.map(LoadHistograms.Key.init) }.withoutRepeats
        let rows = try keys.map { key throws(RunError) in try row(key) }
        var manifest = parts[0].run.manifest
        manifest?.run = load
        manifest?.shard = nil
        manifest?.shards = parts.map { part in
            var facts = part.facts
            facts.host = part.run.manifest?.host
            return facts
        }
        manifest?.started = parts.compactMap(\.started).min() ?? Date()
        manifest?.ended = parts.compactMap(\.ended).max()
        manifest?.status = status(rows)
        return (rows, manifest)
    }

    /// The worst of what the shards and the rows came to.
    private func status(_ rows: [ResultRow]) -> String {
        if rows.contains(where: { $0.status == .failed }) || parts.contains(where: \.isFailed) {
            return Manifest.failed
        }
        return isStopped ? Manifest.interrupted : Manifest.ok
    }

    private func row(_ key: LoadHistograms.Key) throws(RunError) -> ResultRow {
        let rows = try parts.map { part throws(RunError) in try part.row(key) }
        var kinds: [OperationKind: OperationFigures] = [:]
        for (part, row) in zip(parts, rows) {
            let own = part.histograms.loads[key] ?? [:]
            if row.status == .ok, own.values.reduce(0, { $0 + $1.response.count }) != row.operations ?? 0 {
                throw RunError(
                    .results,
                    "\(part.run.name): its log, \(HistogramLog.url(beside: part.run.url).relativePath), has no histograms "
                        + "of \(row.title), or those of another run; run the shard again")
            }
            for (kind, figures) in own { kinds[kind, default: OperationFigures()].merge(figures) }
        }
        var row = MergedRow(
            load: load, rows: rows, kinds: kinds, limits: limits(of: key.phase),
            intervals: parts.map { $0.histograms.intervals[key] ?? [] }
        ).row
        // Each shard's CSV has its part with three decimals.
        if let sum = row.ratePerSecond, let rate = work(of: key.phase)?.pace.rate?.perSecond,
            abs(sum - rate) <= 0.001 * Double(parts.count)
        {
            row.load.ratePerSecond = rate
        }
        return row
    }

    private func limits(of phase: String) -> [String: LimitSpec] {
        if let limits = parts[0].facts.limits { return limits }
        return work(of: phase)?.limits ?? [:]
    }

    /// Returns the load of a phase, as all shards together do it.
    private func work(of phase: String) -> LoadWork? {
        let name = SizedName(phase).phase
        guard
            let work = parts[0].run.manifest?.scenario?.phases.first(where: { $0.name == name })?.work.as(LoadWork.self)
        else { return nil }
        return work
    }
}

extension ShardMerge.Part {
    /// Returns the row of a load; an interrupted one without figures if the shard was stopped before it.
    fileprivate func row(_ key: LoadHistograms.Key) throws(RunError) -> ResultRow {
        let own = run.rows.filter { LoadHistograms.Key($0) == key }
        if own.count == 1 { return own[0] }
        guard own.isEmpty, isStopped else {
            throw RunError(
                .results,
                "\(run.name) has \(own.count) rows of \(key.driver), \(key.phase), repetition \(key.repetition); "
                    + "expected one, as in the other shards")
        }
        return ResultRow(
            identity: ResultRow.Identity(driver: key.driver, phase: key.phase, repetition: key.repetition),
            outcome: ResultRow.Outcome(status: .interrupted))
    }

    /// Whether the shard did not reach the end of its run.
    fileprivate var isStopped: Bool { [Manifest.interrupted, Manifest.running].contains(run.manifest?.status) }

    fileprivate var isFailed: Bool { run.manifest?.status == Manifest.failed }

    /// The lines of whole loads, by the clock of the meeting place.
    fileprivate var shiftedLog: HistogramLog {
        var log = log.withoutIntervals
        log.started += timeShift
        return log
    }

    /// Reads the log of a shard. One without a load that ended has none.
    private static func log(of run: RecordedRun) throws -> HistogramLog {
        let url = HistogramLog.url(beside: run.url)
        let hasLoads = run.rows.contains { $0.status == .ok }
        guard hasLoads || FileManager.default.fileExists(atPath: url.path) else {
            return HistogramLog(started: run.manifest?.started.timeIntervalSince1970 ?? 0)
        }
        return try HistogramLog(contentsOf: url)
    }

    /// Reads the CSV of a shard, and what lies beside it.
    init(contentsOf url: URL) throws {
        let run = try RecordedRun(contentsOf: url)
        guard let facts = run.manifest?.shard, let shard = facts.shard else {
            throw RunError(
                .results,
                "\(url.relativePath) has no shard in its manifest; expected the results of bench run --shard")
        }
        let log = try Self.log(of: run)
        self.init(run: run, histograms: LoadHistograms(log), log: log, facts: facts, shard: shard)
    }
}

extension LoadHistograms.Key {
    init(_ row: ResultRow) { self.init(driver: row.driver, phase: row.phase, repetition: row.repetition) }
}

extension [Int] {
    /// The numbers of shards: "shard 3", "shards 1, 4".
    package var shardNames: String { "\(count == 1 ? "shard" : "shards") \(map(String.init).joined(separator: ", "))" }

    /// The numbers of shards, and the verb that follows them: "shard 3 is", "shards 1, 4 are".
    var shardsInWords: String { "\(shardNames) \(count == 1 ? "is" : "are")" }
}
