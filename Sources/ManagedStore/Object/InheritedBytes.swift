/// Decides which pages of old rows saved rows may keep alive.
///
/// One row could keep the values of thousands. A page stays only if the rows of one save still use a quarter of its
/// bytes; other rows get copies of their values.
struct InheritedBytes {
    /// Rows of one page mostly follow one another, and few rows have only one: then nothing is hashed.
    private var last: (page: ObjectIdentifier, count: Int)?
    /// The bytes that were added before those of the last page.
    private var others: [ObjectIdentifier: Int] = [:]

    /// Adds bytes that a saved row inherits through a page.
    mutating func add(_ count: Int, on page: RowPage) {
        let id = ObjectIdentifier(page)
        if let last, last.page != id { others[last.page, default: 0] += last.count }
        last = (id, (last?.page == id ? last?.count ?? 0 : 0) + count)
    }

    /// Whether enough of the `byteCount` bytes that a page keeps alive are in use.
    func areWorthKeeping(_ page: RowPage, _ byteCount: Int) -> Bool {
        let id = ObjectIdentifier(page)
        let count = (last?.page == id ? last?.count ?? 0 : 0) + (others.isEmpty ? 0 : others[id] ?? 0)
        return count >= (byteCount + 3) / 4
    }
}
