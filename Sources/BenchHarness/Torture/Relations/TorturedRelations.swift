import Foundation

/// A store under torture, which is kept from round to round.
protocol TorturedSubject {
    /// Creates the store and its folders.
    func seed() throws
    /// Adds what the processes of a round left behind.
    mutating func add(_ deaths: [TortureDeath])
    /// Whether an audit of the whole store is due.
    var isDue: Bool { get }
    /// Whether something happened since the last audit.
    var isUnchecked: Bool { get }
    /// Opens the store as its next user would, and audits its whole content against all that was acknowledged.
    mutating func audit(_ report: inout TortureReport)
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

    mutating func add(_ deaths: [TortureDeath]) { readings += deaths.flatMap(\.relatedReadings) }

    var isDue: Bool { true }
    var isUnchecked: Bool { !readings.isEmpty }

    mutating func audit(_ report: inout TortureReport) {
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
            if let records = try found.get() { judge(records, audit, &report) }
        } catch {
            report.add(faults: ["the audit cannot read the store: \(error)"])
        }
        report.audits += 1
        report.doubtful += audit.doubtful
        readings = []
        if report.problems.isEmpty { job.removeJournals() }
    }

    private mutating func judge(_ records: RelatedRecords, _ audit: RelatedAudit, _ report: inout TortureReport) {
        report.add(faults: RelatedAudit.disagreements(records))
        let losses = audit.losses(records)
        report.add(losses: losses, count: losses.count)
        report.doubtfulDone += audit.doubtfulDone(records)
        report.records = records.accounts.count
        settled = records
    }
}
