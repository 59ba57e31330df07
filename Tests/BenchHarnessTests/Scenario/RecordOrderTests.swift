import Foundation
import Testing

@testable import BenchHarness

@Suite struct RecordOrderTests {
    private static let entity = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(name: "name", type: .string, generator: .constant(.null)),
            AttributeSpec(name: "score", type: .double, generator: .constant(.null)),
        ])

    /// Values of each type, in their order.
    private static let values: [[FieldValue]] = [
        [.null, .string(""), .string("B"), .string("a"), .string("ab"), .string("e\u{301}"), .string("\u{E9}")],
        [.null, .bool(false), .bool(true)],
        [.null, .int64(.min), .int64(-1), .int64(0), .int64(.max)],
        [.null, .double(-.infinity), .double(-1), .double(0.5), .double(.infinity)],
        [.null, .date(-1), .date(0), .date(1e9)],
        [.null, .data(Data()), .data(Data([1])), .data(Data([1, 0])), .data(Data([255]))],
    ]

    @Test(arguments: values) func valuesOfATypeAreInOrder(_ values: [FieldValue]) throws {
        let key = [SortSpec(key: "score")]
        let ascending = try RecordOrder(key, of: Self.entity)
        let descending = try RecordOrder([SortSpec(key: "score", ascending: false)], of: Self.entity)
        let records = values.map { [.null, $0] }
        #expect(records.reversed().sorted(by: ascending.areInIncreasingOrder) == records)
        #expect(records.sorted(by: descending.areInIncreasingOrder) == records.reversed())
        #expect(RecordDigester.fed(records, sort: key, of: Self.entity).isOrdered)
        #expect(RecordDigester.fed(records.reversed(), sort: key, of: Self.entity).firstMisplaced == 1)
    }

    @Test func laterKeysCountAmongEquals() throws {
        let order = try RecordOrder([SortSpec(key: "score", ascending: false), SortSpec(key: "name")], of: Self.entity)
        let sorted: [[FieldValue]] = [
            [.string("z"), .double(2)], [.string("a"), .double(1)], [.string("b"), .double(1)], [.string("a"), .null],
        ]
        #expect(sorted.reversed().sorted(by: order.areInIncreasingOrder) == sorted)
        #expect(!order.areInIncreasingOrder(sorted[1], sorted[1]))
        #expect(order.areInIncreasingOrder({ sorted[0][$0] }, { sorted[1][$0] }))
    }

    /// A related record without the value is as good as none.
    @Test func aRelatedNullIsEqualToNoRelatedRecord() throws {
        let entity = EntitySpec(
            name: "Task", attributes: Self.entity.attributes,
            references: [ReferenceSpec(relationship: "item", inverse: "tasks", entityName: "Item", records: 3)])
        let scores: [FieldValue] = [.double(7), .null, .double(-7)]
        let targets = TargetValues(of: Self.entity, count: 3, value: { $0 == 1 ? scores[$1] : .null })
        let order = try RecordOrder(
            [SortSpec(key: "item.score"), SortSpec(key: "name")], of: entity, targets: [targets])
        let sorted: [[FieldValue]] = [
            [.string("a"), .null, .null], [.string("b"), .null, .int64(2)], [.string("c"), .null, .null],
            [.string("a"), .null, .int64(3)], [.string("a"), .null, .int64(1)],
        ]
        #expect(sorted.reversed().sorted(by: order.areInIncreasingOrder) == sorted)
    }

    @Test func keyThatIsNoAttributeIsNamed() throws {
        let error = #expect(throws: RunError.self) {
            try RecordOrder([SortSpec(key: "nmae")], of: Self.entity)
        }
        #expect(error?.description == "Item has no attribute \"nmae\"; it has name, score")
    }
}

extension RecordDigester {
    fileprivate static func fed(_ records: [[FieldValue]], sort: [SortSpec], of entity: EntitySpec) -> Self {
        var digester = RecordDigester(sort: sort, entity: entity)
        for record in records { digester.addRecord(record) }
        return digester
    }
}
