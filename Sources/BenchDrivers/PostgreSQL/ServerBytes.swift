import BenchHarness
import Foundation

/// Values in the server's binary form, one after another: numbers have their most significant byte first.
struct ServerBytes {
    private(set) var bytes: [UInt8] = []

    var count: Int { bytes.count }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    @inline(__always)
    mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    @inline(__always)
    mutating func append(_ other: some Collection<UInt8>) { bytes.append(contentsOf: other) }

    /// Writes a number of 32 bits over the bytes at `offset`.
    mutating func replace(at offset: Int, with number: Int32) {
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: number.bigEndian, toByteOffset: offset, as: Int32.self) }
    }
}

/// What takes values for a server, which never fails.
protocol ServerValueSink: SQLValueSink {
    mutating func append(_ value: Int64)
    mutating func append(_ value: Double)
    mutating func append(_ value: Bool)
    mutating func append(_ value: String)
    mutating func append(_ value: Data)
    mutating func appendNull(_ type: FieldType)
}

extension ServerValueSink {
    /// Appends a value as one of `type`: a server does not compare values of different types as SQLite does.
    mutating func append(_ value: FieldValue, as type: FieldType) {
        switch (value, type) {
        case (.null, _): appendNull(type)
        case (.string(let value), _): append(value)
        case (.bool(let value), _): append(value)
        case (.data(let value), _): append(value)
        case (.int64(let value), .date), (.int64(let value), .double): append(Double(value))
        case (.int64(let value), _): append(value)
        case (.date(let value), _), (.double(let value), _): append(value)
        }
    }
}
