import Foundation
import Testing

@testable import BenchHarness

/// Holds the compact model against the plainest one: a dictionary of records.
@Suite struct ExpectedStoreTests {
    private static let entity = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(name: "name", type: .string, generator: .sequence(prefix: "Item ", start: 0, step: 1)),
            AttributeSpec(name: "createdAt", type: .date, generator: .uniform(min: 0, max: 1e8)),
            AttributeSpec(name: "done", type: .bool, generator: .constant(.bool(false))),
            AttributeSpec(name: "score", type: .int64, generator: .uniform(min: 0, max: 10)),
        ])
    private let generator = RecordGenerator(entity: entity, seed: 42)
    private let done = [AttributeChange(attribute: "done", operation: .assign(.bool(true)))]

    private func seeded(_ records: Int = 1_000) -> ExpectedStore {
        var store = ExpectedStore(generator: generator)
        store.seed(records: records)
        return store
    }

    private func record(_ ordinal: Int) -> [FieldValue] { (0..<4).map { generator.value($0, ordinal) } }

    private func digest(_ records: some Sequence<[FieldValue]>) -> RecordDigest {
        var digester = RecordDigester()
        for record in records { digester.addRecord(record) }
        return digester.digest
    }

    @Test func aSeededStoreHoldsWhatTheGeneratorMakes() {
        #expect(ExpectedStore(generator: generator).digest() == RecordDigest())
        #expect(seeded().digest() == digest((0..<1_000).map(record)))
    }

    @Test func anUpdateChangesWhatMatches() {
        var store = seeded()
        let before = store.digest()
        store.apply(UpdateWork(mode: .batch, set: done, filter: .compare(key: "score", .less, .int64(3))))
        let expected = (0..<1_000).map(record).map { record in
            guard case .int64(let score) = record[3], score < 3 else { return record }
            return [record[0], record[1], .bool(true), record[3]]
        }
        #expect(store.digest() == digest(expected))
        #expect(store.digest() != before)
    }

    @Test func aMergeInsertsChangesAndDeletes() {
        let work = MergeWork(
            writers: 4, savesPerWriter: 5, insertsPerSave: 3, changesPerSave: 2, deletesPerSave: 1, set: done)
        let plan = MergePlan.make(work: work, records: 1_000, seed: 9)
        var store = seeded()
        store.apply(plan)
        var records = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ($0, record($0)) })
        for save in plan.saves {
            for ordinal in save.changes { records[ordinal]?[2] = .bool(true) }
            for ordinal in save.deletes { #expect(records.removeValue(forKey: ordinal) != nil) }
            for ordinal in save.inserts { records[ordinal] = record(ordinal) }
        }
        #expect(records.count == 1_000 + 20 * (3 - 1))
        #expect(store.digest().unordered == digest(records.values).unordered)
        let merged = plan.saves.flatMap { Array($0.changes) + Array($0.inserts) }.compactMap { records[$0] }
        #expect(store.mergedDigest(plan) == digest(merged))
    }

    @Test func plansAreRepeatableAndTheirSavesDisjoint() {
        let work = MergeWork(
            writers: 3, savesPerWriter: 7, insertsPerSave: 2, changesPerSave: 5, deletesPerSave: 3, set: done)
        let plan = MergePlan.make(work: work, records: 170, seed: 3)
        #expect(plan == MergePlan.make(work: work, records: 170, seed: 3))
        #expect(plan != MergePlan.make(work: work, records: 170, seed: 4))
        let touched = plan.saves.flatMap { Array($0.changes) + Array($0.deletes) }
        #expect(Set(touched).count == 21 * 8 && touched.allSatisfy { (0..<170).contains($0) })
        #expect(plan.saves.flatMap { Array($0.inserts) }.sorted() == Array(170..<(170 + 42)))
    }

    @Test func aSortedFetchMustHaveTheRightRecordsInOrder() {
        let fetch = FetchWork(mode: .sync, sort: [SortSpec(key: "createdAt")])
        let sorted = (0..<1_000).map(record).sorted { $0[1].order(against: $1[1]) == .less }
        #expect(discrepancy(fetch, sorted) == nil)
        #expect(discrepancy(fetch, Array(sorted.reversed()))?.contains("out of order") == true)
        #expect(discrepancy(fetch, Array(sorted.dropLast()))?.contains("expected 1000") == true)
        #expect(
            discrepancy(fetch, Array(sorted.dropLast()) + [sorted[0]])?.contains("differ from those expected") == true)
    }

    @Test func aFetchOfSomeAttributesMustHaveThemAlone() {
        let fetch = FetchWork(
            mode: .sync, sort: [SortSpec(key: "createdAt")], filter: .compare(key: "score", .less, .int64(3)),
            attributes: ["createdAt", "name"])
        let found = (0..<1_000).map(record).filter { $0[3].order(against: .int64(3)) == .less }
            .sorted { $0[1].order(against: $1[1]) == .less }
        #expect(discrepancy(fetch, found.map { [$0[0], $0[1]] }) == nil)
        #expect(discrepancy(fetch, found) != nil)
        #expect(discrepancy(fetch, found.map { [$0[1], $0[0]] }) != nil)
        #expect(discrepancy(fetch, found.reversed().map { [$0[0], $0[1]] })?.contains("out of order") == true)
    }

    @Test func aLimitThatCutsThroughEqualsLeavesTheChoice() {
        let fetch = FetchWork(mode: .sync, sort: [SortSpec(key: "score", ascending: false)], limit: 150)
        let sorted = (0..<1_000).map(record).sorted { $0[3].order(against: $1[3]) == .greater }
        let boundary = sorted[149][3]
        let certain = sorted.filter { $0[3].order(against: boundary) == .greater }
        let tied = sorted.filter { $0[3] == boundary }
        let rest = 150 - certain.count
        #expect(tied.count > rest, "the test needs more equals than fit")
        #expect(discrepancy(fetch, certain + tied.prefix(rest)) == nil)
        #expect(discrepancy(fetch, certain + tied.suffix(rest)) == nil)
        #expect(discrepancy(fetch, certain + Array(repeating: tied[0], count: rest)) != nil)
        #expect(discrepancy(fetch, certain.dropLast() + tied.prefix(rest + 1)) != nil)
    }

    @Test func aLimitBeyondTheRecordsIsNone() {
        let fetch = FetchWork(mode: .sync, limit: 5_000)
        #expect(discrepancy(fetch, (0..<1_000).map(record)) == nil)
    }

    private func discrepancy(_ fetch: FetchWork, _ records: [[FieldValue]]) -> String? {
        let expectation = seeded().expectation(for: fetch)
        var digester = expectation.makeDigester()
        for record in records { digester.addRecord(record) }
        return expectation.discrepancy(in: digester)
    }
}
