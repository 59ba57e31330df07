/// A page in the row cache, read without a reference to it.
///
/// The caller holds the cache's lock during every call. A dying page first removes itself from the cache, which takes
/// that lock, and only then frees its rows: so the rows are readable. Code must not retain the page, not even briefly.
/// The release might be the last one; the page would then die within the lock and wait for it forever.
struct CachedPage: Sendable {
    private let page: Unmanaged<RowPage>
    // Unsafe: cached rows do not change any more.
    nonisolated(unsafe) private let firstRow: RowPointer
    private let stride: Int
    let count: Int
    /// Whether each row's key is greater than the previous one.
    let isAscending: Bool

    /// - Parameter page: a page with rows that does not change any more.
    init(_ page: RowPage) {
        self.page = .passUnretained(page)
        (firstRow, stride) = (page.row(0), page.stride)
        (count, isAscending) = (page.count, page.isAscending)
    }

    /// Returns the row at `index`.
    @inline(__always) func row(_ index: Int) -> RowPointer { RowPointer(firstRow.address + index * stride) }

    /// Whether this is the page `other`.
    func isSame(as other: RowPage) -> Bool { page.toOpaque() == Unmanaged.passUnretained(other).toOpaque() }

    /// Returns the page unless its deinitialization has begun. The caller must release it after the lock.
    func retainedIfAlive() -> RowPage? { page.retainedIfAlive() }

    /// Whether the page knows that the cache holds it; for tests, while no thread releases it.
    func isCached(in cache: RowCache) -> Bool { page._withUnsafeGuaranteedRef { $0.cache === cache } }

    /// The lowest and the highest key.
    var keyRange: ClosedRange<Int64> { RowPage.keyRange(count, isAscending) { row($0).key } }

    /// Returns the index of `key` in a page with ascending keys. O(log n), or O(1) if no key is missing.
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
