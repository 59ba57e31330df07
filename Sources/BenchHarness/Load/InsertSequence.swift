import Foundation

/// Hands out the ordinals of records to insert, and knows up to where all of them were inserted: others may only ask for
/// those (YCSB's `AcknowledgedCounterGenerator`).
///
/// Unchecked because the lock guards what changes.
final class InsertSequence: @unchecked Sendable {
    private let lock = NSLock()
    private var upcoming: Int
    private var frontier: Int
    private var ahead: Set<Int> = []

    /// Begins after `records` records.
    init(records: Int) {
        upcoming = records
        frontier = records
    }

    /// The number of records all of which are there: `0..<count` may be asked for.
    var count: Int { lock.withLock { frontier } }

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
