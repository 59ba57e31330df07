import Dispatch
import Foundation
import Locking
import TestSupport
import Testing

@testable import BenchHarness

/// A store in memory that can do what every store can, and nothing else.
private struct PlainDriver: StoreDriver {
    let name = "plain"
    let summary = "for tests"
    var sessionType: any StoreSession.Type { PlainSession.self }
    func open(_ configuration: StoreConfiguration) throws -> any StoreSession { try PlainSession(configuration) }
}

private final class PlainSession: StoreSession {
    let queue = DispatchQueue(label: "plain")
    private let file: URL
    private let records: RecordGenerator

    init(_ configuration: StoreConfiguration) throws {
        file = configuration.directory.appendingPathComponent("count")
        records = configuration.records
    }

    func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        try monitor.operation { try Data("\(records)".utf8).write(to: file) }
    }
    func finish() {}
    func counters() -> StoreCounters { StoreCounters() }
    func resetCounters() {}
    func scan(into digester: inout RecordDigester) throws {
        for ordinal in 0..<(Int(try String(contentsOf: file, encoding: .utf8)) ?? 0) {
            digester.add(records.int64(0, ordinal))
            digester.endRecord()
        }
    }
    func checkIntegrity() -> [String] { [] }
    func close() {}
}

@Suite struct CapabilityTests {
    private static let works: [(work: Phase.Work, capability: String)] = [
        (.fetch(FetchWork(mode: .sync)), "FetchingSession"),
        (.fetch(FetchWork(mode: .async)), "AsynchronousFetchingSession"),
        (.get(GetWork(count: 1)), "GettingSession"),
        (.page(PageWork(by: .offset, pageSize: 1, sort: [SortSpec(key: "n")])), "PagingSession"),
        (.insert(InsertWork(records: 1)), "InsertingSession"),
        (.upsert(UpsertWork(records: 1)), "UpsertingSession"),
        (.update(UpdateWork(mode: .batch, set: [])), "UpdatingSession"),
        (.undo(UndoWork(set: [])), "UndoingSession"),
        (.delete(DeleteWork(mode: .batch)), "DeletingSession"), (.count(CountWork()), "CountingSession"),
        (.aggregate(AggregateWork(.sum, of: "n")), "AggregatingSession"),
        (
            .merge(
                MergeWork(
                    writers: 1, savesPerWriter: 1, insertsPerSave: 1, changesPerSave: 0, deletesPerSave: 0, set: [])),
            "MergingSession"
        ),
        (
            .load(LoadWork(source: .mix(MixSpec(operations: [.read: 1])), workers: 1, pace: PaceSpec(operations: 1))),
            "LoadingSession"
        ),
        (.checkpoint, "CheckpointingSession"),
    ]

    /// The reports on a seed and on each of the works.
    private func reports(by driver: some StoreDriver) throws -> [ResultRow] {
        var scenario = FakeDriver.scenario
        scenario.phases = [Phase(name: "seed", from: .empty, work: .seed(SeedWork()))]
        scenario.phases += Self.works.enumerated().map { index, element in
            Phase(name: "p\(index)", from: .seeded, work: element.work)
        }
        let directory = try TemporaryDirectory()
        let job = RepetitionJob(
            run: "r", scenario: scenario, driver: driver.name, repetition: 1, phases: scenario.phases.indices,
            directory: directory.url.path, parent: 0)
        let rows = Locked<[ResultRow]>([])
        var runner = RepetitionRunner(job, driver: driver, instruments: .platform) { event in
            if case .finished(let report) = event { rows.withLock { $0.append(report.row) } }
        }
        try runner.run()
        return rows.value
    }

    @Test func phaseThatSessionsHaveNoCapabilityForIsUnsupportedAndNamesIt() throws {
        let rows = try reports(by: PlainDriver())
        #expect(rows.first?.status == .ok, "\(rows.first?.error ?? "")")
        #expect(rows.count == Self.works.count + 1)
        for (row, work) in zip(rows.dropFirst(), Self.works) {
            #expect(row.status == .unsupported)
            #expect(row.error.hasSuffix(": its sessions do not conform to \(work.capability)"), "\(row.error)")
        }
    }

    @Test func sessionThatIsNotWhatItsDriverDeclaresFailsThePhase() throws {
        struct Boastful: StoreDriver {
            let name = "boastful"
            let summary = "for tests"
            var sessionType: any StoreSession.Type { FakeDriver().sessionType }
            func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
                try PlainSession(configuration)
            }
        }
        let rows = try reports(by: Boastful())
        #expect(rows.first?.status == .ok)
        for row in rows.dropFirst() {
            #expect(row.status == .failed)
            #expect(row.error.contains("its sessionType declares"), "\(row.error)")
        }
    }
}
