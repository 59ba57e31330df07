/// The rows that writable rows replace.
extension RowPage {
    /// Returns the row that a writable row replaces, with its page.
    func origin(of row: RowPointer) -> RowReference? {
        guard hasOrigins, let address = originSlot(of: row).load(as: UnsafeMutableRawPointer?.self) else { return nil }
        return RowReference(RowPointer(address))
    }

    /// Sets or clears the row that a writable row replaces, and retains its page.
    ///
    /// A row of this same page is not retained: the page would keep itself alive. Longer cycles cannot form: the
    /// replaced row's page is of new objects, which replace no rows, or at least as old as the replacing row's.
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
        guard hasOrigins else { return precondition(origin == nil, "a new object's row replaces no row") }
        originSlot(of: row).storeBytes(of: origin?.row.address, as: UnsafeMutableRawPointer?.self)
    }

    /// Returns the location of the address of the row that a row replaces.
    func originSlot(of row: RowPointer) -> UnsafeMutableRawPointer {
        row.address - MemoryLayout<UnsafeRawPointer>.size
    }

    private func isSelf(_ page: Unmanaged<RowPage>) -> Bool {
        page.toOpaque() == Unmanaged.passUnretained(self).toOpaque()
    }
}
