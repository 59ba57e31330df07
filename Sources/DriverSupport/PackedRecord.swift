import BenchHarness
import Foundation

/// A record with its key and version, and the bytes that a store of keys and values keeps under the key.
///
/// The bytes are the version, the number of values, and each value as a tag and as many bytes as it takes. They are in
/// the machine's order, so a file with them belongs to one kind of machine.
public struct PackedRecord: Sendable, Equatable {
    /// The key, which is not among the bytes.
    public let key: Int64
    /// 1 after the insertion, plus 1 for each save that changed the record.
    public var version: Int
    /// The values, in the order of the entity's attributes.
    public var values: [FieldValue]

    /// Creates a record, which is in its first version unless another is given.
    public init(key: Int64, version: Int = 1, values: [FieldValue]) {
        self.key = key
        self.version = version
        self.values = values
    }

    /// Reads a record from the bytes under its key.
    ///
    /// - Throws: `RunError` if they are not the bytes of a record.
    public init(key: Int64, bytes: UnsafeRawBufferPointer) throws(RunError) {
        var reader = PackedReader(bytes: bytes, key: key)
        let (version, count) = (try reader.number(UInt32.self), try reader.number(UInt16.self))
        self.init(key: key, version: Int(version), values: [])
        values.reserveCapacity(Int(count))
        for _ in 0..<count { values.append(try reader.value()) }
        try reader.end()
    }

    /// The bytes to store.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64)
        func add(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) } }
        func add(_ tag: PackedTag, _ number: some FixedWidthInteger) {
            bytes.append(tag.rawValue)
            add(number)
        }
        add(UInt32(truncatingIfNeeded: version))
        add(UInt16(values.count))
        for value in values {
            switch value {
            case .null: bytes.append(PackedTag.null.rawValue)
            case .bool(let value): bytes.append((value ? PackedTag.true : .false).rawValue)
            case .int64(let value): add(.int64, value)
            case .date(let value): add(.date, value.bitPattern)
            case .double(let value): add(.double, value.bitPattern)
            case .string(let value):
                add(.string, UInt32(value.utf8.count))
                bytes.append(contentsOf: value.utf8)
            case .data(let value):
                add(.data, UInt32(value.count))
                bytes.append(contentsOf: value)
            }
        }
        return bytes
    }

    /// Returns the record with `ordinal` after changes, in its next version.
    public func changed(by changes: [RecordChange], ordinal: Int) -> PackedRecord {
        var changed = PackedRecord(key: key, version: version + 1, values: values)
        for change in changes {
            changed.values[change.attribute] = values[change.attribute].after(change.operation, ordinal: ordinal)
        }
        return changed
    }
}

/// The first byte of a value.
private enum PackedTag: UInt8 {
    case null, `false`, `true`, int64, date, double, string, data
}

/// Takes the parts of a record one after another.
private struct PackedReader {
    let bytes: UnsafeRawBufferPointer
    let key: Int64
    private var place = 0

    init(bytes: UnsafeRawBufferPointer, key: Int64) { (self.bytes, self.key) = (bytes, key) }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) throws(RunError) -> Number {
        try take(MemoryLayout<Number>.size).loadUnaligned(as: type)
    }

    mutating func value() throws(RunError) -> FieldValue {
        guard let tag = PackedTag(rawValue: try number(UInt8.self)) else { throw damage }
        return switch tag {
        case .null: .null
        case .false: .bool(false)
        case .true: .bool(true)
        case .int64: .int64(try number(Int64.self))
        case .date: .date(Double(bitPattern: try number(UInt64.self)))
        case .double: .double(Double(bitPattern: try number(UInt64.self)))
        case .string: .string(String(decoding: try take(Int(number(UInt32.self))), as: UTF8.self))
        case .data: .data(Data(try take(Int(number(UInt32.self)))))
        }
    }

    func end() throws(RunError) { if place != bytes.count { throw damage } }

    private mutating func take(_ count: Int) throws(RunError) -> UnsafeRawBufferPointer {
        guard count <= bytes.count - place else { throw damage }
        defer { place += count }
        return UnsafeRawBufferPointer(rebasing: bytes[place..<place + count])
    }

    private var damage: RunError {
        RunError(.phase, "the \(bytes.count) bytes under the key \(key) are not those of a record")
    }
}
