import Foundation
import Locking

/// The rows that a fetch found: pages, and an order over them.
///
/// Filled by one thread, then handed to another, and not changed after.
struct FetchedRows: Sendable {
    var pages: [RowPage] = []
    /// Page index and row index in one number, in the order of the result; nil means page after page.
    var order: [UInt32]?
    /// Before the rows were read; nil when they are not to be cached.
    var moment: RowCache.Moment?

    var count: Int { order?.count ?? pages.reduce(0) { $0 + $1.count } }

    /// All rows, in order. Valid while this value lives.
    func references() -> [RowReference] {
        (order ?? naturalOrder()).map { reference($0) }
    }

    /// Page after page.
    func naturalOrder() -> [UInt32] {
        var order: [UInt32] = []
        order.reserveCapacity(count)
        for (index, page) in pages.enumerated() {
            let first = UInt32(index << RowPage.rowsShift)
            order.append(contentsOf: first..<first + UInt32(page.count))
        }
        return order
    }

    /// The row that one number of an order stands for.
    @inline(__always) func reference(_ index: UInt32) -> RowReference {
        let page = pages[Int(index >> UInt32(RowPage.rowsShift))]
        return RowReference(page, page.row(Int(index & UInt32(RowPage.rows - 1))))
    }
}

/// Fills pages row by row, one page after another for each entity.
struct FetchedRowsBuilder {
    private(set) var rows = FetchedRows()
    /// The last page of each entity, by the entity's position: its index among the pages.
    private var open: [Int: UInt32] = [:]
    private var order: [UInt32] = []

    /// The page for the next row of an entity.
    mutating func page(for source: ObjectIDSource) -> RowPage {
        if let index = open[source.entityIndex] {
            let page = rows.pages[Int(index)]
            if !page.isFull { return page }
            page.trim()
        }
        let page = RowPage(source)
        open[source.entityIndex] = UInt32(rows.pages.count)
        rows.pages.append(page)
        return page
    }

    /// Appends a row to a page that ``page(for:)`` returned.
    mutating func appended(to page: RowPage, key: Int64) -> RowPointer {
        if let index = open[page.entityIndex] { order.append(index << UInt32(RowPage.rowsShift) | UInt32(page.count)) }
        return page.appendUninitializedRow(key: key)
    }

    /// The rows in the order in which they came.
    mutating func finish() -> FetchedRows {
        for page in rows.pages { page.trim() }
        if open.count > 1 { rows.order = order }
        return rows
    }
}

/// Lets a fetch be watched and stopped from other threads.
final class FetchControl: Sendable {
    private struct State {
        var isCancelled = false
        var interrupt: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    private let isAlsoCancelled: (@Sendable () -> Bool)?
    private let report: (@Sendable (Int) -> Void)?

    /// `report` is called on the fetching thread with the number of records found so far, once per page of rows;
    /// `isAlsoCancelled` is asked whenever it matters whether the fetch was cancelled.
    init(isAlsoCancelled: (@Sendable () -> Bool)? = nil, report: (@Sendable (Int) -> Void)? = nil) {
        self.isAlsoCancelled = isAlsoCancelled
        self.report = report
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } || isAlsoCancelled?() == true }

    /// Stops the fetch as soon as can be; harmless when it is over.
    func cancel() {
        // With the lock held: what is interrupted must not be over meanwhile.
        state.withLock { state in
            state.isCancelled = true
            state.interrupt?()
        }
    }

    /// Runs `body`, which `interrupt` stops from another thread. When the fetch was cancelled already, throws at once.
    func interruptible<Result>(
        by interrupt: @escaping @Sendable () -> Void, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        state.withLock { $0.interrupt = interrupt }
        defer { state.withLock { $0.interrupt = nil } }
        try checkCancellation()
        return try body()
    }

    /// - Throws: `StoreError` with `cancelled` after `cancel()`.
    func checkCancellation() throws(StoreError) {
        if isCancelled { throw StoreError(.cancelled, "the fetch was cancelled") }
    }

    /// Says that `count` records were found so far.
    ///
    /// - Throws: `StoreError` with `cancelled` after `cancel()`.
    func found(_ count: Int) throws(StoreError) {
        report?(count)
        try checkCancellation()
    }
}
