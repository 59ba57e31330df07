import Foundation

/// What the row cache knows of one entity. The owner holds its lock for every call.
///
/// Pages are not retained. Each takes itself out before its memory goes, which needs the lock; so while a page is in
/// here it may be looked into, and what is found in it is handed out if its death has not begun.
struct CachedPages {
    /// That what was read of a row before a moment is not its newest state, unless it has the version that the row
    /// had then.
    struct Mark {
        /// What was read before is not to be handed out.
        let number: UInt64
        /// The row's version at that moment; 0 when it was deleted, nil when it is not known.
        let version: Int32?
        /// What was read before is not to be handed out at any version: the row may have changed without another
        /// one.
        private let firstNumber: UInt64

        init(number: UInt64, version: Int32?) {
            self.init(number: number, version: version, firstNumber: version == nil ? number : 0)
        }

        private init(number: UInt64, version: Int32?, firstNumber: UInt64) {
            (self.number, self.version, self.firstNumber) = (number, version, firstNumber)
        }

        /// Both. Two saves may be told of in another order than they were done in: the version says which was the later
        /// one.
        func joined(with other: Mark) -> Mark {
            let (newest, first) = (max(number, other.number), max(firstNumber, other.firstNumber))
            guard let version, let otherVersion = other.version else {
                let newer = number >= other.number ? self : other
                return Mark(number: newest, version: newer.version, firstNumber: first)
            }
            let isDeleted = version == 0 || otherVersion == 0
            return Mark(number: newest, version: isDeleted ? 0 : max(version, otherVersion), firstNumber: first)
        }

        /// Whether a row of that version, read at the moment with that number, may be handed out.
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

        /// Whether this is what the store had later.
        func isNewer(than other: CachedRow) -> Bool {
            if time.overlaps(other.time), row.version != other.row.version { return row.version > other.row.version }
            return time.began.number > other.time.began.number
        }
    }

    /// What was read of the keys in a range before a moment is not their newest state.
    private struct MarkedRange {
        var keys: ClosedRange<Int64>
        let number: UInt64
        /// When the reading began that had these keys: what is left of it counts.
        let own: UInt64

        func forbids(_ key: Int64, readAt number: UInt64) -> Bool {
            keys.contains(key) && self.number > number && own != number
        }
    }

    /// Rows of a page up to which each is entered by itself.
    private static let smallPageRows = 32
    /// How many marks there may be; when they exceed it, everything older is forgotten instead.
    static let marksLimit = RowPage.rows
    private static let rangesLimit = 64

    /// In the order of their moments.
    private var readings: [CachedReading] = []
    private var small: [Int64: CachedRow] = [:]
    private var marks: [Int64: Mark] = [:]
    private var markedRanges: [MarkedRange] = []
    /// What was read before counts no more.
    private var oldestNumber: UInt64 = 0

    /// Enters the pages of one reading or save.
    mutating func enter(_ pages: [RowPage], _ time: ReadingTime) {
        for page in pages where page.count <= Self.smallPageRows { enterRows(of: page, time) }
        let large = pages.filter { $0.count > Self.smallPageRows }
        if large.isEmpty { return }
        let place = readings.lastIndex { $0.time.began.number <= time.began.number }.map { $0 + 1 } ?? 0
        readings.insert(CachedReading(large, time), at: place)
        var latest = place > 0 ? readings[place - 1].latestEntry : 0
        for position in place..<readings.count {
            latest = max(latest, readings[position].time.entered)
            if readings[position].latestEntry == latest { break }
            readings[position].latestEntry = latest
        }
    }

    private mutating func enterRows(of page: RowPage, _ time: ReadingTime) {
        let cached = CachedPage(page)
        for index in 0..<page.count {
            let row = CachedRow(page: cached, index: index, time: time)
            if let known = small[row.row.key], known.isNewer(than: row) { continue }
            small[row.row.key] = row
        }
    }

    /// Takes a page out, and sees to it that no older row comes to light where it was.
    mutating func remove(_ page: RowPage) {
        guard page.count <= Self.smallPageRows else { return removeLarge(page) }
        for index in 0..<page.count {
            let row = page.row(index)
            guard let entry = small[row.key], entry.page.isSame(as: page) else { continue }
            small[row.key] = nil
            if newest(row.key, nil) != nil {
                mark(row.key, Mark(number: entry.time.entered, version: row.version))
            }
        }
    }

