import Foundation
import Locking

/// Hands out the ordinals of records to insert, and knows the ordinal below which all are inserted: operations may only
/// use records below it (YCSB's `AcknowledgedCounterGenerator`).
final class InsertSequence: Sendable {
    private struct State {
        var upcoming: Int
        var frontier: Int
        var ahead: Set<Int> = []
    }

    private let records: Int
    private let first: Int
    private let state: Locked<State>

    /// Begins after `records` records, or at `first` if other processes insert too.
    init(records: Int, first: Int? = nil) {
        self.records = records
        self.first = first ?? records
        state = Locked(State(upcoming: self.first, frontier: self.first))
    }

    /// The number of leading records that are all in the store.
    var count: Int { state.withLock { records + $0.frontier - first } }

    /// Returns the ordinal of one of the `count` records: the initial records come first.
    func ordinal(at index: Int) -> Int { index < records ? index : first + index - records }

    /// Takes the next ordinals to insert.
    func take(_ count: Int) -> Range<Int> {
        state.withLock { state in
            defer { state.upcoming += count }
            return state.upcoming..<(state.upcoming + count)
        }
    }

    /// Marks ordinals as settled: inserted, or given up for good.
    func settle(_ ordinals: Range<Int>) {
        state.withLock { state in
            state.ahead.formUnion(ordinals)
            while state.ahead.remove(state.frontier) != nil { state.frontier += 1 }
        }
    }
}
