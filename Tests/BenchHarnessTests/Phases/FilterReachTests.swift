import Testing

@testable import BenchHarness

@Suite struct FilterReachTests {
    private func store(_ entity: EntitySpec, records: Int) -> ExpectedStore {
        var store = ExpectedStore(generator: RecordGenerator(entity: entity, seed: 1))
        store.seed(records: records)
        return store
    }

    private static let numbered = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(name: "number", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1))
        ])

    @Test(
        arguments: [
            (nil, nil), (FilterSpec.compare(key: "number", .less, .int64(30)), FilterReach.someRecords),
            (.compare(key: "number", .less, .int64(100)), .everyRecord),
            (.compare(key: "number", .greater, .int64(99)), .noRecord),
            (.not(.compare(key: "number", .less, .int64(100))), .noRecord),
        ] as [(FilterSpec?, FilterReach?)])
    func aFilterReachesNoneSomeOrAllRecords(filter: FilterSpec?, reach: FilterReach?) {
        #expect(store(Self.numbered, records: 100).reach(of: filter) == reach)
    }

    @Test func anEmptyStoreTellsNothing() {
        let filter = FilterSpec.compare(key: "number", .less, .int64(30))
        #expect(store(Self.numbered, records: 0).reach(of: filter) == nil)
    }

    @Test func theRecordsAreThoseOfNow() {
        var store = store(Self.numbered, records: 100)
        let filter = FilterSpec.compare(key: "number", .less, .int64(30))
        store.append(ExpectedDeletion(DeleteWork(mode: .batch, filter: .not(filter)), in: store))
        #expect(store.reach(of: filter) == .everyRecord)
        store.append(ExpectedDeletion(DeleteWork(mode: .batch), in: store))
        #expect(store.reach(of: filter) == nil)
    }
}
