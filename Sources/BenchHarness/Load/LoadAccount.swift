/// A worker's account of a load: what it wrote, and what it read.
struct LoadAccount: Sendable {
    var ledger: Ledger
    /// Nil if nothing judges what was read.
    var trace: LoadTrace?

    /// The heap that the account takes.
    var heapBytes: Int { ledger.heapBytes + (trace?.heapBytes ?? 0) }

    /// Notes an operation and the interval in which it took effect.
    ///
    /// - Parameter outcome: Nil if it is unknown whether the operation was done.
    mutating func note(
        _ operation: LoadOperation, _ reading: LoadReading, start: Int, end: Int, outcome: LoadOutcome?
    ) {
        if outcome == .done || outcome == nil {
            ledger.note(operation, start: start, end: end, isAcknowledged: outcome == .done)
        }
        trace?.note(operation, reading.records, start: start, end: end, outcome: outcome)
    }
}
