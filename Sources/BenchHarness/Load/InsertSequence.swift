import Foundation

/// Hands out the ordinals of records to insert, and knows up to where all of them were inserted: others may only ask
/// for those (YCSB's `AcknowledgedCounterGenerator`).
///
/// Unchecked because the lock guards what changes.
final class InsertSequence: @unchecked Sendable {
    private let lock = NSLock()
    private let records: Int
    private let first: Int
    private var upcoming: Int
    private var frontier: Int
    private var ahead: Set<Int> = []

    /// Begins after `records` records, or at `first` where others insert as well.
    init(records: Int, first: Int? = nil) {
        self.records = records
        self.first = first ?? records
        upcoming = self.first
        frontier = self.first
    }

    /// The number of records all of which are there.
    var count: Int { lock.withLock { records + frontier - first } }

    /// The ordinal of one of the `count` records: those that were there before come first.
    func ordinal(at index: Int) -> Int { index < records ? index : first + index - records }

    /// The next ordinals to insert.
    func take(_ count: Int) -> Range<Int> {
        lock.withLock {
            defer { upcoming += count }
            return upcoming..<(upcoming + count)
        }
    }

    /// Says that these are settled: inserted, or given up for good.
    func settle(_ ordinals: Range<Int>) {
        lock.withLock {
            ahead.formUnion(ordinals)
            while ahead.remove(frontier) != nil { frontier += 1 }
        }
    }
}
