import Foundation
import TestSupport
import Testing

@testable import BenchHarness

/// The driver that the manual shows does what it says that it can.
@Suite struct FileDriverTests {
    private static let entity = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(
                name: "name", type: .string, generator: .sequence(prefix: "Item ", start: 0, step: 1)),
            AttributeSpec(name: "done", type: .bool, generator: .uniform(min: 0, max: 0.5)),
        ])
    private static let isDone = FilterSpec.compare(key: "done", .equal, .bool(true))
    private static let set = [AttributeChange(attribute: "done", operation: .toggle)]

    @Test func everyPhaseIsVerifiedOrUnsupported() throws {
        let outcome = try run([
            Phase(name: "seed", from: .empty, work: .seed(SeedWork())),
            Phase(
                name: "fetch", from: .seeded, work: .fetch(FetchWork(mode: .sync, filter: Self.isDone))),
            Phase(
                name: "names", from: .seeded, work: .fetch(FetchWork(mode: .sync, attributes: ["name"]))),
            Phase(
                name: "sorted", from: .seeded,
                work: .fetch(
                    FetchWork(mode: .sync, sort: [SortSpec(key: "done"), SortSpec(key: "name", ascending: false)]))),
            Phase(
                name: "chunks", from: .seeded,
                work: .update(UpdateWork(mode: .chunked, set: Self.set, chunkSize: 30))),
            Phase(
                name: "batch", from: .previous,
                work: .update(UpdateWork(mode: .batch, set: Self.set, filter: Self.isDone))),
            Phase(name: "async", from: .seeded, work: .fetch(FetchWork(mode: .async))),
        ])
        let found = outcome.rows.map { "\($0.phase) \($0.status) \($0.error)" }
        #expect(outcome.failures.isEmpty)
        #expect(
            Array(found.prefix(6)) == ["seed ok ", "fetch ok ", "names ok ", "sorted ok ", "chunks ok ", "batch ok "])
        #expect(outcome.rows.dropLast().allSatisfy { $0.verified == true })
        #expect(outcome.rows.last?.status == .unsupported)
    }

    private func run(_ phases: [Phase]) throws -> RunOutcome {
        let directory = try TemporaryDirectory()
        let scenario = Scenario(
            name: "file", records: 100, isolation: .none, entity: Self.entity, phases: phases)
        let request = RunRequest(
            scenario: scenario, drivers: [FileDriver()], output: directory.file("file.csv"),
            storeParent: directory.url)
        return try Run(request, interruption: Interruption()) { _ in }.run()
    }
}
