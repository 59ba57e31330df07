import Foundation
import Locking

/// The rows that a fetch found: pages, and an order over them.
///
/// One thread fills the pages and then passes them to another; they do not change afterwards.
struct FetchedRows: Sendable {
    var pages: [RowPage] = []
    /// The page index and row index of each row, packed into one number, in the order of the result; nil means the
    /// order of the pages.
    var order: [UInt32]?
    /// A moment before the rows were read; nil if they are not to be cached.
    var moment: RowCache.Moment?

    var count: Int { order?.count ?? pages.reduce(0) { $0 + $1.count } }

    /// Returns all rows in order. The references are valid while this value lives.
    func references() -> [RowReference] {
        (order ?? naturalOrder()).map { reference($0) }
    }

    /// Calls `body` with each row in order.
    @inline(__always) func forEachRow(_ body: (RowPointer) -> Void) {
        if let order {
            for index in order { body(reference(index).row) }
        } else {
            for page in pages { for index in 0..<page.count { body(page.row(index)) } }
        }
    }

    /// Returns the order of the pages and of the rows in each.
    func naturalOrder() -> [UInt32] {
        var order: [UInt32] = []
        order.reserveCapacity(count)
        for (index, page) in pages.enumerated() {
            let first = UInt32(index << RowPage.rowsShift)
            order.append(contentsOf: first..<first + UInt32(page.count))
        }
        return order
    }

    /// Adds rows at the end.
    mutating func append(_ more: FetchedRows) {
        if pages.isEmpty {
            let moment = moment
            self = more
            self.moment = moment
            return
        }
        if order != nil || more.order != nil {
            let shift = UInt32(pages.count << RowPage.rowsShift)
            var all = order ?? naturalOrder()
            // Let go, so that the array grows in place.
            order = nil
            for place in more.order ?? more.naturalOrder() { all.append(place + shift) }
            order = all
        }
        pages += more.pages
    }

    /// Returns the row that a number of an order stands for.
    @inline(__always) func reference(_ index: UInt32) -> RowReference {
        let page = pages[Int(index >> UInt32(RowPage.rowsShift))]
        return RowReference(page.row(Int(index & UInt32(RowPage.rows - 1))))
    }
}

/// Fills pages row by row, with separate pages for each entity.
struct FetchedRowsBuilder {
    private(set) var rows = FetchedRows()
    /// The index of the last page of each entity, by the entity's position.
    private var open: [Int: UInt32] = [:]
    private var order: [UInt32] = []

    /// Returns the page for the next row of an entity.
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

    /// Returns the rows in the order of their addition.
    mutating func finish() -> FetchedRows {
        for page in rows.pages { page.trim() }
        if open.count > 1 { rows.order = order }
        return rows
    }
}

/// Observes and cancels a fetch from other threads.
final class FetchControl: Sendable {
    private struct State {
        var isCancelled = false
        var interrupt: (@Sendable () -> Void)?
    }

    /// A control that nothing observes or cancels, for a caller that waits. It takes no lock.
    static let uncontrolled = FetchControl(canBeCancelled: false)

    private let state = Locked(State())
    private let canBeCancelled: Bool
    private let isAlsoCancelled: (@Sendable () -> Bool)?
    private let report: (@Sendable (Int) -> Void)?

    /// Makes a control. The fetching thread calls `report` with the number of records found so far, once per page of
    /// rows. It calls `isAlsoCancelled` whenever it checks for cancellation.
    init(isAlsoCancelled: (@Sendable () -> Bool)? = nil, report: (@Sendable (Int) -> Void)? = nil) {
        canBeCancelled = true
        self.isAlsoCancelled = isAlsoCancelled
        self.report = report
    }

    private init(canBeCancelled: Bool) {
        self.canBeCancelled = canBeCancelled
        (isAlsoCancelled, report) = (nil, nil)
    }

    var isCancelled: Bool { canBeCancelled && (state.withLock { $0.isCancelled } || isAlsoCancelled?() == true) }

    /// Whether the fetch calls no code of its caller.
    var isUnobserved: Bool { report == nil && isAlsoCancelled == nil }

    /// Cancels the fetch as soon as possible; does nothing after its end.
    func cancel() {
        assert(canBeCancelled, "the control is everyone's")
        // Within the lock, since the interrupted operation must not end meanwhile.
        state.withLock { state in
            state.isCancelled = true
            state.interrupt?()
        }
    }

    /// Runs `body`, which `interrupt` stops from another thread. Throws at once if the fetch was cancelled before.
    func interruptible<Result>(
        by interrupt: @escaping @Sendable () -> Void, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        guard canBeCancelled else { return try body() }
        state.withLock { $0.interrupt = interrupt }
        defer { state.withLock { $0.interrupt = nil } }
        try checkCancellation()
        return try body()
    }

    /// - Throws: `StoreError` with `cancelled` after `cancel()`.
    func checkCancellation() throws(StoreError) {
        if isCancelled { throw .cancelled }
    }

    /// Reports that `count` records were found so far.
    ///
    /// - Throws: `StoreError` with `cancelled` after `cancel()`.
    func found(_ count: Int) throws(StoreError) {
        report?(count)
        try checkCancellation()
    }
}
