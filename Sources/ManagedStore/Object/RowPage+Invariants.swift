/// The invariants of a page between calls. For tests.
extension RowPage {
    /// Checks the page and all its rows. O(bytes of the rows, and the sorted values of the arena).
    func _checkInvariants() {
        precondition(count <= capacity && capacity <= rowsMax, "there are more rows than fit")
        precondition(isWritable || !hasOrigins, "a row that does not change replaces another one")
        var isInOrder = true
        for index in 0..<count {
            let row = row(index)
            precondition(
                RowPage.page(of: row).toOpaque() == Unmanaged.passUnretained(self).toOpaque(),
                "a row does not lead to its page")
            if index > 0, row.key <= self.row(index - 1).key { isInOrder = false }
            for field in layout.fields { checkValue(field, row) }
            if let origin = origin(of: row) { checkOrigin(origin, row) }
        }
        // Saving new objects changes their keys in writable rows.
        precondition(isWritable || isInOrder == isAscending, "the keys are in another order than the page says")
        checkArena()
        for home in homes {
            precondition(!isWritable && !home.isWritable && home.homes.isEmpty, "a home inherits values or may change")
        }
    }

    private func checkValue(_ field: RowField, _ row: RowPointer) {
        if field.isNull(in: row) {
            precondition(!field.bool(in: row) || field.storage != .bit, "a missing bool is true")
            let slot = row.bytes(at: field.offset, count: field.storage.slotSize)
            precondition(slot.allSatisfy { $0 == 0 }, "a missing value left bytes behind")
        } else if field.isArena, field.isInline(in: row) {
            let rest = row.bytes(at: field.offset, count: RowField.inlineLimit)[bytes(of: field, of: row).count...]
            precondition(rest.allSatisfy { $0 == 0 }, "equal texts have different bytes")
        } else if field.isArena, field.isInherited(in: row) {
            precondition(hasHeirs, "the page does not know that a row inherits values")
            precondition(!isWritable || origin(of: row) != nil, "a row without an origin inherits a value")
            precondition(isWritable || RowReference(row).home(of: field) != nil, "a value has no home")
        }
    }

    /// Checks that the inherited values of a row in use have homes. Rows that their objects left lose theirs.
    func checkHomes(of row: RowPointer) {
        for field in layout.arenaFields where field.isInherited(in: row) {
            let home = RowReference(row).home(of: field)
            precondition(home.map { !$0.isWritable } ?? false, "a value has no home")
        }
    }

    private func checkOrigin(_ origin: RowReference, _ row: RowPointer) {
        let page = origin.page.takeUnretainedValue()
        precondition(page.contains(origin.row) && page.layout === layout, "the replaced row is of another entity")
        precondition(origin.row.key == row.key, "the replaced row has another key")
    }

    /// Values in the arena do not overlap, and no more than the bytes between them count as garbage.
    private func checkArena() {
        precondition(arena.count <= arena.capacity && arena.garbage <= arena.count, "the arena's counts are off")
        var ranges: [Range<Int>] = []
        for index in 0..<count {
            for field in layout.arenaFields where field.isInArena(in: row(index)) {
                let bytes = bytes(of: field, of: row(index))
                guard let start = bytes.baseAddress, let arena = arena.start else {
                    preconditionFailure("a value has no bytes")
                }
                ranges.append(start - UnsafeRawPointer(arena)..<start - UnsafeRawPointer(arena) + bytes.count)
            }
        }
        ranges.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        precondition(
            ranges.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= arena.count }, "a value lies beyond the arena")
        precondition(
            zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }, "two values share bytes")
        precondition(ranges.reduce(arena.garbage) { $0 + $1.count } <= arena.count, "the garbage is counted twice")
    }
}
