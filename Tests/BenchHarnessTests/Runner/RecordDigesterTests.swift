import Foundation
import Testing

@testable import BenchHarness

@Suite struct RecordDigesterTests {
    private let entity = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(name: "name", type: .string, generator: .constant(.null)),
            AttributeSpec(name: "score", type: .double, generator: .constant(.null)),
        ])

    private func fed(_ records: [[FieldValue]], sort: [SortSpec] = []) -> RecordDigester {
        var digester = RecordDigester(sort: sort, entity: entity)
        for record in records { digester.addRecord(record) }
        return digester
    }

    @Test func orderAndContentAreToldApart() {
        let a: [FieldValue] = [.string("a"), .double(1)]
        let b: [FieldValue] = [.string("b"), .double(2)]
        #expect(fed([a, b]).digest == fed([a, b]).digest)
        #expect(fed([a, b]).digest.unordered == fed([b, a]).digest.unordered)
        #expect(fed([a, b]).digest.ordered != fed([b, a]).digest.ordered)
        #expect(fed([a, a]).digest.unordered != fed([b, b]).digest.unordered)
        #expect(fed([[.string("ab"), .null]]).digest != fed([[.string("a"), .null]]).digest)
    }

    @Test func aSortIsCheckedKeyByKey() {
        let sort = [SortSpec(key: "score", ascending: false), SortSpec(key: "name")]
        let records: [[FieldValue]] = [
            [.string("z"), .double(2)], [.string("a"), .double(1)], [.string("a"), .double(1)],
            [.string("b"), .double(1)], [.string("a"), .null],
        ]
        #expect(fed(records, sort: sort).isOrdered)
        #expect(fed(records.reversed(), sort: sort).firstMisplaced == 1)
        #expect(fed(records + [[.string("c"), .double(0)]], sort: sort).firstMisplaced == 5)
        #expect(fed(records.reversed()).isOrdered)
    }

    @Test func theSortDoesNotChangeTheDigest() {
        let record: [FieldValue] = [.string("a"), .double(1)]
        #expect(fed([record], sort: [SortSpec(key: "name")]).digest == fed([record]).digest)
    }

    @Test func aDriverThatMixesUpTypesIsFoundOutWithoutATrap() {
        let records: [[FieldValue]] = [[.double(1), .string("a"), .bool(true)], [.string("a")], []]
        let right: [[FieldValue]] = [
            [.string("a"), .double(1)], [.string("a"), .double(1)], [.string("a"), .double(1)],
        ]
        let sort = [SortSpec(key: "name"), SortSpec(key: "score")]
        #expect(fed(records, sort: sort).digest.unordered != fed(right, sort: sort).digest.unordered)
    }

    @Test func readingComputesTheChecksumAndNothingElse() {
        func feed(_ digester: inout RecordDigester) {
            digester.add("a text that is longer than fifteen bytes")
            digester.add(1.5)
            digester.add(true)
            digester.add(Int64(7))
            digester.addNull()
            digester.add(FieldValue.data(Data([1, 2, 3])))
            digester.endRecord()
            digester.addOwner(3) {
                $0.add("owner")
            } records: {
                $0.add("owned")
                $0.endRecord()
            }
        }
        var (reader, digester) = (RecordDigester(readingWith: 5), RecordDigester())
        digester.checksum = ReadChecksum(salt: 5)
        feed(&reader)
        feed(&digester)
        #expect(reader.checksum == digester.checksum)
        #expect(reader.digest == RecordDigest() && digester.digest.count == 2)
    }

    @Test func theNumberOfAnOwnerIsDigestedButNotAskedForWhileReading() {
        var reader = RecordDigester(readingWith: 5)
        reader.addOwnerNumber(refuse())
        reader.addOwner(refuse()) { _ in
        } records: { _ in
        }
        var (first, second) = (RecordDigester(), RecordDigester())
        first.addOwnerNumber(1)
        first.endRecord()
        second.addOwnerNumber(nil)
        second.endRecord()
        #expect(first.digest != second.digest)
    }

    private func refuse() -> Int64 {
        Issue.record("the number of the owner is asked for")
        return 0
    }
}
