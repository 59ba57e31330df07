import Foundation
import Locking

/// A run that does a part of its loads; others do the rest.
public struct SharedRunRequest: Sendable {
    /// The part.
    public var shard: Shard
    /// Where the shards meet. Each run of all shards needs a new place.
    public var meeting: MeetingAddress
    /// How long the others may take to arrive, in seconds.
    public var arrivalSeconds: Double
    /// For how long another shard may show no sign of life, in seconds.
    public var silenceSeconds: Double

    /// Creates a request.
    public init(shard: Shard, meeting: MeetingAddress, arrivalSeconds: Double = 600, silenceSeconds: Double = 30) {
        (self.shard, self.meeting) = (shard, meeting)
        (self.arrivalSeconds, self.silenceSeconds) = (arrivalSeconds, silenceSeconds)
    }

    /// Checks that shards can do the loads of a scenario together.
    ///
    /// - Parameters:
    ///   - scenario: The scenario that all shards read.
    ///   - phases: The names of the phases that run; empty for all.
    ///   - isSearch: Whether the highest rates are searched for: each trial starts from the seeded store, and has its
    ///     whole time.
    public func check(_ scenario: Scenario, phases: Set<String>, isSearch: Bool = false) throws(RunError) {
        for phase in scenario.phases where phases.isEmpty || phases.contains(phase.name) {
            guard let work = phase.work.as(LoadWork.self), phase.from == .seeded || isSearch else {
                if isSearch { continue }
                throw RunError(
                    .meeting,
                    "\(phase.name): shards can share loads from the seeded store only; choose these with --phase"
                )
            }
            if work.abortsEarly, !isSearch {
                throw RunError(
                    .meeting,
                    "\(phase.name): one shard cannot judge abort_early for the whole load; remove it, or run without "
                        + "--meeting"
                )
            }
            if work.isWatched {
                throw RunError(
                    .meeting,
                    "\(phase.name) is watched: a context is notified of the saves of its own process only; choose other "
                        + "phases with --phase, or the mode unobserved")
            }
            guard let saves = work.saves else { continue }
            let most = LoadWork.changesMax(saves, records: scenario.records, workers: work.workers * shard.count)
            if saves.changesPerSave > most {
                throw RunError(
                    .meeting,
                    "\(phase.name): changes_per_save is \(saves.changesPerSave), but with \(shard.count) shards each "
                        + "worker has only \(most) records; lower it, add records, or use fewer shards")
            }
        }
    }
}

/// The part of a run that concerns the other shards.
final class SharedRun: Sendable {
    private let request: SharedRunRequest
    private let attendance: ShardAttendance
    private let token = UUID().uuidString
    private let first = Locked(ShardArrival?.none)
    private let limits = Locked([String: LimitSpec]?.none)

    private static let round = ShardAttendance.round

    /// - Parameter drivers: The drivers of the run, whose server may be the place to meet.
    init(_ request: SharedRunRequest, drivers: [any StoreDriver], _ interruption: Interruption) throws {
        self.request = request
        attendance = try ShardAttendance(request, drivers: drivers) { interruption.isRequested }
    }

    private var meeting: Meeting { attendance.meeting }

    /// The folder of the stores of all shards.
    var stores: URL? { first.value.map { URL(fileURLWithPath: $0.stores, isDirectory: true) } }

    /// Waits for all shards, and checks that they mean the same load. From now on the others see that this one lives.
    func arrive(_ run: RunRequest, _ search: RateSearchRequest?, stores: URL) throws {
        let own = ShardArrival(
            token: token, shard: request.shard, scenario: run.scenario, drivers: run.drivers.map(\.name),
            phases: run.phases.sorted(), stores: stores.path, search: search)
        if let search, !search.limits.isEmpty { limits.exchange(search.limits) }
        first.exchange(try attendance.arrive(own))
    }

    /// Returns what a job needs to know of the others.
    func sharing(job: Int) -> SharedLoad {
        SharedLoad(
            shard: request.shard, meeting: request.meeting, job: job, silenceSeconds: request.silenceSeconds)
    }

    /// Tells the others that this shard did not do its part of a job.
    func fail(_ reason: String, _ job: RepetitionJob) {
        for phase in job.phases { meeting.fail(reason, in: sharing(job: job.sharing?.job ?? 0).round(phase)) }
    }

    /// Tells the others that the shard has gone.
    func leave(_ reason: String) { attendance.leave(reason) }

