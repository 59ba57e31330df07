import CSystem
import Dispatch

/// Putting rows in an order.
extension FetchedRows {
    /// Puts the rows in `order`.
    ///
    /// Many small rows of one entity are moved: going through the result then goes through memory from its
    /// beginning to its end, and does not wait for one line of it after another, three times over. Moving looks ahead,
    /// which the reader of a result cannot. Where rows are few, or large, they stay where they are.
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
        return pages.allSatisfy { $0.source === first.source && $0.arena.count <= $0.count * Self.smallRowSize / 4 }
    }

    private static var smallRowSize: Int { 128 }
    /// How many rows ahead their memory is asked for.
    private static var lookahead: Int { 24 }

    /// The rows in `order`, on new pages, which any number of processors fill.
    private func moved(
        _ order: [UInt32], _ source: ObjectIDSource, _ control: FetchControl
    ) throws(StoreError) -> [RowPage] {
        let size = RowPage.rowsMax(of: source)
        let starts = Array(stride(from: 0, to: order.count, by: size))
        var parts = [[RowPage]](repeating: [], count: starts.count)
        parts.withUnsafeMutableBufferPointer { parts in
            // Unsafe: each part is written by one of the calls alone.
            nonisolated(unsafe) let parts = parts
            DispatchQueue.concurrentPerform(iterations: starts.count) { part in
                if control.isCancelled { return }
                parts[part] = copies(order[starts[part]..<min(starts[part] + size, order.count)], source)
            }
        }
        try control.checkCancellation()
        return Array(parts.joined())
    }

    /// Copies of some rows: on one page, unless their strings and data are too long.
    private func copies(_ order: ArraySlice<UInt32>, _ source: ObjectIDSource) -> [RowPage] {
        var pages: [RowPage] = []
        var next = order.startIndex
        while next < order.endIndex {
            let page = RowPage(source, capacity: order.endIndex - next)
            while next < order.endIndex, !page.isFull {
                if next + Self.lookahead < order.endIndex {
                    csystem_prefetch(reference(order[next + Self.lookahead]).row.address)
                }
                page.appendCopy(of: reference(order[next]))
                next += 1
            }
            page.trim()
            pages.append(page)
        }
        return pages
    }
}
