import Testing

@testable import BenchHarness

/// What must be in a store whose records belong to owners, held against the plainest computation.
@Suite struct ExpectedOwnersTests {
    private let generator = RecordGenerator(entity: OwnerFixture.entity, seed: 5)

    private var seeded: ExpectedStore {
        var store = ExpectedStore(generator: generator)
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

    @Test func theStoreHoldsTheOwnersBesideTheRecords() {
        let owners = (1...10).map { [FieldValue.string("List \($0 - 1)"), .int64(Int64($0))] }
        #expect(seeded.digestWithOwners().unordered == digest((0..<200).map(record) + owners).unordered)
        #expect(seeded.digestWithOwners().count == 210)
        #expect(seeded.digest().count == 200)
        #expect(ExpectedStore(generator: generator).digestWithOwners() == RecordDigest())
    }

    @Test func aRecordIsFollowedByItsOwner() {
        let fetch = FetchWork(
            mode: .sync, sort: [SortSpec(key: "name")], follow: FollowSpec(relationship: "list", prefetch: false))
        let sorted = (0..<200).sorted { generator.string(0, $0) < generator.string(0, $1) }
        let found = sorted.map { record($0) + [.string("List \(number($0) - 1)")] }
        #expect(discrepancy(fetch, found) == nil)
        #expect(discrepancy(fetch, sorted.map(record)) != nil)
        #expect(discrepancy(fetch, found.map { [$0[0], $0[1], .string("List 0")] }) != nil)
    }

    @Test func anOwnerHasItsRecords() {
        let fetch = FetchWork(mode: .sync, follow: FollowSpec(relationship: "items", prefetch: true))
        let expectation = seeded.expectation(for: fetch)
        func digested(leavingOut left: Int? = nil) -> RecordDigester {
            var digester = expectation.makeDigester()
            for owner in 1...10 {
                digester.add("List \(owner - 1)")
                digester.add(Int64(owner))
                digester.addRecords(
                    digest((0..<200).filter { number($0) == owner && $0 != left }.reversed().map(record)))
                digester.endRecord()
            }
            return digester
        }
        #expect(expectation.count == 10)
        #expect(expectation.discrepancy(in: digested()) == nil)
        #expect(expectation.discrepancy(in: digested(leavingOut: 17)) != nil)
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