    private mutating func removeLarge(_ page: RowPage) {
        guard let position = readings.indices.first(where: { readings[$0].remove(page) }) else { return }
        let time = readings[position].time
        if readings[position].isEmpty { readings.remove(at: position) }
        guard !small.isEmpty || readings.first.map({ $0.time.began.number < time.entered }) == true else { return }
        markRange(page.keyRange, time)
    }

    /// Pages of one reading share one range, with all that lies between them.
    private mutating func markRange(_ keys: ClosedRange<Int64>, _ time: ReadingTime) {
        if let position = markedRanges.firstIndex(where: { $0.number == time.entered }) {
            let known = markedRanges[position].keys
            let low = min(known.lowerBound, keys.lowerBound)
            markedRanges[position].keys = low...max(known.upperBound, keys.upperBound)
            return
        }
        markedRanges.append(MarkedRange(keys: keys, number: time.entered, own: time.began.number))
        if markedRanges.count > Self.rangesLimit {
            forgetAll(before: markedRanges.map(\.number).max() ?? time.entered)
        }
    }

    /// Remembers that what was read of a row before a moment does not count.
    mutating func mark(_ key: Int64, _ mark: Mark) {
        if mark.number <= oldestNumber { return }
        marks[key] = marks[key]?.joined(with: mark) ?? mark
        if marks.count > Self.marksLimit { forgetAll(before: marks.values.map(\.number).max() ?? mark.number) }
    }

    /// Forgets what was read before a moment.
    mutating func forgetAll(before number: UInt64) {
        oldestNumber = max(oldestNumber, number)
        marks = marks.filter { $0.value.number > oldestNumber }
        markedRanges.removeAll { $0.number <= oldestNumber }
    }
}

// MARK: - Finding

extension CachedPages {
    /// The newest row with `key`, unless it was read before `uptime`, or a newer one is known to exist.
    mutating func row(_ key: Int64, notBefore uptime: UInt64) -> RowSnapshot? {
        guard let found = newest(key), found.time.began.number >= oldestNumber,
            found.time.began.uptimeNanoseconds >= uptime,
            marks[key]?.allows(found.row.version, readAt: found.time.began.number) ?? true,
            !markedRanges.contains(where: { $0.forbids(key, readAt: found.time.began.number) }),
            let page = found.page.retainedIfAlive()
        else { return nil }
        return RowSnapshot(page: page, index: found.index)
    }

    /// The newest row with `key`, or its version; nil when nothing is known.
    mutating func knowledge(_ key: Int64) -> RowCache.Knowledge? {
        if let row = row(key, notBefore: 0) { return .row(row) }
        return marks[key]?.version.map { .version($0) }
    }

    private mutating func newest(_ key: Int64) -> CachedRow? {
        newest(key, small[key])
    }

    /// The newest of a row and those with `key` in the readings.
    private mutating func newest(_ key: Int64, _ row: CachedRow?) -> CachedRow? {
        var newest = row
        for position in readings.indices.reversed() {
            if let newest {
                // All that is left was entered before what was found was read.
                if readings[position].latestEntry < newest.time.began.number { break }
                if readings[position].time.entered < newest.time.began.number { continue }
            }
            guard let found = readings[position].find(key) else { continue }
            let other = CachedRow(page: found.page, index: found.index, time: readings[position].time)
            if newest.map({ other.isNewer(than: $0) }) ?? true { newest = other }
        }
        return newest
    }

    /// Checks what must hold between calls.
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
            precondition(entry.row.key == key, "a row is entered under another key")
            precondition(entry.page.count <= Self.smallPageRows, "a large page is among the small ones")
        }
        precondition(marks.count <= Self.marksLimit, "there are too many marks")
        precondition(markedRanges.count <= Self.rangesLimit, "there are too many ranges")
        precondition(marks.values.allSatisfy { $0.number > oldestNumber }, "a mark says nothing")
        precondition(oldestNumber <= lastNumber, "what is yet to be read is forgotten")
    }
}
