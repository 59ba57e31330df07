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
}
