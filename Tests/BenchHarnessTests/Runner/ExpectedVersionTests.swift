import Testing

@testable import BenchHarness

@Suite struct ExpectedVersionTests {
    private static let entity = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(name: "number", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1)),
            AttributeSpec(name: "done", type: .bool, generator: .uniform(min: 0, max: 0.5)),
        ])
    private let generator = RecordGenerator(entity: entity, seed: 42)
    private let setting = [AttributeChange(attribute: "done", operation: .assign(.bool(true)))]
    private let toggling = [AttributeChange(attribute: "done", operation: .toggle)]

    private func seeded() -> ExpectedStore {
        var store = ExpectedStore(generator: generator)
        store.seed(records: 100)
        return store
    }

    /// The sum of a store whose records are all done, with these versions.
    private func sum(done: Bool? = true, _ version: (_ ordinal: Int, _ wasDone: Bool) -> Int) -> VersionSum {
        var scan = StoreScan()
        for ordinal in 0..<100 {
            let wasDone = generator.bool(1, ordinal)
            scan.values.add(Int64(ordinal))
            scan.values.add(done ?? wasDone)
            scan.endRecord(version: version(ordinal, wasDone))
        }
        return scan.versions
    }

    @Test func recordsBeginWithVersionOne() {
        #expect(seeded().content().rule(of: sum(done: nil) { _, _ in 1 }) != nil)
        #expect(seeded().content().rule(of: sum(done: nil) { ordinal, _ in ordinal == 50 ? 2 : 1 }) == nil)
    }

    @Test func aSaveThatChangesNothingCountsOrNotButForAllRecords() {
        var store = seeded()
        store.apply(UpdateWork(mode: .batch, set: setting))
        #expect(store.content().rule(of: sum { _, _ in 2 }) == .counted)
        #expect(store.content().rule(of: sum { $1 ? 1 : 2 }) == .skipped)
        #expect(store.content().rule(of: sum { $0 < 50 || !$1 ? 2 : 1 }) == nil)
        #expect(store.content().rule(of: sum { _, _ in 1 }) == nil)
    }

    @Test func thePhaseAfterCountsOnWhatTheOneBeforeLeft() {
        var store = seeded()
        store.apply(UpdateWork(mode: .batch, set: setting))
        store.settle(sum { $1 ? 1 : 2 })
        store.apply(UpdateWork(mode: .batch, set: setting))
        #expect(store.content().rule(of: sum { $1 ? 2 : 3 }) == .counted)
        #expect(store.content().rule(of: sum { $1 ? 1 : 2 }) == .skipped)
        #expect(store.content().rule(of: sum { _, _ in 3 }) == nil)
    }

    @Test func onlyTheRecordsThatAFilterFindsCount() {
        var store = seeded()
        let filter = FilterSpec.compare(key: "number", .less, .int64(30))
        store.apply(UpdateWork(mode: .batch, set: setting, filter: filter))
        store.apply(UpdateWork(mode: .batch, set: toggling, filter: filter))
        var scan = StoreScan()
        for ordinal in 0..<100 {
            scan.values.add(Int64(ordinal))
            scan.values.add(ordinal < 30 ? false : generator.bool(1, ordinal))
            scan.endRecord(version: ordinal < 30 ? 3 : 1)
        }
        #expect(store.content().rule(of: scan.versions) == .counted)
    }

    @Test func theOrderOfRecordsDoesNotMatter() {
        var (first, second) = (StoreScan(), StoreScan())
        for (number, other) in zip(0..<10, (0..<10).reversed()) {
            first.values.add(Int64(number))
            first.endRecord(version: number)
            second.values.add(Int64(other))
            second.endRecord(version: other)
        }
        #expect(first.versions == second.versions && first.unversioned == 0)
        second.endRecord(version: nil)
        #expect(second.unversioned == 1)
    }
}
