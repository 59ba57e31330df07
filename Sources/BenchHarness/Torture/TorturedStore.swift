import Foundation

/// The store that is kept from round to round, and its known content.
struct TorturedStore: TorturedSubject {
    private let driver: any StoreDriver
    private let job: TortureJob
    private let group: TortureGroup
    private let identity: RecordIdentity
    private let surroundings: LoadSurroundings?
    /// The findings of the last audit.
    private var settled = Ledger()
    /// The ledgers of workers since then.
    private var ledgers: [Ledger] = []
    private var roundsSince = 0
    private var records: Int

    /// The number of records above which a store is not audited in every round: otherwise it would be idle most of the
    /// time.
    private static let recordsPerRound = 50_000

    init(_ job: TortureJob, _ group: TortureGroup, driver: any StoreDriver) throws(RunError) {
        self.driver = driver
        self.job = job
        self.group = group
        identity = try RecordIdentity(of: job.view.entity)
        records = job.view.records
        let works = group.phases.compactMap { job.scenario.phases[$0].work.as(LoadWork.self) }
        surroundings = LoadSurroundings(of: ExpectedStore(seededFor: job.view), during: works)
    }

    /// Creates the store and its folders.
    func seed() throws {
        try job.makeFolders()
        let session = try driver.open(job.seeding)
        let seeding = Result {
            try session.seed(SeedWork(), records: job.scenario.records, monitor: PhaseMonitor())
        }
        try session.close()
        try seeding.get()
    }

    /// Adds what the processes of a round left behind.
    mutating func add(_ accounts: [TortureAccount]) {
        ledgers += accounts.flatMap(\.ledgers)
        roundsSince += 1
    }

    /// Whether an audit of the whole store is due.
    var isDue: Bool { roundsSince > records / Self.recordsPerRound }
    /// Whether something happened since the last audit.
    var isUnchecked: Bool { roundsSince > 0 }

    /// Opens the store as its next user would, and audits its whole content against all that was acknowledged.
    mutating func audit(_ report: inout TortureReport, without unaccounted: UnaccountedLanes) {
        let doubtful = ledgers.reduce(0) { $0 + $1.doubtful.count }
        do {
            let session = try driver.open(job.configuration)
            let audit = Result { try self.audit(session.offering((any LoadingSession).self), unaccounted, &report) }
            try session.close()
            settled = try audit.get().settled
        } catch {
            report.add(faults: ["the audit cannot read the store: \(error)"])
        }
        report.audits += 1
        report.doubtful += doubtful
        (ledgers, roundsSince) = ([], 0)
        // After a failure, the journals show what was done since the last successful audit.
        if report.problems.isEmpty { job.removeJournals() }
    }

    func limits(without shards: Set<Int>) -> String { LedgerAudit.limits(without: shards) }

    private mutating func audit(
        _ session: any LoadingSession, _ unaccounted: UnaccountedLanes, _ report: inout TortureReport
    ) throws -> LedgerAudit {
        let found = try surroundings.map { _ in try StoreInspection(by: session) }
        report.add(faults: try found?.problems ?? session.checkIntegrity())
        if let work = job.work, work.isWatched {
            let watching = try session.offering((any WatchingSession).self)
            try watching.prepareLoad(work, monitor: LoadMonitor())
            report.add(faults: try watching.checkLoad())
            session.finish()
        }
        var audit = LedgerAudit(
            [settled] + ledgers, of: InitialRecords(generator: job.configuration.records), identity: identity,
            seeded: job.view.records, policy: group.policy, set: group.set ?? [],
            unaccounted: unaccounted)
        var (count, surroundings) = (0, surroundings)
        try session.forEachRecord { record in
            audit.check(record)
            surroundings?.add(record)
            count += 1
        }
        let problems = audit.finish()
        report.add(losses: problems, count: audit.problemCount)
        if let found, let surroundings { report.add(faults: surroundings.problems(found.content)) }
        report.doubtfulDone += audit.doubtfulDone
        report.records = count
        records = count
        return audit
    }
}
