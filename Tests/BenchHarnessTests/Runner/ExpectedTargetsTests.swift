import Testing

@testable import BenchHarness

/// What must be in a store whose records lead to others, held against the plainest computation.
@Suite struct ExpectedTargetsTests {
    private let generator = RecordGenerator(entity: ListFixture.item, seed: 5)

    private var seeded: ExpectedStore {
        var store = ExpectedStore([generator, RecordGenerator(entity: ListFixture.list, seed: 5)])
        store.seed(records: 200)
        return store
    }

    private func record(_ ordinal: Int) -> [FieldValue] { (0..<2).map { generator.value($0, ordinal) } }

    private func number(_ ordinal: Int) -> Int { Int(generator.int64(1, ordinal)) }

    private func digest(_ records: some Sequence<[FieldValue]>) -> RecordDigest {
        var digester = RecordDigester()
        for record in records { digester.addRecord(record) }
        return digester.digest
    }

    private func discrepancy(_ fetch: FetchWork, _ records: [[FieldValue]]) -> String? {
        let expectation = seeded.expectation(for: fetch)
        var digester = expectation.makeDigester()
        for record in records { digester.addRecord(record) }
        return expectation.discrepancy(in: digester)
    }

    @Test func theStoreHoldsWhatTheRecordsLeadTo() {
        let lists = (1...10).map { [FieldValue.string("List \($0 - 1)"), .int64(Int64($0))] }
        #expect(seeded.digestOfAll().unordered == digest((0..<200).map(record) + lists).unordered)
        #expect(seeded.digestOfAll().count == 210)
        #expect(seeded.digest().count == 200)
        #expect(ExpectedStore(generator: generator).digestOfAll() == RecordDigest())
    }

    @Test func aRecordIsFollowedByWhatItLeadsTo() {
        let fetch = FetchWork(
            mode: .sync, sort: [SortSpec(key: "name")], follow: FollowSpec(relationship: "list", prefetch: false))
        let sorted = (0..<200).sorted { generator.string(0, $0) < generator.string(0, $1) }
        let found = sorted.map { record($0) + [.string("List \(number($0) - 1)")] }
        #expect(discrepancy(fetch, found) == nil)
        #expect(discrepancy(fetch, sorted.map(record)) != nil)
        #expect(discrepancy(fetch, found.map { [$0[0], $0[1], .string("List 0")] }) != nil)
    }

    @Test func aRecordHasThoseThatLeadToIt() {
        let fetch = FetchWork(mode: .sync, follow: FollowSpec(relationship: "items", prefetch: true))
        let expectation = seeded.focused(on: "List").expectation(for: fetch)
        func digested(leavingOut left: Int? = nil) -> RecordDigester {
            var digester = expectation.makeDigester()
            for list in 1...10 {
                digester.add("List \(list - 1)")
                digester.add(Int64(list))
                digester.addRecords(
                    digest((0..<200).filter { number($0) == list && $0 != left }.reversed().map(record)))
                digester.endRecord()
            }
            return digester
        }
        #expect(expectation.count == 10)
        #expect(expectation.discrepancy(in: digested()) == nil)
        #expect(expectation.discrepancy(in: digested(leavingOut: 17)) != nil)
    }

    @Test(arguments: [true, false]) func anOrderLooksThroughTheRelationship(ascending: Bool) {
        let fetch = FetchWork(mode: .sync, sort: [SortSpec(key: "list.title", ascending: ascending)])
        // Ten titles, of which none is longer than the others.
        let sorted = (0..<200).sorted { number($0) != number($1) && (number($0) < number($1)) == ascending }
        #expect(discrepancy(fetch, sorted.map(record)) == nil)
        #expect(discrepancy(fetch, sorted.reversed().map(record))?.contains("out of order") == true)
        let first = FetchWork(mode: .sync, sort: fetch.sort, limit: 3)
        #expect(discrepancy(first, sorted.prefix(3).map(record)) == nil)
        #expect(discrepancy(first, sorted.suffix(3).map(record)) != nil)
    }

    @Test func equalValuesShareAPlaceInTheOrder() throws {
        var list = ListFixture.list
        list.attributes[0].generator = .choice(values: [.string("a"), .null], weights: nil)
        let schema = Schema([ListFixture.item, list])
        let lists = RecordGenerator(entity: list, seed: 5)
        let order = try RecordOrder(
            [SortSpec(key: "list.title")], of: ListFixture.item, targets: schema.targets(seed: 5))
        let records = (1...10).map { [FieldValue.string(""), .int64($0)] }
        for (a, left) in records.enumerated() {
            for (b, right) in records.enumerated() {
                let expected = lists.value(0, a) == .null && lists.value(0, b) != .null
                #expect(order.areInIncreasingOrder(left, right) == expected)
            }
        }
        #expect(throws: RunError.self) { try RecordOrder([SortSpec(key: "list.title")], of: ListFixture.item) }
    }

    @Test func aFilterLooksThroughTheRelationship() {
        let filter = FilterSpec.not(.compare(key: "list.title", .greaterOrEqual, .string("List 4")))
        let found = (0..<200).filter { number($0) <= 4 }.map(record)
        #expect(!found.isEmpty && discrepancy(FetchWork(mode: .sync, filter: filter), found) == nil)
        var moved = seeded
        moved.apply(
            UpdateWork(
                mode: .batch, set: [AttributeChange(attribute: "list", operation: .assign(.int64(9)))], filter: filter))
        let expected = (0..<200).map { number($0) <= 4 ? [record($0)[0], .int64(9)] : record($0) }
        #expect(moved.digest() == digest(expected))
    }
}
