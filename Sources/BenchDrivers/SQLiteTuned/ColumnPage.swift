import BenchHarness
import CSQLite

/// A few thousand rows, column by column: 64 bits per value, with the bytes of texts and blobs together at the end.
/// There is no allocation per row or value.
///
/// Unchecked because the fetching thread fills a page, and afterwards it is only read.
final class ColumnPage: @unchecked Sendable {
    static let capacity = 4_096

    private let types: [FieldType]
    private let slots: UnsafeMutablePointer<UInt64>
    /// One bit per value, allocated with the first null value.
    private var nulls: UnsafeMutablePointer<UInt8>?
    private var bytes: UnsafeMutableRawPointer
    private var byteCapacity = 64 * 1_024
    private var byteCount = 0
    private(set) var count = 0

    init(types: [FieldType]) {
        self.types = types
        slots = .allocate(capacity: types.count * Self.capacity)
        bytes = .allocate(byteCount: byteCapacity, alignment: 1)
    }

    deinit {
        slots.deallocate()
        bytes.deallocate()
        nulls?.deallocate()
    }

    var isFull: Bool { count == Self.capacity }

    /// Decodes a row of ``RecordTable/selectList``.
    @inline(__always)
    func append(row: borrowing some SQLRow) {
        for attribute in types.indices {
            let column = RecordTable.column(of: attribute)
            let slot = slots + (attribute * Self.capacity + count)
            if row.isNull(column) {
                slot.pointee = 0
                setNull(attribute, count)
                continue
            }
            switch types[attribute] {
            case .bool, .int64: slot.pointee = UInt64(bitPattern: row.int64(column))
            case .date, .double: slot.pointee = row.double(column).bitPattern
            case .string: slot.pointee = append(row.utf8(column))
            case .data: slot.pointee = append(row.blob(column))
            }
        }
        count += 1
    }

    /// Appends `source` to the bytes; the result packs their offset and count.
    private func append(_ source: UnsafeRawBufferPointer) -> UInt64 {
        let start = byteCount
        precondition(start + source.count <= UInt32.max, "a page of \(Self.capacity) rows holds at most 4 GiB of text")
        if start + source.count > byteCapacity { grow(to: start + source.count) }
        if let address = source.baseAddress { (bytes + start).copyMemory(from: address, byteCount: source.count) }
        byteCount += source.count
        return UInt64(start) << 32 | UInt64(source.count)
    }

    private func grow(to needed: Int) {
        byteCapacity = max(needed, byteCapacity * 2)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: byteCapacity, alignment: 1)
        larger.copyMemory(from: bytes, byteCount: byteCount)
        bytes.deallocate()
        bytes = larger
    }

    private func setNull(_ attribute: Int, _ row: Int) {
        if nulls == nil {
            let size = types.count * Self.capacity / 8
            nulls = .allocate(capacity: size)
            nulls?.initialize(repeating: 0, count: size)
        }
        let bit = attribute * Self.capacity + row
        nulls?[bit >> 3] |= 1 << UInt8(bit & 7)
    }

    // MARK: Values

    @inline(__always)
    func isNull(_ attribute: Int, _ row: Int) -> Bool {
        guard let nulls else { return false }
        let bit = attribute * Self.capacity + row
        return nulls[bit >> 3] & 1 << UInt8(bit & 7) != 0
    }

    /// Returns the value's 64 bits: an integer, the bits of a double, or the location of bytes.
    @inline(__always)
    func slot(_ attribute: Int, _ row: Int) -> UInt64 { slots[attribute * Self.capacity + row] }

    /// Returns the bytes of a text or blob.
    @inline(__always)
    func bytes(_ attribute: Int, _ row: Int) -> UnsafeRawBufferPointer {
        let slot = slot(attribute, row)
        return UnsafeRawBufferPointer(start: bytes + Int(slot >> 32), count: Int(slot & 0xFFFF_FFFF))
    }
}
