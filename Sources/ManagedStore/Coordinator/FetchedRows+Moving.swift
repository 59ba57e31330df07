import CSystem

/// Putting rows in an order.
extension FetchedRows {
    /// Puts the rows in `order`.
    ///
    /// Many small rows of one entity are moved: whoever goes through the result then goes through memory from its beginning to its
    /// end, and does not wait for one line of it after another, three times over. Moving looks ahead, which the reader of a result
    /// cannot. Where rows are few, or large, they stay where they are.
    ///
    /// - Throws: `StoreError` with `cancelled`.
    mutating func arrange(by order: [UInt32], _ control: FetchControl) throws(StoreError) {
        guard isWorthMoving, let source = pages.first?.source else {
            self.order = order
            return
        }
        pages = try moved(order, source, control)
        self.order = nil
    }

    /// Rows that do not fit into a core's own cache, and of which copying costs less than finding them again.
    private var isWorthMoving: Bool {
        guard pages.count > 4, let first = pages.first, first.layout.stride <= Self.smallRowSize else { return false }
        return pages.allSatisfy { $0.source === first.source && $0.arenaSize <= $0.count * Self.smallRowSize / 4 }
    }

    private static var smallRowSize: Int { 128 }
    /// How many rows ahead their memory is asked for.
    private static var lookahead: Int { 24 }

    private func moved(
        _ order: [UInt32], _ source: ObjectIDSource, _ control: FetchControl
    ) throws(StoreError) -> [RowPage] {
        var moved: [RowPage] = []
        moved.reserveCapacity(pages.count)
        var next = 0
        while next < order.count {
            let page = RowPage(source, capacity: min(RowPage.rows, order.count - next))
            while next < order.count, !page.isFull {
                if next + Self.lookahead < order.count {
                    csystem_prefetch(reference(order[next + Self.lookahead]).row)
                }
                page.appendCopy(of: reference(order[next]))
                next += 1
            }
            page.trim()
            moved.append(page)
            try control.checkCancellation()
        }
        return moved
    }
}
