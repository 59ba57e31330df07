import Testing

@testable import BenchHarness

@Suite struct DeleteWorkTests {
    private let generator = RecordGenerator(
        entity: EntitySpec(
            name: "Item",
            attributes: [
                AttributeSpec(name: "score", type: .int64, generator: .uniform(min: 0, max: 9)),
                AttributeSpec(
                    name: "n", type: .int64, generator: .sequence(prefix: "", start: 0, step: -1), isUnique: true),
            ]), seed: 3)

    private func seeded(_ records: Int) -> ExpectedStore {
        var store = ExpectedStore(generator: generator)
        store.seed(records: records)
        return store
    }

    private func left(_ store: ExpectedStore) -> [Int64] {
        var numbers: [Int64] = []
        store.forEachRecord { record in
            if case .int64(let number) = record[1] { numbers.append(number) }
        }
        return numbers
    }

    @Test func theFirstRecordsOfAnOrderAreExpectedToGo() {
        var store = seeded(100)
        let work = DeleteWork(
            mode: .batch, filter: .compare(key: "score", .greater, .int64(2)),
            sort: [SortSpec(key: "score"), SortSpec(key: "n")], limit: 20)
        let sorted = (0..<100).filter { generator.int64(0, $0) > 2 }
            .sorted { (generator.int64(0, $0), -$0) < (generator.int64(0, $1), -$1) }
        #expect(work.apply(to: &store, (), FakeDriver.scenario) == 20)
        let gone = Set(sorted.prefix(20))
        #expect(left(store) == (0..<100).filter { !gone.contains($0) }.map { -Int64($0) })
        // What is deleted later begins where this ended.
        #expect(work.apply(to: &store, (), FakeDriver.scenario) == 20)
        #expect(left(store).count == 60 && left(store).contains(-Int64(sorted[40])))
    }

    @Test(arguments: [(100, 100), (100, 500), (5, 1_000)]) func aLimitAboveTheRecordsDeletesAll(
        records: Int, limit: Int
    ) {
        var store = seeded(records)
        let work = DeleteWork(mode: .perObject, sort: [SortSpec(key: "n")], limit: limit)
        #expect(work.apply(to: &store, (), FakeDriver.scenario) == records)
        #expect(left(store).isEmpty)
        #expect(work.state(after: StoreState(records: records), seeding: records).records == 0)
    }

    @Test func theLimitIsScaled() {
        let scale = Scaling(factor: 0.1, records: 30, schema: Schema(generator.entity))
        let sort = [SortSpec(key: "n")]
        #expect(
            DeleteWork(mode: .batch, sort: sort, limit: 50).scaled(scale)
                == DeleteWork(mode: .batch, sort: sort, limit: 5))
        #expect(DeleteWork(mode: .batch).scaled(scale) == DeleteWork(mode: .batch))
    }

    // MARK: - Reading

    private func json(_ keys: String) -> String {
        let head = ScenarioFixture.valid.components(separatedBy: #""phases": ["#)[0]
        return head + #""phases": [{ "name": "d", "kind": "delete", "from": "seeded", "mode": "batch"\#(keys) }]}"#
    }

    @Test func aSortAndALimitAreRead() throws {
        let keys = #", "sort": [{ "key": "createdAt" }, { "key": "score", "ascending": false }], "limit": 5"#
        let sort = [SortSpec(key: "createdAt"), SortSpec(key: "score", ascending: false)]
        #expect(
            try ScenarioFixture.read(json(keys)).phases[0].work
                == .delete(DeleteWork(mode: .batch, sort: sort, limit: 5)))
        #expect(try ScenarioFixture.read(json("")).phases[0].work == .delete(DeleteWork(mode: .batch)))
    }

    @Test(arguments: [
        (#", "limit": 5"#, "phases[0].limit", "a deletion with limit alone; expected sort too"),
        (#", "sort": [{ "key": "score" }]"#, "phases[0].sort", "a deletion with sort alone; expected limit too"),
        (
            #", "limit": 5, "sort": [{ "key": "createdAt" }]"#, "phases[0].sort",
            "a deletion of the first records in an order that leaves records equal; expected a last key"
        ),
        (#", "limit": 0, "sort": [{ "key": "score" }]"#, "phases[0].limit", "expected an integer from 1"),
    ])
    func mistakesAreNamedWithTheirPlace(keys: String, path: String, text: String) {
        assertInvalidScenario(json(keys), at: path, saying: text)
    }
}
