import CSystem
import Foundation

/// What the row cache knows of one entity. The owner holds its lock for every call.
///
/// Pages are not retained. Each takes itself out before its memory goes, which needs the lock; so while a page is in here it
/// may be looked into, and what is found in it is handed out if its death has not begun.
struct CachedPages {
    /// That whatever was read of a row before a moment is not its newest state, unless it has the version that the row had then.
    struct Mark {
        /// What was read before is not to be handed out.
        let number: UInt64
        /// The row's version at that moment; 0 when it was deleted, nil when it is not known.
        let version: Int32?

        /// Both. Two saves may be told of in another order than they were done in: the version says which was the later one.
        func joined(with other: Mark) -> Mark {
            let newer = number >= other.number ? self : other
            guard let version, let otherVersion = other.version else { return newer }
            let isDeleted = version == 0 || otherVersion == 0
            return Mark(number: newer.number, version: isDeleted ? 0 : max(version, otherVersion))
        }

        /// Whether a row of that version, read at the moment with that number, may be handed out.
        func allows(_ version: Int32, readAt number: UInt64) -> Bool {
            if number >= self.number { return true }
            guard let known = self.version, known > 0 else { return false }
            return version >= known
        }
    }

    private struct LargePage {
        let page: Unmanaged<RowPage>
        let moment: RowCache.Moment
        /// Where each key is, made when it is first asked for; keys that ascend need no such table.
        var indices: [Int64: Int]?
    }

    private struct SmallPage {
        let page: Unmanaged<RowPage>
        let index: Int
        let moment: RowCache.Moment

        var version: Int32 { page._withUnsafeGuaranteedRef { $0.row(index).version } }
    }

    /// Whatever was read of the keys in a range before a moment is not their newest state.
    private struct MarkedRange {
        var keys: ClosedRange<Int64>
        let number: UInt64
    }

    /// Rows of a page up to which each is entered by itself.
    private static let smallPageRows = 32
    /// How many marks there may be; when they exceed it, everything older is forgotten instead.
    static let marksLimit = RowPage.rows
    private static let rangesLimit = 64

    /// In the order of their moments.
    private var large: [LargePage] = []
    private var small: [Int64: SmallPage] = [:]
    private var marks: [Int64: Mark] = [:]
    private var markedRanges: [MarkedRange] = []
    /// What was read before counts no more.
    private var oldestNumber: UInt64 = 0

    mutating func enter(_ page: RowPage, at moment: RowCache.Moment) {
        let reference = Unmanaged.passUnretained(page)
        guard page.count <= Self.smallPageRows else {
            let place = large.lastIndex { $0.moment.number <= moment.number }.map { $0 + 1 } ?? 0
            return large.insert(LargePage(page: reference, moment: moment), at: place)
        }
        for index in 0..<page.count {
            let key = page.row(index).key
            if let known = small[key], known.moment.number > moment.number { continue }
            small[key] = SmallPage(page: reference, index: index, moment: moment)
        }
    }

    /// Takes a page out, and sees to it that no older row comes to light where it was.
    mutating func remove(_ page: RowPage) {
        let reference = Unmanaged.passUnretained(page)
        guard page.count <= Self.smallPageRows else { return removeLarge(reference) }
        for index in 0..<page.count {
            let row = page.row(index)
            guard let entry = small[row.key], entry.page.toOpaque() == reference.toOpaque() else { continue }
            small[row.key] = nil
            if largePage(with: row.key, after: 0) != nil {
                mark(row.key, Mark(number: entry.moment.number, version: row.version))
            }
        }
    }

    private mutating func removeLarge(_ reference: Unmanaged<RowPage>) {
        guard let position = large.firstIndex(where: { $0.page.toOpaque() == reference.toOpaque() }) else { return }
        let number = large.remove(at: position).moment.number
        guard !small.isEmpty || large.first.map({ $0.moment.number < number }) == true else { return }
        markRange(reference._withUnsafeGuaranteedRef { $0.keyRange }, number)
    }

