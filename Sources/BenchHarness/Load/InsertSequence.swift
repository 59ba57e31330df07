import Foundation
import Locking

/// Hands out the ordinals of records to insert, and knows up to where all of them were inserted: others may only ask
/// for those (YCSB's `AcknowledgedCounterGenerator`).
final class InsertSequence: Sendable {
    private struct State {
        var upcoming: Int
        var frontier: Int
        var ahead: Set<Int> = []
    }

    private let records: Int
    private let first: Int
    private let state: Locked<State>

    /// Begins after `records` records, or at `first` where others insert as well.
    init(records: Int, first: Int? = nil) {
        self.records = records
        self.first = first ?? records
        state = Locked(State(upcoming: self.first, frontier: self.first))
    }

    /// The number of records all of which are there.
    var count: Int { state.withLock { records + $0.frontier - first } }

    /// The ordinal of one of the `count` records: those that were there before come first.
    func ordinal(at index: Int) -> Int { index < records ? index : first + index - records }

    /// The next ordinals to insert.
    func take(_ count: Int) -> Range<Int> {
        state.withLock { state in
            defer { state.upcoming += count }
            return state.upcoming..<(state.upcoming + count)
        }
    }

    /// Says that these are settled: inserted, or given up for good.
    func settle(_ ordinals: Range<Int>) {
        state.withLock { state in
            state.ahead.formUnion(ordinals)
            while state.ahead.remove(state.frontier) != nil { state.frontier += 1 }
        }
    }
}
