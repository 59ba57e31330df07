import BenchHarness
import Foundation

/// The values of a column of several rows, as one parameter.
struct ServerArray: ServerValueSink {
    let type: ServerType
    private var buffer = ServerBytes()
    private var count: Int32 = 0

    /// The offset of the number of values: after the number of dimensions, the mark that values may be null, and the
    /// type.
    private static let countOffset = 12

    init(_ type: ServerType) {
        self.type = type
        buffer.append(1 as Int32)
        buffer.append(1 as Int32)
        buffer.append(type.rawValue)
        buffer.append(0 as Int32)
        buffer.append(1 as Int32)
    }

    init(_ keys: some Sequence<Int64>) {
        self.init(.bigint)
        for key in keys { append(key) }
    }

    var byteCount: Int { buffer.count }

    /// The bytes of the parameter. There must be values.
    var bytes: [UInt8] {
        var whole = buffer
        whole.replace(at: Self.countOffset, with: count)
        return whole.bytes
    }

    mutating func append(_ value: Int64) { add { $0.appendValue(value) } }
    mutating func append(_ value: Double) { add { $0.appendValue(value) } }
    mutating func append(_ value: Bool) { add { $0.appendValue(value) } }
    mutating func append(_ value: String) { add { $0.appendValue(value) } }
    mutating func append(_ value: Data) { add { $0.appendValue(value) } }
    mutating func appendNull(_ type: FieldType) { add { $0.append(-1 as Int32) } }

    @inline(__always)
    private mutating func add(_ write: (inout ServerBytes) -> Void) {
        write(&buffer)
        count += 1
    }
}

extension ServerBytes {
    // Each value after its length, as in arrays and in rows of a copy.

    @inline(__always)
    mutating func appendValue(_ value: Int64) {
        append(8 as Int32)
        append(value)
    }

    @inline(__always)
    mutating func appendValue(_ value: Double) {
        append(8 as Int32)
        append(value.bitPattern)
    }

    @inline(__always)
    mutating func appendValue(_ value: Bool) {
        append(1 as Int32)
        append(value ? 1 as UInt8 : 0)
    }

    @inline(__always)
    mutating func appendValue(_ value: String) {
        var value = value
        value.withUTF8 {
            append(Int32($0.count))
            append($0)
        }
    }

    mutating func appendValue(_ value: Data) {
        append(Int32(value.count))
        append(value)
    }
}
