import Foundation

/// Copying rows and values, and comparing whole rows.
extension RowPage {
    /// Copies version and values, but not the key, of a row of the same entity.
    func copyRow(_ source: RowReference, to row: RowPointer) {
        let byteCount = copySlots(of: source, to: row)
        if byteCount > 0 { copyLongValues(of: source, to: row, byteCount) }
    }

    /// Gives a field of a row the value of a field of the same type of another row, which may be of another entity.
    func copy(_ source: RowField, of other: RowReference, to field: RowField, of row: RowPointer) {
        if field.type == .objectID {
            field.setReference(source.reference(in: other.row), of: row)
        } else {
            setValue(other.value(source), of: field, of: row)
        }
    }

    /// Copies a row without the bytes that lie outside it, and returns their number.
    @inline(__always) func copySlots(of source: RowReference, to row: RowPointer) -> Int {
        let place = row.place
        row.copyMemory(from: source.row.address + 8, toByteOffset: 8, byteCount: layout.stride - 8)
        row.place = place
        var byteCount = 0
        for field in layout.arenaFields where !field.isInline(in: row) { byteCount += source.bytes(field).count }
        return byteCount
    }

    /// Copies the bytes that lie outside the row `source`, whose slots were copied.
    func copyLongValues(of source: RowReference, to row: RowPointer, _ byteCount: Int) {
        // Both rows may lie in this page, so the arena grows before any pointer into it exists.
        reserveArena(byteCount)
        for field in layout.arenaFields where !field.isInline(in: row) {
            storeArenaBytes(source.bytes(field), to: field, of: row)
        }
    }

    /// Returns the attributes in which two rows of the same entity differ, one bit for each; attributes from the 64th
    /// on share the last bit.
    static func differences(_ left: RowReference, _ right: RowReference, _ layout: RowLayout) -> UInt64 {
        var mask: UInt64 = 0
        for (position, field) in layout.fields.enumerated() where !areEqual(left, right, field) {
            mask |= 1 << UInt64(min(position, 63))
        }
        return mask
    }

    /// Whether two rows of the same entity differ in any attribute.
    static func areDifferent(_ left: RowReference, _ right: RowReference, _ layout: RowLayout) -> Bool {
        for field in layout.fields where !areEqual(left, right, field) { return true }
        return false
    }

    /// Whether two rows hold the same value, bit for bit. This distinguishes -0 from 0, as a store does.
    static func areEqual(_ left: RowReference, _ right: RowReference, _ field: RowField) -> Bool {
        let isNull = field.isNull(in: left.row)
        if isNull != field.isNull(in: right.row) { return false }
        if isNull { return true }
        switch field.storage {
        case .bit:
            return field.bool(in: left.row) == field.bool(in: right.row)
        case .int64, .double:
            return left.row.loadWord(field.offset) == right.row.loadWord(field.offset)
        case .text, .bytes:
            // Zeros follow an inline value, so its first 16 bytes identify it.
            if field.isInline(in: left.row), field.isInline(in: right.row) {
                return left.row.loadWord(field.offset) == right.row.loadWord(field.offset)
                    && left.row.loadWord(field.offset + 8) == right.row.loadWord(field.offset + 8)
            }
            return left.bytes(field).isEqual(to: right.bytes(field))
        case .int16, .int32, .float, .decimal, .uuid, .reference:
            let size = field.storage.slotSize
            return memcmp(left.row.address + field.offset, right.row.address + field.offset, size) == 0
        }
    }
}

extension RowPointer {
    @inline(__always) fileprivate func loadWord(_ offset: Int) -> UInt64 {
        load(fromByteOffset: offset, as: UInt64.self)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether both buffers hold the same bytes.
    func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard count > 0, let left = baseAddress, let right = other.baseAddress, left != right else { return true }
        return memcmp(left, right, count) == 0
    }

    /// Compares unsigned bytes, as SQLite's `BINARY` collation does. Returns a negative number, zero or a positive
    /// number.
    func compare(to other: UnsafeRawBufferPointer) -> Int {
        let shared = Swift.min(count, other.count)
        if shared > 0, let left = baseAddress, let right = other.baseAddress {
            let order = memcmp(left, right, shared)
            if order != 0 { return Int(order) }
        }
        return count - other.count
    }
}
