/// Values that rows inherit.
///
/// A change of one attribute gives an object a writable row. Copying a wide row with all its strings and data costs
/// much more than the change. The writable row therefore points at the bytes of each long value, which stay where they
/// are until the attribute is set: in the arena of a read-only page, the value's *home*. The row's origin keeps the
/// home alive.
///
/// - An unsaved row's origin is the row that it replaces. If that row is writable, its own origin keeps the values
///   alive that it inherits.
/// - A saved row's origin is no longer the row that it replaced, but the read-only row with which the inheritance
///   began. No chain of origins grows from save to save.
/// - A read-only page retains the homes of its rows' values itself. A home has no homes.
extension RowPage {
    /// The number of bytes outside a row from which on it is worth inheriting them.
    static let inheritedMin = 128

    /// Copies version and values, but not the key, of a row of the same entity. Long values are inherited. The caller
    /// makes `source`, or the origin of `source`, the origin of `row`.
    func inheritRow(_ source: RowReference, to row: RowPointer) {
        let byteCount = copySlots(of: source, to: row)
        if byteCount == 0 { return }
        if byteCount < Self.inheritedMin { return copyLongValues(of: source, to: row, byteCount) }
        inheritLongValues(of: source, to: row)
    }

    /// Points the row at the long values of a read-only row, or at those that a writable row inherits. A writable page
    /// moves its own values, so they are copied.
    private func inheritLongValues(of source: RowReference, to row: RowPointer) {
        hasHeirs = true
        if source.page._withUnsafeGuaranteedRef({ $0.isWritable }) {
            copyOwnLongValues(of: source, to: row)
        } else {
            for field in layout.arenaFields where field.isInArena(in: row) {
                row.setInheritedBytes(source.bytes(field), of: field)
            }
        }
    }

    private func copyOwnLongValues(of source: RowReference, to row: RowPointer) {
        var byteCount = 0
        for field in layout.arenaFields where field.isInArena(in: row) { byteCount += source.bytes(field).count }
        // Both rows may lie in this page, so the arena grows before any pointer into it exists.
        reserveArena(byteCount)
        for field in layout.arenaFields where field.isInArena(in: row) {
            storeArenaBytes(source.bytes(field), to: field, of: row)
        }
    }

    /// Copies a saved row, and points the copy at those inherited values whose home `isKept` accepts.
    func copySavedRow(_ source: RowReference, to row: RowPointer, isKept: (RowPage) -> Bool) {
        _ = copySlots(of: source, to: row)
        // Neighbouring values mostly have the same home.
        var last: (home: RowPage, isKept: Bool)?
        for field in layout.arenaFields where !field.isInline(in: row) {
            let bytes = source.bytes(field)
            if field.isInherited(in: source.row) {
                if last?.home.arena.contains(bytes) != true { last = home(of: bytes, in: source, isKept) }
                if last?.isKept == true { continue }
            }
            storeArenaBytes(bytes, to: field, of: row)
        }
    }

    /// Returns the page that holds bytes that a row inherits, and whether this page keeps it from now on.
    private func home(
        of bytes: UnsafeRawBufferPointer, in source: RowReference, _ isKept: (RowPage) -> Bool
    ) -> (RowPage, isKept: Bool)? {
        guard let home = source.home(of: bytes) else { return nil }
        guard isKept(home) else { return (home, false) }
        hasHeirs = true
        if !homes.contains(where: { $0 === home }) { homes.append(home) }
        return (home, true)
    }

    /// Returns the read-only row that keeps the inherited values of a writable row alive; nil if it inherits none.
    func base(of row: RowPointer) -> RowReference? {
        guard inheritedByteCount(of: row) != nil, let origin = origin(of: row) else { return nil }
        let page = origin.page.takeUnretainedValue()
        return page.isWritable ? page.origin(of: origin.row) : origin
    }

    /// Returns the number of bytes that a row inherits; nil if it inherits no value.
    func inheritedByteCount(of row: RowPointer) -> Int? {
        guard hasHeirs else { return nil }
        var count: Int?
        for field in layout.arenaFields where field.isInherited(in: row) {
            count = (count ?? 0) + row.inheritedBytes(of: field).count
        }
        return count
    }

    /// Copies the inherited values of a saved row, which then needs no origin. Does nothing if the arena has no room.
    func copyInheritedValues(of row: RowPointer) {
        let byteCount = inheritedByteCount(of: row) ?? 0
        guard arena.hasRoom(for: byteCount) else { return }
        reserveArena(byteCount)
        for field in layout.arenaFields where field.isInherited(in: row) {
            storeArenaBytes(row.inheritedBytes(of: field), to: field, of: row)
        }
        setOrigin(nil, of: row)
    }

    /// The number of bytes of long values that a reference to this page keeps alive.
    var keptByteCount: Int { homes.reduce(arena.count) { $0 + $1.arena.count } }
}

extension RowReference {
    /// The number of bytes that the row inherits; nil if it inherits no value.
    var inheritedByteCount: Int? { page._withUnsafeGuaranteedRef { $0.inheritedByteCount(of: row) } }

    /// Calls `body` with the pages that hold values that the row inherits, and with the number of bytes. It may call
    /// with a page several times.
    func forEachHome(_ body: (RowPage, Int) -> Void) {
        page._withUnsafeGuaranteedRef { page in
            guard page.hasHeirs else { return }
            var last: (home: RowPage, count: Int)?
            for field in page.layout.arenaFields where field.isInherited(in: row) {
                let bytes = row.inheritedBytes(of: field)
                if last?.home.arena.contains(bytes) == true {
                    last?.count += bytes.count
                    continue
                }
                if let last { body(last.home, last.count) }
                last = page.home(of: bytes, in: row).map { ($0, bytes.count) }
            }
            if let last { body(last.home, last.count) }
        }
    }

    /// Returns the page that holds the bytes of an inherited value; nil if the row does not inherit the value.
    func home(of field: RowField) -> RowPage? {
        field.isInherited(in: row) ? home(of: row.inheritedBytes(of: field)) : nil
    }

    /// Returns the page that holds bytes that the row inherits.
    fileprivate func home(of bytes: UnsafeRawBufferPointer) -> RowPage? {
        page._withUnsafeGuaranteedRef { $0.home(of: bytes, in: row) }
    }
}

extension RowPage {
    fileprivate func home(of bytes: UnsafeRawBufferPointer, in row: RowPointer) -> RowPage? {
        guard isWritable else { return homes.first { $0.arena.contains(bytes) } }
        guard let origin = origin(of: row) else { return nil }
        let page = origin.page.takeUnretainedValue()
        return !page.isWritable && page.arena.contains(bytes) ? page : page.home(of: bytes, in: origin.row)
    }
}

extension RowPointer {
    /// The bytes of an inherited value; valid as long as the row's origin or page keeps them alive.
    @inlinable @inline(__always) func inheritedBytes(of field: RowField) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: load(fromByteOffset: field.offset, as: UnsafeRawPointer?.self),
            count: Int(load(fromByteOffset: field.offset + 8, as: UInt32.self)))
    }

    fileprivate func setInheritedBytes(_ bytes: UnsafeRawBufferPointer, of field: RowField) {
        storeBytes(of: bytes.baseAddress, toByteOffset: field.offset, as: UnsafeRawPointer?.self)
        storeBytes(
            of: UInt64(bytes.count) | UInt64(RowField.inheritedMark) << 56, toByteOffset: field.offset + 8,
            as: UInt64.self)
    }
}
