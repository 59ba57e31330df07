import BenchHarness
import Foundation

/// Rows for a copy to the server, in binary form.
struct ServerCopyBuffer: ServerValueSink {
    private(set) var buffer = ServerBytes()

    private static let signature: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]

    /// Appends what every copy begins with: the signature, flags, and the length of an extension that there is not.
    mutating func begin() {
        buffer.append(Self.signature)
        buffer.append(0 as Int64)
    }

    mutating func beginRow(fields: Int) { buffer.append(Int16(fields)) }
    mutating func end() { buffer.append(-1 as Int16) }
    mutating func removeAll() { buffer.removeAll() }

    @inline(__always) mutating func append(_ value: Int64) { buffer.appendValue(value) }
    @inline(__always) mutating func append(_ value: Double) { buffer.appendValue(value) }
    @inline(__always) mutating func append(_ value: Bool) { buffer.appendValue(value) }
    @inline(__always) mutating func append(_ value: String) { buffer.appendValue(value) }
    mutating func append(_ value: Data) { buffer.appendValue(value) }
    mutating func appendNull(_ type: FieldType) { buffer.append(-1 as Int32) }
}
