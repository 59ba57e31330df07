import BenchDrivers
import Locking
import MemoryDriver
import TestSupport
import Testing

@testable import BenchHarness
@testable import DriverConformance

/// Loads whose updates often give a record the value that it has.
@Suite struct RepeatedValueTests {
    private static let entity = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(
                name: "number", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1), isUnique: true),
            AttributeSpec(name: "done", type: .bool, generator: .uniform(min: 0, max: 0.5)),
        ])

    private func measure(_ driver: any StoreDriver, _ source: LoadWork.Source) throws -> ResultRow? {
        let directory = try TemporaryDirectory()
        let work = LoadWork(source: source, workers: 2, pace: PaceSpec(operations: 200))
        let scenario = Scenario(
            name: "repeated", records: 20, isolation: .none, entity: Self.entity,
            phases: [Phase(name: "load", from: .seeded, work: .load(work))])
        let job = RepetitionJob(
            run: "r", scenario: scenario, driver: driver.name, repetition: 1, phases: scenario.phases.indices,
            directory: directory.path, parent: 0)
        let rows = Locked<[ResultRow]>([])
        var runner = RepetitionRunner(job, driver: driver, instruments: .platform) { event in
            if case .finished(let report) = event { rows.withLock { $0.append(report.row) } }
        }
        try runner.run()
        return rows.value.first
    }

    @Test(arguments: DriverCase.all + [DriverCase(MemoryDriver())])
    func anUpdateThatDrawsTheValueOfTheRecordIsNoLostSave(_ subject: DriverCase) async throws {
        let row = try await onThread { try measure(subject.driver, .mix(MixSpec(operations: [.update: 1]))) }
        #expect(row?.status == .ok && row?.verified == true, "\(row?.error ?? "")")
    }

    @Test(arguments: DriverCase.all + [DriverCase(MemoryDriver())])
    func aSaveOfAConstantThatTheRecordHasIsNoLostSave(_ subject: DriverCase) async throws {
        let saves = SaveSpec(
            mode: .unobserved, insertsPerSave: 0, changesPerSave: 2, deletesPerSave: 0,
            set: [AttributeChange(attribute: "done", operation: .assign(.bool(true)))])
        let row = try await onThread { try measure(subject.driver, .saves(saves)) }
        #expect(row?.status == .ok && row?.verified == true, "\(row?.error ?? "")")
    }
}
