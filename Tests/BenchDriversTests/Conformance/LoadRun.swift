import Foundation
import Locking
import TestSupport
import Testing

@testable import BenchHarness

extension LoadWork {
    /// Does the load on a store of its own, whose records are told apart by their number.
    func run(on driver: any StoreDriver, records: Int = 500) async throws -> PhaseReport {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let scenario = Scenario(
            name: "load", records: records, isolation: .none, entity: .numbered,
            phases: [Phase(name: "load", from: .seeded, work: .load(self))])
        return try await onThread {
            let reports = Locked<[PhaseReport]>([])
            let job = RepetitionJob(
                run: "r", scenario: scenario, driver: driver.name, repetition: 1, phases: 0..<1,
                directory: folder.path, parent: 0)
            var runner = RepetitionRunner(job, driver: driver, instruments: .platform) { event in
                if case .finished(let report) = event { reports.withLock { $0.append(report) } }
            }
            try runner.run()
            return try #require(reports.value.first)
        }
    }
}

extension EntitySpec {
    fileprivate static let numbered = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(
                name: "number", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1), isUnique: true),
            AttributeSpec(name: "text", type: .string, generator: .random(length: 20)),
            AttributeSpec(name: "score", type: .int64, generator: .constant(.int64(0))),
            AttributeSpec(name: "done", type: .bool, generator: .constant(.bool(false))),
        ])
}
