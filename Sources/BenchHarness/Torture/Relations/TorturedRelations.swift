import Foundation

/// A store under torture, which is kept from round to round.
protocol TorturedSubject {
    /// Creates the store and its folders.
    func seed() throws
    /// Adds what the processes of a round left behind.
    mutating func add(_ accounts: [TortureAccount])
    /// Whether an audit of the whole store is due.
    var isDue: Bool { get }
    /// Whether something happened since the last audit.
    var isUnchecked: Bool { get }
    /// Opens the store as its next user would, and audits its whole content against all that was acknowledged.
    ///
    /// - Parameter unaccounted: The lanes of processes whose journals are out of reach.
    mutating func audit(_ report: inout TortureReport, without unaccounted: UnaccountedLanes)
    /// What an audit without the journals of some shards proves, and what it does not, in words.
    func limits(without shards: Set<Int>) -> String
}

extension TorturedStore: TorturedSubject {}

/// A store of related records that is kept from round to round.
struct TorturedRelations: TorturedSubject {
    private let driver: any RelatedStoreDriver
    private let job: TortureJob
    private var settled: RelatedRecords
    private var readings: [RelatedReading] = []

    init(_ job: TortureJob, driver: any StoreDriver) throws(RunError) {
        guard let driver = driver as? any RelatedStoreDriver else {
            throw RunError(.process, "\(driver.name) has no store of related records; choose a driver that has one")
        }
        self.driver = driver
        self.job = job
        settled = RelatedPlan.seed(job.scenario.records)
    }

    func seed() throws {
        for folder in [job.store, job.journals] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        let session = try open()
        try session.seed(settled)
        try session.close()
    }

    private func open() throws -> any RelatedSession {
        try driver.openRelated(
            in: URL(fileURLWithPath: job.store, isDirectory: true), options: job.scenario.store)
    }

    mutating func add(_ accounts: [TortureAccount]) { readings += accounts.flatMap(\.related) }

    var isDue: Bool { true }
    var isUnchecked: Bool { !readings.isEmpty }

    func limits(without shards: Set<Int>) -> String {
        "audited without \(shards.sorted().shardNames): only that the relationships agree; not proved: what any shard was told"
    }

    mutating func audit(_ report: inout TortureReport, without unaccounted: UnaccountedLanes) {
        let audit = RelatedAudit(settled: settled, readings: readings, seeded: job.scenario.records)
        do {
            let session = try open()
            let found = Result { () throws -> RelatedRecords? in
                let problems = try session.checkFiles()
                report.add(faults: problems)
                // A reference that leads nowhere cannot be followed.
                return problems.isEmpty ? try session.records() : nil
            }
            try session.close()
            if let records = try found.get() { judge(records, audit, isWhole: unaccounted.isEmpty, &report) }
        } catch {
            report.add(faults: ["the audit cannot read the store: \(error)"])
        }
        report.audits += 1
        report.doubtful += audit.doubtful
        readings = []
        if report.problems.isEmpty { job.removeJournals() }
    }

    /// - Parameter isWhole: Whether all journals are there. Otherwise the revisions count saves that are not known.
    private mutating func judge(
        _ records: RelatedRecords, _ audit: RelatedAudit, isWhole: Bool, _ report: inout TortureReport
    ) {
        report.add(faults: RelatedAudit.disagreements(records))
        report.records = records.accounts.count
        settled = records
        guard isWhole else { return }
        let losses = audit.losses(records)
        report.add(losses: losses, count: losses.count)
        report.doubtfulDone += audit.doubtfulDone(records)
    }
}
