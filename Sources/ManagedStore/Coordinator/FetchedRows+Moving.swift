import CSystem
import Dispatch

/// Putting rows in an order.
extension FetchedRows {
    /// Puts the rows in `order`.
    ///
    /// Moves the rows if they are many, small, and of one entity. A pass over the result then reads memory
    /// sequentially, rather than waiting for up to three cache misses per row. Moving can prefetch, which the reader of
    /// a result cannot. Few or large rows stay in place.
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

    /// Whether the rows exceed a core's own cache, and a copy costs less than the cache misses.
    private var isWorthMoving: Bool {
        guard pages.count > 4, let first = pages.first, first.layout.stride <= Self.smallRowSize else { return false }
        return pages.allSatisfy { $0.source === first.source && $0.arena.count <= $0.count * Self.smallRowSize / 4 }
    }

    private static var smallRowSize: Int { 128 }
    /// How many rows ahead memory is prefetched.
    private static var lookahead: Int { 24 }

    /// Returns the rows in `order`, on new pages that any number of processors fill.
    private func moved(
        _ order: [UInt32], _ source: ObjectIDSource, _ control: FetchControl
    ) throws(StoreError) -> [RowPage] {
        let size = RowPage.rowsMax(of: source)
        let starts = Array(stride(from: 0, to: order.count, by: size))
        var parts = [[RowPage]](repeating: [], count: starts.count)
        parts.withUnsafeMutableBufferPointer { parts in
            // Unsafe: only one of the calls writes each part.
            nonisolated(unsafe) let parts = parts
            DispatchQueue.concurrentPerform(iterations: starts.count) { part in
                if control.isCancelled { return }
                parts[part] = copies(order[starts[part]..<min(starts[part] + size, order.count)], source)
            }
        }
        try control.checkCancellation()
        return Array(parts.joined())
    }

    /// Returns copies of some rows, on one page unless their strings and data are too long.
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
