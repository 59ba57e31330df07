import BenchDrivers
import BenchHarness
import Foundation

/// Torture with several entities at once: relationships of every kind, lists in order, delete rules, a sum over two
/// records, and every merge policy. It proves ManagedStore's own promises, on top of what `bench torture` asks of every
/// driver.
package struct RelationTorture: TortureTask {
    package init() {}

    /// As many accounts as it has records.
    package var scenario: Scenario? {
        Scenario(name: "relations", records: 48, entity: EntitySpec(name: "Account", attributes: []), phases: [])
    }

    package func summary(of scenario: Scenario) -> String { "related records" }

    package func reasonUnsupported(by driver: any StoreDriver, in scenario: Scenario) -> String? {
        guard scenario.records >= Self.fewest else {
            return "relations: \(scenario.records) records are too few; expected a --scale that leaves \(Self.fewest)"
        }
        return driver is ManagedDriver || driver is ManagedPostgreSQLDriver ? nil : "relations: it is not ManagedStore"
    }

    /// Each of the two halves of the accounts needs two for a transfer.
    private static let fewest = 8

    /// The one store of a driver, which has no phases.
    package func groups(of scenario: Scenario, for driver: any StoreDriver) -> [TortureGroup] {
        [.whole]
    }

    package func subject(
        _ job: TortureJob, _ group: TortureGroup, driver: any StoreDriver
    ) throws -> any TorturedSubject {
        TorturedRelations(job, in: try Self.place(of: job, driver))
    }

    package func workers(of job: TortureJob) -> Int { RelatedPlan.workers }

    package func read(_ journal: String, of job: TortureJob, end: Int, goesOn: Bool) throws -> JournalReading {
        let reading = try RelatedReading(journal)
        return JournalReading(
            evidence: try reading.evidence, acknowledged: reading.acknowledged.count, failures: reading.failures)
    }

    package func run(_ job: TortureJob, _ driver: any StoreDriver, _ channel: TortureChannel) throws {
        let session = try RelatedSession(in: try Self.place(of: job, driver))
        let load = RelatedLoad(job: job, session: session, onAcknowledged: channel.acknowledged)
        for problem in load.run() { channel.send(problem: problem) }
        try session.close()
    }

    private static func place(of job: TortureJob, _ driver: any StoreDriver) throws -> any RelatedPlace {
        let directory = URL(fileURLWithPath: job.store, isDirectory: true)
        guard let driver = driver as? ManagedPostgreSQLDriver else {
            return RelatedFile(in: directory, job.scenario.store)
        }
        return RelatedSchema(in: directory, job.scenario.store, at: try driver.address)
    }
}
