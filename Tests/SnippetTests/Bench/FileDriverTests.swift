import BenchDrivers
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
        #expect(outcome.rows.dropLast().allSatisfy { $0.verified == true && $0.keepsSettings == true })
        let filtered = outcome.rows.filter { $0.filterReach != nil }
        #expect(filtered.map(\.phase) == ["fetch", "batch"])
        #expect(filtered.allSatisfy { $0.filterReach == .someRecords })
        #expect(outcome.rows.last?.status == .unsupported)
    }

    /// The scenario that the manual shows beside the operation.
    private func archiving() throws -> Scenario {
        let page = try Pages.lines("Sources/BenchHarness/BenchHarness.docc/WritingADriver.md")
        let json = page.drop { $0 != "```json" }.dropFirst().prefix { $0 != "```" }.joined(separator: "\n")
        var scenario = try ScenarioReader().read(Data(json.utf8), file: "archive.json")
        (scenario.isolation, scenario.repetitions) = (.none, 1)
        return scenario
    }

    @Test func theOperationIsMeasuredAndVerified() throws {
        let outcome = try run(try archiving())
        #expect(outcome.failures.isEmpty, "\(outcome.failures)")
        #expect(outcome.rows.map(\.status) == [.ok, .ok] && outcome.rows.allSatisfy { $0.verified == true })
        #expect(outcome.rows.map(\.mode) == ["counted", "timed"] && outcome.rows[0].operations == 20)
        #expect(outcome.rows[0].latencyP50 ?? 0 > 0 && outcome.rows[0].throughput ?? 0 > 0)
        #expect(outcome.rows[0].allocations ?? 0 > 0 && outcome.rows[0].residentPeakBytes ?? 0 > 0)
    }

    @Test func anotherDriverDoesNotHaveTheOperation() throws {
        let outcome = try run(try archiving(), SQLiteDriver())
        #expect(outcome.rows.map(\.status) == [.unsupported, .unsupported])
        #expect(Set(outcome.rows.map(\.error)) == ["it has no operations of its own"])
    }

    @Test func theExampleIsShort() throws {
        let snippet = try #require(try Snippet.all().first { $0.name == "WritingADriver.operation" })
        #expect(snippet.code.split(separator: "\n", omittingEmptySubsequences: false).count < 60)
    }

    private func run(_ phases: [Phase]) throws -> RunOutcome {
        try run(Scenario(name: "file", records: 100, isolation: .none, entity: Self.entity, phases: phases))
    }

    private func run(_ scenario: Scenario, _ driver: any StoreDriver = FileDriver()) throws -> RunOutcome {
        let directory = try TemporaryDirectory()
        let request = RunRequest(
            scenario: scenario, drivers: [driver], output: directory.file("file.csv"),
            storeParent: directory.url)
        return try Run(request, interruption: Interruption()) { _ in }.run()
    }
}
