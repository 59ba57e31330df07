import Foundation

/// The time from the start of a read or save until its rows entered the cache.
struct ReadingTime {
    let began: RowCache.Moment
    let entered: UInt64

    init(_ began: RowCache.Moment, entered: UInt64) {
        (self.began, self.entered) = (began, entered)
    }

    /// Whether the two overlap, so that either may have found a newer row than the other.
    func overlaps(_ other: ReadingTime) -> Bool { began.number < other.entered && other.began.number < entered }
}

/// Large pages that entered the cache together: the result of one read, or the rows of one save.
///
/// The pages are not retained. The caller holds the cache's lock during every call, and a dying page removes itself
/// first.
struct CachedReading {
    /// The place of a row: the page, and the index in it.
    private typealias Place = UInt32

    /// How a key is found in the pages.
    private enum KeyTable {
        /// The keys ascend from page to page; these are the first keys of the pages.
        case ascending([Int64])
        /// The place of each key from `first` on, if there are few gaps between keys.
        case direct(first: Int64, [Place])
        /// All keys in ascending order, and the places of their rows.
        case sorted([Int64], [Place])
    }

    let time: ReadingTime
    /// An upper bound of the entry times of this read and all earlier ones.
    var latestEntry: UInt64 = 0
    private(set) var pages: [CachedPage?]
    private var livingCount: Int
    /// Made when the first key is looked up, since many reads never receive a lookup.
    private var table: KeyTable?
    /// The range from the lowest key to the highest one; made when it is first asked for.
    private var keyRange: ClosedRange<Int64>?

    init(_ pages: [RowPage], _ time: ReadingTime) {
        self.time = time
        self.pages = pages.map { CachedPage($0) }
        livingCount = pages.count
    }

    var isEmpty: Bool { livingCount == 0 }

    /// Whether the range from the lowest key to the highest one overlaps `keys`. O(n) for the first call.
    mutating func overlaps(_ keys: ClosedRange<Int64>) -> Bool {
        let own = keyRange ?? bounds
        keyRange = own
        return own?.overlaps(keys) == true
    }

    private var bounds: ClosedRange<Int64>? {
        let ranges = pages.compactMap { $0?.keyRange }
        guard let low = ranges.map(\.lowerBound).min(), let high = ranges.map(\.upperBound).max() else { return nil }
        return low...high
    }

    /// Removes a page. Returns false if the page is not in this read.
    mutating func remove(_ page: RowPage) -> Bool {
        guard let position = pages.firstIndex(where: { $0?.isSame(as: page) == true }) else { return false }
        pages[position] = nil
        livingCount -= 1
        return true
    }

    /// Returns the place of the row with `key`. O(1) or O(log n) once the table exists. Making the table takes O(n), or
    /// O(n log n) if keys are sparse and unordered.
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
        let keys = bounds ?? 0...0
        var count = 0
        forEachRow { _, _ in count += 1 }
        if keys.lowerBound >= 0, keys.upperBound - keys.lowerBound < 2 * count { return direct(keys) }
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

    /// Checks the invariants that hold between calls: the lookup of a row's key finds a row with that key, in pages
    /// that are alive.
    mutating func _checkInvariants() {
        precondition(livingCount == pages.count { $0 != nil }, "the count of living pages is wrong")
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
