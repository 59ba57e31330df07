import Foundation

/// The part of the row cache that concerns one entity. The owner holds its lock during every call.
///
/// Pages are not retained. Each page removes itself before its memory is freed, which takes the lock. A page in this
/// structure is therefore readable, and its rows may leave it unless the page's deinitialization has begun.
struct CachedPages {
    /// Marks what was read of a row before a moment as outdated, unless it has at least the version that the row had
    /// then.
    struct Mark {
        /// Earlier reads of other versions are outdated.
        let number: UInt64
        /// The row's version at that moment; 0 if it was deleted, nil if unknown.
        let version: Int32?
        /// Earlier reads of any version are outdated: the row may have changed without a new version.
        private let firstNumber: UInt64

        init(number: UInt64, version: Int32?) {
            self.init(number: number, version: version, firstNumber: version == nil ? number : 0)
        }

        private init(number: UInt64, version: Int32?, firstNumber: UInt64) {
            (self.number, self.version, self.firstNumber) = (number, version, firstNumber)
        }

        /// Combines two marks. Two saves may be reported in another order than they were made in; the version tells
        /// which was the later one.
        func joined(with other: Mark) -> Mark {
            let (newest, first) = (max(number, other.number), max(firstNumber, other.firstNumber))
            guard let version, let otherVersion = other.version else {
                let newer = number >= other.number ? self : other
                return Mark(number: newest, version: newer.version, firstNumber: first)
            }
            let isDeleted = version == 0 || otherVersion == 0
            return Mark(number: newest, version: isDeleted ? 0 : max(version, otherVersion), firstNumber: first)
        }

        /// Whether a row of that version, read at the moment with that number, is not outdated.
        func allows(_ version: Int32, readAt number: UInt64) -> Bool {
            if number >= self.number { return true }
            guard number >= firstNumber, let known = self.version, known > 0 else { return false }
            return version >= known
        }
    }

    private struct CachedRow {
        let page: CachedPage
        let index: Int
        let time: ReadingTime

        var row: RowPointer { page.row(index) }

        /// Whether this row is a later state of the store than `other`.
        func isNewer(than other: CachedRow) -> Bool {
            if time.overlaps(other.time), row.version != other.row.version { return row.version > other.row.version }
            return time.began.number > other.time.began.number
        }
    }

    /// Marks reads of the keys in a range before a moment as outdated.
    private struct MarkedRange {
        var keys: ClosedRange<Int64>
        let number: UInt64
        /// The start of the read that found these keys, whose remaining pages are not outdated; nil after a save.
        let own: UInt64?

        func forbids(_ key: Int64, readAt number: UInt64) -> Bool {
            keys.contains(key) && self.number > number && own != number
        }
    }

    /// The largest number of rows for which the rows of a page are entered one by one.
    private static let smallPageRows = 32
    /// The maximum number of marks, which then take some 2 MB. Beyond it, everything older is forgotten instead.
    static let marksLimit = 1 << 15
    private static let rangesLimit = 64

    /// The reads in the order of their starts.
    private var readings: [CachedReading] = []
    private var small: [RowKey: CachedRow] = [:]
    private var marks: [RowKey: Mark] = [:]
    private var markedRanges: [MarkedRange] = []
    /// Everything read before this moment is outdated.
    private var oldestNumber: UInt64 = 0

    static func isSmall(_ page: RowPage) -> Bool { page.count <= smallPageRows }

    /// Enters the pages of one read or save that are not small.
    mutating func enter(large: [RowPage], _ time: ReadingTime) {
        let place = readings.lastIndex { $0.time.began.number <= time.began.number }.map { $0 + 1 } ?? 0
        readings.insert(CachedReading(large, time), at: place)
        var latest = place > 0 ? readings[place - 1].latestEntry : 0
        for position in place..<readings.count {
            latest = max(latest, readings[position].time.entered)
            if readings[position].latestEntry == latest { break }
            readings[position].latestEntry = latest
        }
    }

    /// Enters the rows of a small page.
    mutating func enterRows(of page: RowPage, _ time: ReadingTime) {
        let cached = CachedPage(page)
        for index in 0..<page.count {
            let row = CachedRow(page: cached, index: index, time: time)
            let key = RowKey(row.row.key)
            if let known = small[key], known.isNewer(than: row) { continue }
            small[key] = row
        }
    }

    /// Removes a page, and marks its keys so that no older row takes its place.
    mutating func remove(_ page: RowPage) {
        guard Self.isSmall(page) else { return removeLarge(page) }
        for index in 0..<page.count {
            let row = page.row(index)
            guard let place = small.index(forKey: RowKey(row.key)) else { continue }
            let entry = small[place].value
            guard entry.page.isSame(as: page) else { continue }
            small.remove(at: place)
            if !readings.isEmpty, newest(row.key, nil) != nil {
                mark(row.key, Mark(number: entry.time.entered, version: row.version))
            }
        }
    }

    private mutating func removeLarge(_ page: RowPage) {
        guard let position = readings.indices.first(where: { readings[$0].remove(page) }) else { return }
        let time = readings[position].time
        if readings[position].isEmpty { readings.remove(at: position) }
        if mayHoldOlderRow(than: page, time) { markRange(page.keyRange, time) }
    }

    /// Whether a row in the cache may be an older state of one of the page's rows.
    private mutating func mayHoldOlderRow(than page: RowPage, _ time: ReadingTime) -> Bool {
        let older = readings.prefix { $0.time.began.number < time.entered }.count
        if older == 0, small.isEmpty { return false }
        let keys = page.keyRange
        for position in 0..<older where readings[position].overlaps(keys) { return true }
        if small.count <= page.count { return small.keys.contains { keys.contains($0.value) } }
        return (0..<page.count).contains { small[RowKey(page.row($0).key)] != nil }
    }

