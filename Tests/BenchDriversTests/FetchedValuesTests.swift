import BenchHarness
import DriverSupport
import Foundation
import Testing

@Suite struct FetchedValuesTests {
    private let entity = EntitySpec(
        name: "Sample",
        attributes: [
            AttributeSpec(name: "at", type: .date, generator: .constant(.null)),
            AttributeSpec(name: "count", type: .int64, generator: .constant(.null)),
            AttributeSpec(name: "flag", type: .bool, generator: .constant(.null)),
            AttributeSpec(name: "title", type: .string, generator: .constant(.null)),
        ])

    /// Values that meet in each attribute, nulls and neighbouring large numbers among them.
    private var records: [[FieldValue]] {
        (0..<60).map { number in
            let at = FieldValue.date(Double(number % 5) - 2)
            let count = FieldValue.int64(.max - Int64(number % 4))
            let flag = FieldValue.bool(number.isMultiple(of: 2))
            let title = FieldValue.string("t\(number % 9)")
            return zip([at, count, flag, title], [7, 6, 3, 8]).map { number.isMultiple(of: $1) ? .null : $0 }
        }
    }

    @Test(arguments: ["at", "count", "flag", "title"], [true, false])
    func recordsAreInTheOrderOfTheHarness(_ key: String, ascending: Bool) throws {
        let work = FetchWork(mode: .sync, sort: [SortSpec(key: key, ascending: ascending), SortSpec(key: "title")])
        let found = try FetchedValues(records, for: work, of: entity)
        var digester = RecordDigester(sort: work.sort, entity: entity)
        try found.digest(into: &digester)
        #expect(found.count == 60)
        #expect(digester.firstMisplaced == nil)
    }

    @Test func aLimitCountsAfterSorting() throws {
        let work = FetchWork(
            mode: .sync, sort: [SortSpec(key: "title", ascending: false)], limit: 2, attributes: ["title"])
        let found = try FetchedValues(records, for: work, of: entity)
        var (digester, expected) = (RecordDigester(), RecordDigester())
        try found.digest(into: &digester)
        for _ in 0..<2 {
            expected.add("t8")
            expected.endRecord()
        }
        #expect(digester.digest == expected.digest)
    }

    @Test func anUnknownKeyIsRefused() {
        let work = FetchWork(mode: .sync, sort: [SortSpec(key: "none")])
        #expect(throws: RunError.self) { try FetchedValues(records, for: work, of: entity) }
    }
}
