import BenchHarness

/// A row that a server sent, in binary form.
protocol ServerRow: SQLRow {
    /// The bytes of a value, valid until the next row; nil if it is null.
    func bytes(_ column: Int) -> UnsafeRawBufferPointer?
}

extension ServerRow {
    @inline(__always)
    func isNull(_ column: Int) -> Bool { bytes(column) == nil }

    @inline(__always)
    func int64(_ column: Int) -> Int64 {
        guard let bytes = bytes(column) else { return 0 }
        return switch bytes.count {
        case 8: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case 4: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        // A bool.
        case 1: Int64(bytes[0])
        default: 0
        }
    }

    @inline(__always)
    func double(_ column: Int) -> Double {
        guard let bytes = bytes(column), bytes.count == 8 else { return 0 }
        return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    }

    @inline(__always)
    func bool(_ column: Int) -> Bool { bytes(column)?.first == 1 }

    @inline(__always)
    func string(_ column: Int) -> String {
        guard let bytes = bytes(column) else { return "" }
        return String(decoding: bytes.bindMemory(to: UInt8.self), as: UTF8.self)
    }

    @inline(__always)
    func utf8(_ column: Int) -> UnsafeRawBufferPointer { bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0) }

    @inline(__always)
    func blob(_ column: Int) -> UnsafeRawBufferPointer { utf8(column) }

    /// The column itself has the type.
    func isStored(as type: FieldType, _ column: Int) -> Bool { true }
}
