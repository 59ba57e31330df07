/// Decides which pages of old rows saved rows may keep alive.
///
/// One row could keep the values of thousands. A page stays only if the rows of one save still use a quarter of its
/// bytes; other rows get copies of their values.
struct InheritedBytes {
    private var counts: [ObjectIdentifier: Int] = [:]
    /// Rows of one page mostly follow one another.
    private var last: (page: ObjectIdentifier, count: Int)?

    /// Adds bytes that a saved row inherits through a page.
    mutating func add(_ count: Int, on page: RowPage) {
        let id = ObjectIdentifier(page)
        if last?.page != id { finish() }
        last = (id, (last?.count ?? 0) + count)
    }

    /// Adds up the counts; the caller calls it after the last row.
    mutating func finish() {
        if let last { counts[last.page, default: 0] += last.count }
        last = nil
    }

    /// Whether enough of the `byteCount` bytes that a page keeps alive are in use.
    func areWorthKeeping(_ page: RowPage, _ byteCount: Int) -> Bool {
        (counts[ObjectIdentifier(page)] ?? 0) >= (byteCount + 3) / 4
    }
}