    /// Pages of one reading share one range, with whatever lies between them.
    private mutating func markRange(_ keys: ClosedRange<Int64>, _ number: UInt64) {
        if let position = markedRanges.firstIndex(where: { $0.number == number }) {
            let known = markedRanges[position].keys
            let low = min(known.lowerBound, keys.lowerBound)
            markedRanges[position].keys = low...max(known.upperBound, keys.upperBound)
            return
        }
        markedRanges.append(MarkedRange(keys: keys, number: number))
        if markedRanges.count > Self.rangesLimit {
            forgetAll(before: markedRanges.map(\.number).max() ?? number)
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
        guard let found = newest(key), found.moment.number >= oldestNumber, found.moment.uptimeNanoseconds >= uptime,
            marks[key]?.allows(found.version, readAt: found.moment.number) ?? true,
            !markedRanges.contains(where: { $0.keys.contains(key) && $0.number > found.moment.number }),
            swift_tryRetain(found.page.toOpaque()) != nil
        else { return nil }
        return RowSnapshot(page: found.page.takeRetainedValue(), index: found.index)
    }

    /// The newest row with `key`, or its version; nil when nothing is known.
    mutating func knowledge(_ key: Int64) -> RowCache.Knowledge? {
        if let row = row(key, notBefore: 0) { return .row(row) }
        return marks[key]?.version.map { .version($0) }
    }

    private mutating func newest(_ key: Int64) -> SmallPage? {
        let single = small[key]
        return largePage(with: key, after: single?.moment.number ?? 0) ?? single
    }

    /// The newest of the large pages entered after a moment that has a row with `key`.
    private mutating func largePage(with key: Int64, after number: UInt64) -> SmallPage? {
        for position in large.indices.reversed() {
            if large[position].moment.number <= number { return nil }
            if let index = index(of: key, at: position) {
                return SmallPage(page: large[position].page, index: index, moment: large[position].moment)
            }
        }
        return nil
    }

    private mutating func index(of key: Int64, at position: Int) -> Int? {
        if let indices = large[position].indices { return indices[key] }
        return large[position].page._withUnsafeGuaranteedRef { page in
            if page.isAscending { return page.index(ofAscending: key) }
            let indices = page.indicesByKey
            large[position].indices = indices
            return indices[key]
        }
    }

    /// Checks what must hold between calls.
    func _checkInvariants(_ cache: RowCache) {
        for (left, right) in zip(large, large.dropFirst()) {
            precondition(left.moment.number <= right.moment.number, "the pages are out of order")
        }
        for entry in large {
            entry.page._withUnsafeGuaranteedRef { page in
                precondition(page.cache === cache, "a page does not know that it is cached")
                precondition(page.count > Self.smallPageRows, "a small page is among the large ones")
            }
        }
        for (key, entry) in small {
            entry.page._withUnsafeGuaranteedRef { page in
                precondition(page.cache === cache, "a page does not know that it is cached")
                precondition(page.row(entry.index).key == key, "a row is entered under another key")
            }
        }
        precondition(marks.count <= Self.marksLimit, "there are too many marks")
        precondition(markedRanges.count <= Self.rangesLimit, "there are too many ranges")
        precondition(marks.values.allSatisfy { $0.number > oldestNumber }, "a mark says nothing")
    }
}

extension RowPage {
    /// The lowest and the highest key.
    fileprivate var keyRange: ClosedRange<Int64> {
        if isAscending { return row(0).key...row(count - 1).key }
        let keys = (0..<count).map { row($0).key }
        return (keys.min() ?? 0)...(keys.max() ?? 0)
    }

    /// Where each key is.
    fileprivate var indicesByKey: [Int64: Int] {
        Dictionary((0..<count).map { (row($0).key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Where `key` is in a page whose keys ascend. O(log n), or O(1) where no key is missing.
    fileprivate func index(ofAscending key: Int64) -> Int? {
        var (low, high) = (0, count - 1)
        let (first, last) = (row(low).key, row(high).key)
        if key < first || key > last { return nil }
        if last - first == Int64(high) { return Int(key - first) }
        while low < high {
            let middle = (low + high) / 2
            if row(middle).key < key { low = middle + 1 } else { high = middle }
        }
        return row(low).key == key ? low : nil
    }
}
