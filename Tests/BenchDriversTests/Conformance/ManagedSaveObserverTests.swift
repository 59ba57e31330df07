import BenchDrivers
import Testing

@testable import BenchHarness
@testable import DriverConformance

/// The merging context and its controller are told of every save.
@Suite struct ManagedSaveObserverTests {
    @Test func everySaveIsMergedAndPassedOn() async throws {
        let spec = SaveSpec(
            mode: .controller, insertsPerSave: 1, changesPerSave: 0, deletesPerSave: 0, set: [],
            sort: [SortSpec(key: "number", ascending: false)])
        let work = LoadWork(source: .saves(spec), workers: 2, pace: PaceSpec(operations: 30))
        let row = try await onThread {
            try CheckedStore(ManagedDriver(), entity: .numbered).report(on: work, records: 10).row
        }
        #expect(row.status == .ok, "\(row.error)")
        #expect(row.mergeMax != nil && row.delegateMax != nil)
        #expect(try #require(row.delegateMax) >= 0)
    }
}
