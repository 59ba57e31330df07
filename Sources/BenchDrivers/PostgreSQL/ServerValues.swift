import BenchHarness
import CPostgres
import Foundation

/// The parameters of a statement.
struct ServerValues: ServerValueSink {
    private(set) var types: [Oid] = []
    private var bytes = ServerBytes()
    /// Where each value begins; -1 for a null value.
    private var starts: [Int] = []
    private var lengths: [Int32] = []

    var count: Int { types.count }

    mutating func removeAll() {
        types.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        bytes.removeAll()
    }

    @inline(__always)
    private mutating func append(_ type: Oid, _ write: (inout ServerBytes) -> Void) {
        let start = bytes.count
        write(&bytes)
        types.append(type)
        starts.append(start)
        lengths.append(Int32(bytes.count - start))
    }

    mutating func append(_ value: Int64) { append(ServerType.bigint.rawValue) { $0.append(value) } }
    mutating func append(_ value: Double) { append(ServerType.double.rawValue) { $0.append(value.bitPattern) } }
    mutating func append(_ value: Bool) { append(ServerType.boolean.rawValue) { $0.append(value ? 1 as UInt8 : 0) } }
    mutating func append(_ value: String) { append(ServerType.text.rawValue) { $0.append(value.utf8) } }
    mutating func append(_ value: Data) { append(ServerType.bytea.rawValue) { $0.append(value) } }

    mutating func appendNull(_ type: FieldType) {
        types.append(ServerType(type).rawValue)
        starts.append(-1)
        lengths.append(0)
    }

    /// Appends an array as one parameter.
    mutating func append(_ array: ServerArray) { append(array.type.arrayType) { $0.append(array.bytes) } }

    /// Calls `body` with the number of the values, their addresses, lengths and forms.
    func withPointers<Result>(
        _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        bytes.bytes.withUnsafeBytes { buffer in
            // A value without bytes is not null, and so must have an address.
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1) { empty in
                let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) ?? UnsafePointer(empty.baseAddress!)
                let capacity = max(count, 1)
                return withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: capacity) { values in
                    withUnsafeTemporaryAllocation(of: Int32.self, capacity: capacity) { formats in
                        for index in 0..<count {
                            values[index] = starts[index] < 0 ? nil : base + starts[index]
                            formats[index] = 1
                        }
                        return lengths.withUnsafeBufferPointer {
                            body(Int32(count), values.baseAddress, $0.baseAddress, formats.baseAddress)
                        }
                    }
                }
            }
        }
    }
}
