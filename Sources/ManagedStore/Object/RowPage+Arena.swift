import Foundation

/// Values of strings and data: short ones in their rows, the bytes of others in the page's arena or in another page's.
extension RowPage {
    /// The bytes of a string or data value, valid until the row is changed.
    @inlinable @inline(__always) func bytes(of field: RowField, of row: RowPointer) -> UnsafeRawBufferPointer {
        let inlineCount = Int(row.load(fromByteOffset: field.offset + RowField.inlineLimit, as: UInt8.self))
        if inlineCount <= RowField.inlineLimit {
            return row.bytes(at: field.offset, count: inlineCount)
        }
        if inlineCount == Int(RowField.inheritedMark) { return row.inheritedBytes(of: field) }
        let offset = row.load(fromByteOffset: field.offset, as: UInt32.self)
        let length = row.load(fromByteOffset: field.offset + 4, as: UInt32.self)
        return arena.bytes(at: offset, count: length)
    }

    /// Writes the bytes of a string or data value, in place when they fit there.
    @usableFromInline func setBytes(_ bytes: UnsafeRawBufferPointer, of field: RowField, of row: RowPointer) {
        let old = field.isInArena(in: row) ? self.bytes(of: field, of: row) : nil
        field.setNull(false, of: row)
        guard let old else { return storeBytes(bytes, to: field, of: row) }
        if let start = old.baseAddress, bytes.count > RowField.inlineLimit, bytes.count <= old.count {
            memmove(UnsafeMutableRawPointer(mutating: start), bytes.baseAddress ?? start, bytes.count)
            row.storeBytes(of: UInt32(bytes.count), toByteOffset: field.offset + 4, as: UInt32.self)
            arena.garbage += old.count - bytes.count
        } else {
            arena.garbage += old.count
            storeBytes(bytes, to: field, of: row)
            if arena.isWorthCompacting { compactArena() }
        }
    }

    /// Writes bytes into the row if they fit, or else appends them to the arena and points `field` of the row at them.
    /// They must not come from the row itself.
    @inline(__always) func storeBytes(_ bytes: UnsafeRawBufferPointer, to field: RowField, of row: RowPointer) {
        if bytes.count > RowField.inlineLimit { return storeArenaBytes(bytes, to: field, of: row) }
        row.storeBytes(of: 0, toByteOffset: field.offset, as: UInt64.self)
        row.storeBytes(of: UInt64(bytes.count) << 56, toByteOffset: field.offset + 8, as: UInt64.self)
        if let start = bytes.baseAddress {
            row.copyMemory(from: start, toByteOffset: field.offset, byteCount: bytes.count)
        }
    }

    /// Appends bytes to the arena and points `field` of a row at them.
    func storeArenaBytes(_ bytes: UnsafeRawBufferPointer, to field: RowField, of row: RowPointer) {
        reserveArena(bytes.count)
        row.storeBytes(of: UInt32(arena.count), toByteOffset: field.offset, as: UInt32.self)
        row.storeBytes(of: UInt32(bytes.count), toByteOffset: field.offset + 4, as: UInt32.self)
        row.storeBytes(of: UInt64(RowField.arenaMark) << 56, toByteOffset: field.offset + 8, as: UInt64.self)
        arena.append(bytes)
    }

    /// Makes room for `count` more bytes.
    @inline(__always) func reserveArena(_ count: Int) {
        if arena.count + count > arena.capacity { growArena(by: count) }
    }

    private func growArena(by count: Int) {
        precondition(
            arena.count + count < RowArena.countMax,
            "the strings and data of \(Self.rows) \(entity.name) objects exceed 4 GiB")
        // A block may be far larger than what the page will hold, and only a page that was read gives back the rest.
        arena.grow(by: count, reusing: isWritable ? nil : .shared)
    }

    /// Copies the bytes that rows still point at into a new arena.
    private func compactArena() {
        let old = arena
        arena = RowArena()
        for index in 0..<count {
            let row = row(index)
            for field in layout.arenaFields where field.isInArena(in: row) {
                let offset = row.load(fromByteOffset: field.offset, as: UInt32.self)
                let length = row.load(fromByteOffset: field.offset + 4, as: UInt32.self)
                storeArenaBytes(old.bytes(at: offset, count: length), to: field, of: row)
            }
        }
        old.deallocate()
    }

    /// Makes the value missing.
    @usableFromInline func setNull(_ field: RowField, of row: RowPointer) {
        if field.isArena, field.isInArena(in: row) { arena.garbage += bytes(of: field, of: row).count }
        if field.storage == .bit { field.setBool(false, of: row) }
        row.clear(at: field.offset, count: field.storage.slotSize)
        field.setNull(true, of: row)
    }
}
