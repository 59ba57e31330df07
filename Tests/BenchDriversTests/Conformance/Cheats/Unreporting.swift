import BenchHarness
import ForwardingDriver

/// Does the work, and reports none of its operations.
final class Unreporting: ForwardingSession {
    override func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        try super.seed(work, records: records, monitor: PhaseMonitor())
    }

    override func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        try super.update(work, monitor: PhaseMonitor())
    }

    override func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try super.merge(plan, monitor: PhaseMonitor())
    }
}

/// Saves a seed at once, however often it is to save.
final class SavingOnce: ForwardingSession {
    override func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        try super.seed(SeedWork(), records: records, monitor: monitor)
    }
}

/// Watches a load, and reports nothing of it; or merges its saves without a controller.
final class UnreportingWatched: ForwardingSession, WatchingSession {
    private let watching: any WatchingSession
    private let reportsMerges: Bool

    init(_ base: any StoreSession, reportsMerges: Bool) {
        guard let watching = base as? any WatchingSession else { preconditionFailure("\(base) watches no load") }
        self.watching = watching
        self.reportsMerges = reportsMerges
        super.init(base)
    }

    func prepareLoad(_ work: LoadWork, monitor: LoadMonitor) throws {
        guard reportsMerges, var spec = work.saves else {
            return try watching.prepareLoad(work, monitor: LoadMonitor())
        }
        var work = work
        spec.mode = .notifications
        work.source = .saves(spec)
        try watching.prepareLoad(work, monitor: monitor)
    }

    func endLoad() throws { try watching.endLoad() }
    func checkLoad() throws -> [String] { try watching.checkLoad() }
}