    func end() { attendance.end() }

    /// The facts for the manifest.
    func facts() -> ShardFacts {
        var facts = identity
        let clock = try? MeetingClock.compare(meeting.place, request.shard, MonotonicClock())
        let timeOfDay = try? MeetingClock.compare(meeting.place, request.shard, TimeOfDay())
        (facts.clockOffset, facts.clockUncertainty) = (clock?.offset, clock?.uncertainty)
        facts.timeOfDayOffset = timeOfDay?.offset
        return facts
    }

    /// What the manifest says of the shard as soon as it has arrived.
    var identity: ShardFacts {
        ShardFacts(
            index: request.shard.index, count: request.shard.count, load: first.value?.token ?? token,
            limits: limits.value)
    }

    // MARK: Trials

    /// What a shard found in a trial of a search for the highest rate.
    private struct Trial: Sendable, Codable {
        var row: ResultRow
        var kinds: [OperationKind: OperationFigures]
    }

    /// Hands over a trial of a rate, and returns the row of all shards. Each of them computes the same one.
    func trial(
        _ row: ResultRow, _ kinds: [OperationKind: OperationFigures], of job: RepetitionJob
    ) throws -> ResultRow {
        let round = "\(Self.round)-\(job.sharing?.job ?? 0)"
        let own = Trial(row: row, kinds: kinds)
        try meeting.leave("\(round)-trial-\(request.shard.index)", own)
        var all = try meeting.await("trial", in: round, as: Trial.self)
        all[request.shard.index] = own
        let trials = all.sorted { $0.key < $1.key }.map(\.value)
        let total: [OperationKind: OperationFigures] = trials.reduce(into: [:]) { total, trial in
            for (kind, figures) in trial.kinds { total[kind, default: OperationFigures()].merge(figures) }
        }
        guard let work = job.scenario.phases[job.phases.lowerBound].work.as(LoadWork.self) else { return row }
        var merged = MergedRow(
            load: first.value?.token ?? token, rows: trials.map(\.row), kinds: total, limits: work.limits
        ).row
        // The parts of a rate do not always add up to the last bit.
        merged.load.ratePerSecond = work.pace.rate?.perSecond
        return merged
    }

    // MARK: Results

    private struct Result: Sendable, Codable {
        var rows: [ResultRow]
        var manifest: Manifest
        var log: String
    }

    /// Hands over the results of the shard; the first one writes those of the load beside its own.
    ///
    /// - Returns: The file of the load and its rows; nil if another shard writes it.
    func merge(beside output: URL) throws -> (url: URL, rows: [ResultRow])? {
        let run = try RecordedRun(contentsOf: output)
        guard let manifest = run.manifest else { return nil }
        let url = HistogramLog.url(beside: output)
        let log = (try? String(contentsOf: url, encoding: .utf8)) ?? HistogramLog(started: 0).text
        let own = Result(rows: run.rows, manifest: manifest, log: log)
        guard attendance.isFirst else {
            try meeting.leave("\(Self.round)-result-\(request.shard.index)", own)
            return nil
        }
        var all = try meeting.await("result", in: Self.round, as: Result.self)
        all[0] = own
        let parts = try all.map { index, result in try Self.part(index, result) }
        let merged = output.mergedResult
        let rows = try ShardMerge(parts).write(to: merged)
        // The results are written; messages that stay are no failure of the load.
        try? meeting.place.forget(exceptFor: ShardAttendance.arrival)
        return (merged, rows)
    }

    private static func part(_ index: Int, _ result: Result) throws -> ShardMerge.Part {
        let name = "shard-\(index)"
        let log = try HistogramLog(Data(result.log.utf8), file: name)
        guard let facts = result.manifest.shard, let shard = facts.shard else {
            throw RunError(.meeting, "the results of shard \(index) are of no shard")
        }
        let run = RecordedRun(url: URL(fileURLWithPath: name), rows: result.rows, manifest: result.manifest)
        return ShardMerge.Part(run: run, histograms: LoadHistograms(log), log: log, facts: facts, shard: shard)
    }
}

extension RunRequest {
    /// The file with the results of all shards, which the first one writes.
    public var mergedOutput: URL { output.mergedResult }
}

extension URL {
    /// The file with the results of all shards beside those of the first one.
    fileprivate var mergedResult: URL { besideResult("-merged.csv") }
}
