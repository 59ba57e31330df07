import BenchHarness
import Foundation

/// A store of related records that is kept from round to round, and its known content.
struct TorturedRelations: TorturedSubject {
    private let place: any RelatedPlace
    private let job: TortureJob
    private var settled: RelatedRecords
    /// The journals since the last audit, as ``RelationTorture`` handed them over.
    private var evidence: [String] = []

    init(_ job: TortureJob, in place: any RelatedPlace) {
        (self.job, self.place) = (job, place)
        settled = RelatedPlan.seed(job.scenario.records)
    }

    func seed() throws {
        try job.makeFolders()
        let session = try RelatedSession(in: place)
        try session.seed(settled)
        try session.close()
    }

    mutating func add(_ accounts: [TortureAccount]) { evidence += accounts.flatMap(\.evidence) }

    var isDue: Bool { true }
    var isUnchecked: Bool { !evidence.isEmpty }

    func limits(without shards: Set<Int>) -> String {
        "audited without \(shards.sorted().shardNames): only that the relationships agree; not proved: what any shard was told"
    }

    mutating func audit(_ report: inout TortureReport, without unaccounted: UnaccountedLanes) {
        do {
            let readings = try evidence.map(RelatedReading.init(evidence:))
            let audit = RelatedAudit(settled: settled, readings: readings, seeded: job.scenario.records)
            report.doubtful += audit.doubtful
            let session = try RelatedSession(in: place)
            let found = Result { () throws -> RelatedRecords? in
                let problems = try session.problems()
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
        evidence = []
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
