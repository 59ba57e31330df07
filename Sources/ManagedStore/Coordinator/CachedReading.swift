import Foundation

/// From when a reading, or a save, began until what it found was entered in the cache.
struct ReadingTime {
    let began: RowCache.Moment
    let entered: UInt64

    init(_ began: RowCache.Moment, entered: UInt64) {
        (self.began, self.entered) = (began, entered)
    }

    /// Whether either may have found what the other did not.
    func overlaps(_ other: ReadingTime) -> Bool { began.number < other.entered && other.began.number < entered }
}

/// Large pages that were entered in the cache together: what one reading found, or one save wrote.
///
/// The pages are not retained; the cache's lock is held for every call, and a page that dies takes itself out first.
struct CachedReading {
    /// Where a row is: which of the pages, and where in it.
    private typealias Place = UInt32

    /// How a key is found.
    private enum KeyTable {
        /// Page after page the keys ascend; these are the pages' first ones.
        case ascending([Int64])
        /// The place of each key from `first` on, where there are hardly any gaps between them.
        case direct(first: Int64, [Place])
        /// All keys in their order, and the places of their rows.
        case sorted([Int64], [Place])
    }

    let time: ReadingTime
    /// When the last of this and the earlier readings was entered, or later.
    var latestEntry: UInt64 = 0
    private(set) var pages: [CachedPage?]
    private var livingCount: Int
    /// Made when the first key is asked for: many a reading is never asked.
    private var table: KeyTable?

    init(_ pages: [RowPage], _ time: ReadingTime) {
        self.time = time
        self.pages = pages.map { CachedPage($0) }
        livingCount = pages.count
    }

    var isEmpty: Bool { livingCount == 0 }

    /// Takes a page out; false when it is not here.
    mutating func remove(_ page: RowPage) -> Bool {
        guard let position = pages.firstIndex(where: { $0?.isSame(as: page) == true }) else { return false }
        pages[position] = nil
        livingCount -= 1
        return true
    }

    /// Where the row with `key` is. O(1), or O(log n), once the table is made, which is O(n), or O(n log n) where keys
    /// are far apart and in no order.
    mutating func find(_ key: Int64) -> (page: CachedPage, index: Int)? {
        let table = self.table ?? makeTable()
        self.table = table
        switch table {
        case .ascending(let firstKeys):
            let position = firstKeys.partitionPoint { $0 > key } - 1
            guard position >= 0, let page = pages[position] else { return nil }
            return page.index(ofAscending: key).map { (page, $0) }
        case .direct(let first, let places):
            guard key >= first, key - first < places.count else { return nil }
            return found(places[Int(key - first)])
        case .sorted(let keys, let places):
            let position = keys.partitionPoint { $0 >= key }
            guard position < keys.count, keys[position] == key else { return nil }
            return found(places[position])
        }
    }

    private func found(_ place: Place) -> (page: CachedPage, index: Int)? {
        let position = Int(place >> Place(RowPage.rowsShift))
        guard position < pages.count, let page = pages[position] else { return nil }
        return (page, Int(place) & (RowPage.rows - 1))
    }
}

// MARK: - Making the table

extension CachedReading {
    private func makeTable() -> KeyTable {
        let ranges = pages.map { $0?.isAscending == true ? $0?.keyRange : nil }
        let known = ranges.compactMap { $0 }
        if known.count == pages.count, zip(known, known.dropFirst()).allSatisfy({ $0.upperBound < $1.lowerBound }) {
            return .ascending(known.map(\.lowerBound))
        }
        let all = pages.compactMap { $0?.keyRange }
        let (low, high) = (all.map(\.lowerBound).min() ?? 0, all.map(\.upperBound).max() ?? 0)
        var count = 0
        forEachRow { _, _ in count += 1 }
        if low >= 0, high - low < 2 * count { return direct(low...high) }
        return sorted(count)
    }

    private func direct(_ keys: ClosedRange<Int64>) -> KeyTable {
        var places = [Place](repeating: .max, count: Int(keys.upperBound - keys.lowerBound) + 1)
        forEachRow { key, place in places[Int(key - keys.lowerBound)] = place }
        return .direct(first: keys.lowerBound, places)
    }

    private func sorted(_ count: Int) -> KeyTable {
        var entries: [(key: Int64, place: Place)] = []
        entries.reserveCapacity(count)
        forEachRow { entries.append(($0, $1)) }
        entries.sort { $0.key < $1.key }
        return .sorted(entries.map(\.key), entries.map(\.place))
    }

    /// Checks what must hold between calls: what is found under a row's key is a row with that key, as far as the page
    /// lives.
    mutating func _checkInvariants() {
        precondition(livingCount == pages.count { $0 != nil }, "the count of living pages is off")
        guard table != nil else { return }
        var keys: [Int64] = []
        forEachRow { key, _ in keys.append(key) }
        for key in keys {
            guard let (page, index) = find(key) else { preconditionFailure("a row cannot be found under its key") }
            precondition(page.row(index).key == key, "a key leads to another row")
        }
    }

    private func forEachRow(_ body: (Int64, Place) -> Void) {
        for (position, page) in pages.enumerated() {
            guard let page else { continue }
            for index in 0..<page.count { body(page.row(index).key, Place(position << RowPage.rowsShift | index)) }
        }
    }
}
