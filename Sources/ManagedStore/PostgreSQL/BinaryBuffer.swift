/// Bytes for the server, in its binary form: numbers with the most significant byte first.
struct BinaryBuffer {
    private(set) var bytes: [UInt8] = []

    var count: Int { bytes.count }

    mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    @inline(__always) mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    @inline(__always) mutating func append(_ other: UnsafeRawBufferPointer) { bytes.append(contentsOf: other) }

    /// Writes a number of 32 bits over the bytes at `offset`.
    mutating func replace(at offset: Int, with number: Int32) {
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: number.bigEndian, toByteOffset: offset, as: Int32.self) }
    }

    // MARK: Values, each after its length

    @inline(__always) mutating func appendNull() { append(-1 as Int32) }

    @inline(__always) mutating func appendValue(_ number: Int64) {
        append(8 as Int32)
        append(number)
    }

    @inline(__always) mutating func appendValue(_ number: Double) {
        append(8 as Int32)
        append(number.bitPattern)
    }

    @inline(__always) mutating func appendValue(_ value: Bool) {
        append(1 as Int32)
        append(value ? 1 as UInt8 : 0)
    }

    @inline(__always) mutating func appendValue(_ value: UnsafeRawBufferPointer) {
        append(Int32(value.count))
        append(value)
    }

    mutating func appendValue(_ number: DecimalNumber) {
        let start = count
        append(0 as Int32)
        NumericForm.append(number, to: &self)
        replace(at: start, with: Int32(count - start - 4))
    }
}
