/// A page in the row cache, looked into without a reference to it.
///
/// The cache's lock is held for every call. A page that dies takes itself out first, which needs that lock, and only
/// then frees its rows: so these can be read. A reference must not be taken, not even for a moment: it may turn out to
/// be the last one, and the page would then die within the lock, and wait for it forever.
struct CachedPage: Sendable {
    private let page: Unmanaged<RowPage>
    // Unsafe: rows that are cached are not changed any more.
    nonisolated(unsafe) private let firstRow: RowPointer
    private let stride: Int
    let count: Int
    /// Whether each row's key is greater than the one before.
    let isAscending: Bool

    /// - Parameter page: has rows, and is not changed any more.
    init(_ page: RowPage) {
        self.page = .passUnretained(page)
        (firstRow, stride) = (page.row(0), page.stride)
        (count, isAscending) = (page.count, page.isAscending)
    }

    /// The row at `index`.
    @inline(__always) func row(_ index: Int) -> RowPointer { RowPointer(firstRow.address + index * stride) }

    /// Whether this is `other`.
    func isSame(as other: RowPage) -> Bool { page.toOpaque() == Unmanaged.passUnretained(other).toOpaque() }

    /// The page, unless its death has begun. The caller must not let go of it before the lock is released.
    func retainedIfAlive() -> RowPage? { page.retainedIfAlive() }

    /// Whether the page knows that it is entered; for tests, while no thread drops it.
    func isCached(in cache: RowCache) -> Bool { page._withUnsafeGuaranteedRef { $0.cache === cache } }

    /// The lowest and the highest key.
    var keyRange: ClosedRange<Int64> { RowPage.keyRange(count, isAscending) { row($0).key } }

    /// Where `key` is in a page whose keys ascend. O(log n), or O(1) where no key is missing.
    func index(ofAscending key: Int64) -> Int? {
        let (first, last) = (row(0).key, row(count - 1).key)
        if key < first || key > last { return nil }
        if last - first == Int64(count - 1) { return Int(key - first) }
        let index = (0..<count).partitionPoint { row($0).key >= key }
        return row(index).key == key ? index : nil
    }
}

extension RowPage {
    /// The lowest and the highest key.
    var keyRange: ClosedRange<Int64> { Self.keyRange(count, isAscending) { row($0).key } }

    fileprivate static func keyRange(
        _ count: Int, _ isAscending: Bool, _ key: (Int) -> Int64
    ) -> ClosedRange<Int64> {
        if isAscending { return key(0)...key(count - 1) }
        var (low, high) = (Int64.max, Int64.min)
        for index in 0..<count { (low, high) = (min(low, key(index)), max(high, key(index))) }
        return low...high
    }
}
