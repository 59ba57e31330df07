import BenchDrivers
import Locking
import MemoryDriver
import TestSupport
import Testing

@testable import BenchHarness
@testable import DriverConformance

/// Scenarios of several entities whose first phase starts from a seeded store.
@Suite struct UnseededScenarioTests {
    private static let entity = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(name: "name", type: .string, generator: .sequence(prefix: "Item ", start: 0, step: 1))
        ],
        references: [ReferenceSpec(relationship: "list", inverse: "items", entityName: "List", records: 10)])
    private static let list = EntitySpec(
        name: "List",
        attributes: [
            AttributeSpec(name: "title", type: .string, generator: .sequence(prefix: "List ", start: 0, step: 1))
        ], records: 10)

    @Test(arguments: DriverCase.all + [DriverCase(MemoryDriver())])
    func aScenarioNeedsNoPhaseThatSeeds(_ subject: DriverCase) async throws {
        try await onThread {
            let directory = try TemporaryDirectory()
            var scenario = Scenario(
                name: "lists", records: 200, isolation: .none, entity: Self.entity,
                phases: [Phase(name: "fetch", from: .seeded, work: .fetch(FetchWork(mode: .sync)))])
            scenario.entities.append(Self.list)
            let job = RepetitionJob(
                run: "r", scenario: scenario, driver: subject.driver.name, repetition: 1,
                phases: scenario.phases.indices, directory: directory.path, parent: 0)
            let rows = Locked<[ResultRow]>([])
            var runner = RepetitionRunner(job, driver: subject.driver, instruments: .platform) { event in
                if case .finished(let report) = event { rows.withLock { $0.append(report.row) } }
            }
            try runner.run()
            let row = try #require(rows.value.first)
            #expect(row.status == .ok && row.verified == true, "\(row.error)")
        }
    }
}