    /// Pages of one read share one range, which includes all keys between them.
    private mutating func markRange(_ keys: ClosedRange<Int64>, _ time: ReadingTime) {
        if let position = markedRanges.firstIndex(where: { $0.number == time.entered }) {
            let known = markedRanges[position].keys
            let low = min(known.lowerBound, keys.lowerBound)
            markedRanges[position].keys = low...max(known.upperBound, keys.upperBound)
            return
        }
        append(MarkedRange(keys: keys, number: time.entered, own: time.began.number))
    }

    /// Marks what was read of rows before a moment as outdated; if they are many, perhaps that of others between them.
    mutating func mark(_ keys: [Int64], _ mark: Mark) {
        // Dense keys, with few others between them.
        if mark.version == nil, keys.count > Self.smallPageRows, let (range, span) = DistinctKeys.span(of: keys),
            span / 2 < keys.count
        {
            // What was known of their versions is outdated, too.
            if !marks.isEmpty { marks = marks.filter { $1.number > mark.number || !range.contains($0.value) } }
            append(MarkedRange(keys: range, number: mark.number, own: nil))
        } else if marks.count + keys.count > Self.marksLimit {
            forgetAll(before: mark.number)
        } else {
            for key in keys { self.mark(key, mark) }
        }
    }

    private mutating func append(_ range: MarkedRange) {
        if range.number <= oldestNumber { return }
        markedRanges.append(range)
        if markedRanges.count > Self.rangesLimit {
            forgetAll(before: markedRanges.map(\.number).max() ?? range.number)
        }
    }

    /// Marks what was read of a row before a moment as outdated.
    mutating func mark(_ key: Int64, _ mark: Mark) {
        if mark.number <= oldestNumber { return }
        let key = RowKey(key)
        marks[key] = marks[key]?.joined(with: mark) ?? mark
        if marks.count > Self.marksLimit { forgetAll(before: marks.values.map(\.number).max() ?? mark.number) }
    }

    /// Marks everything read before a moment as outdated.
    mutating func forgetAll(before number: UInt64) {
        oldestNumber = max(oldestNumber, number)
        marks = marks.filter { $0.value.number > oldestNumber }
        markedRanges.removeAll { $0.number <= oldestNumber }
    }
}

// MARK: - Finding

extension CachedPages {
    /// Returns the newest row with `key`; nil if it was read before `uptime` or is known to be outdated.
    mutating func row(_ key: Int64, notBefore uptime: UInt64) -> RowSnapshot? {
        guard let found = newest(key), found.time.began.number >= oldestNumber,
            found.time.began.uptimeNanoseconds >= uptime,
            marks[RowKey(key)]?.allows(found.row.version, readAt: found.time.began.number) ?? true,
            !markedRanges.contains(where: { $0.forbids(key, readAt: found.time.began.number) }),
            let page = found.page.retainedIfAlive()
        else { return nil }
        return RowSnapshot(page: page, index: found.index)
    }

    /// Returns the newest row with `key`, or only its version; nil if neither is known.
    mutating func knowledge(_ key: Int64) -> RowCache.Knowledge? {
        if let row = row(key, notBefore: 0) { return .row(row) }
        return marks[RowKey(key)]?.version.map { .version($0) }
    }

    private mutating func newest(_ key: Int64) -> CachedRow? {
        newest(key, small[RowKey(key)])
    }

    /// Returns the newest of a row and the rows with `key` in the reads.
    private mutating func newest(_ key: Int64, _ row: CachedRow?) -> CachedRow? {
        var newest = row
        for position in readings.indices.reversed() {
            if let newest {
                // All remaining reads were entered before the row at hand was read.
                if readings[position].latestEntry < newest.time.began.number { break }
                if readings[position].time.entered < newest.time.began.number { continue }
            }
            guard let found = readings[position].find(key) else { continue }
            let other = CachedRow(page: found.page, index: found.index, time: readings[position].time)
            if newest.map({ other.isNewer(than: $0) }) ?? true { newest = other }
        }
        return newest
    }

    /// Checks the invariants that hold between calls.
    mutating func _checkInvariants(_ cache: RowCache, lastNumber: UInt64) {
        var (latestEntry, latestBeginning) = (0 as UInt64, 0 as UInt64)
        for position in readings.indices {
            let time = readings[position].time
            precondition(time.began.number >= latestBeginning, "the readings are out of order")
            precondition(time.began.number < time.entered && time.entered <= lastNumber, "a reading took no time")
            (latestEntry, latestBeginning) = (max(latestEntry, time.entered), time.began.number)
            precondition(readings[position].latestEntry >= latestEntry, "a search would end too soon")
            precondition(!readings[position].isEmpty, "an empty reading was not taken out")
            readings[position]._checkInvariants()
        }
        for page in readings.flatMap({ $0.pages }) {
            guard let page else { continue }
            precondition(page.isCached(in: cache), "a page does not know that it is cached")
            precondition(page.count > Self.smallPageRows, "a small page is among the large ones")
        }
        for (key, entry) in small {
            precondition(entry.page.isCached(in: cache), "a page does not know that it is cached")
            precondition(entry.row.key == key.value, "a row is entered under another key")
            precondition(entry.page.count <= Self.smallPageRows, "a large page is among the small ones")
        }
        precondition(marks.count <= Self.marksLimit, "there are too many marks")
        precondition(markedRanges.count <= Self.rangesLimit, "there are too many ranges")
        precondition(marks.values.allSatisfy { $0.number > oldestNumber }, "a mark has no effect")
        precondition(oldestNumber <= lastNumber, "a future read is marked as outdated")
    }
}
