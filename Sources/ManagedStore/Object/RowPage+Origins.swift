/// The rows that writable rows replace.
extension RowPage {
    /// Returns the row that a writable row replaces, with its page.
    func origin(of row: RowPointer) -> RowReference? {
        guard isWritable else { return nil }
        let slot = originSlot(of: row)
        guard let page = slot.load(as: UnsafeRawPointer?.self) else { return nil }
        return RowReference(
            page: Unmanaged<RowPage>.fromOpaque(page), row: slot.load(fromByteOffset: 8, as: RowPointer.self))
    }

    /// Sets or clears the row that a writable row replaces, and retains its page.
    ///
    /// A row of this same page is not retained: the page would keep itself alive. Longer cycles cannot form, since the
    /// replacing row's page is at least as new as the replaced row's.
    func setOrigin(_ origin: RowReference?, of row: RowPointer) {
        let old = self.origin(of: row)
        if let origin, !isSelf(origin.page) { _ = origin.page.retain() }
        writeOrigin(origin, of: row)
        if let old, !isSelf(old.page) { old.page.release() }
    }

    /// Clears the origin of a row that its object leaves. The values that the row inherits may go with the origin.
    func abandon(_ row: RowPointer) {
        if hasHeirs { for field in layout.arenaFields where field.isInherited(in: row) { setNull(field, of: row) } }
        setOrigin(nil, of: row)
    }

    /// Sets the row that a new one replaces, and takes over a reference to its page.
    func takeOrigin(_ origin: RowReference, of row: RowPointer) {
        writeOrigin(origin, of: row)
        if isSelf(origin.page) { origin.page.release() }
    }

    private func writeOrigin(_ origin: RowReference?, of row: RowPointer) {
        let slot = originSlot(of: row)
        slot.storeBytes(of: origin.map { UnsafeRawPointer($0.page.toOpaque()) }, as: UnsafeRawPointer?.self)
        slot.storeBytes(of: origin?.row, toByteOffset: 8, as: RowPointer?.self)
    }

    /// Returns the location of a writable row's origin: a reference to its page, and its address.
    func originSlot(of row: RowPointer) -> UnsafeMutableRawPointer { row.address - Self.originSize }

    private func isSelf(_ page: Unmanaged<RowPage>) -> Bool {
        page.toOpaque() == Unmanaged.passUnretained(self).toOpaque()
    }
}
