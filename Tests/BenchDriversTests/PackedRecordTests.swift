import BenchHarness
import DriverSupport
import Foundation
import Testing

@Suite struct PackedRecordTests {
    @Test(arguments: [
        FieldValue.null, .bool(true), .bool(false), .int64(.min), .date(-0.5), .double(1e300), .string(""),
        .string("é\u{0}'"), .data(Data()), .data(Data([0, 255])),
    ])
    func aRecordIsReadAsItWasWritten(_ value: FieldValue) throws {
        let record = PackedRecord(key: -7, version: 70_000, values: [value, .int64(1), value])
        #expect(try record.bytes.withUnsafeBytes { try PackedRecord(key: -7, bytes: $0) } == record)
    }

    @Test func aSmallRecordTakesFewBytes() {
        let item = PackedRecord(key: 1, values: [.string("Item 7"), .date(1.5), .bool(true)])
        #expect(item.bytes.count == 4 + 2 + (1 + 4 + 6) + (1 + 8) + 1)
    }

    @Test func aChangeCountsTheVersionUp() {
        let record = PackedRecord(key: 1, values: [.int64(5), .bool(false)])
        let changes = [RecordChange(attribute: 0, operation: .add(2)), RecordChange(attribute: 1, operation: .toggle)]
        let changed = record.changed(by: changes, ordinal: 0)
        #expect(changed == PackedRecord(key: 1, version: 2, values: [.int64(7), .bool(true)]))
    }

    @Test func damagedBytesAreRefused() {
        let bytes = PackedRecord(key: 1, values: [.string("Item 7"), .bool(true)]).bytes
        let damaged = (0..<bytes.count).map { Array(bytes[..<$0]) } + [bytes + [0], bytes.dropLast() + [8]]
        for bytes in damaged {
            #expect(throws: RunError.self) { try bytes.withUnsafeBytes { try PackedRecord(key: 1, bytes: $0) } }
        }
    }
}
