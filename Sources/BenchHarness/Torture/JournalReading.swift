import Foundation

/// What a worker's journal says of a worker that is no more.
struct JournalReading: Equatable {
    /// Its operations, the one under way at its end included, which is doubtful.
    var ledger = Ledger()
    /// Operations that changed the store and were acknowledged.
    var acknowledged = 0
    /// Why operations failed.
    var failures: [String] = []

    /// Reads a journal to its end.
    ///
    /// - Parameter end: When its worker was dead for certain.
    init(_ text: String, end: Int) throws(RunError) {
        var pending: (operation: LoadOperation, start: Int)?
        // What follows the last end of a line is a line that was cut off, which counts for nothing.
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            guard let entry = JournalEntry(line) else {
                throw RunError(.process, "a journal has the line \"\(line)\", which no worker writes")
            }
            if case .intent(let operation, let start) = entry {
                pending = (operation, start)
            } else if let (operation, start) = pending {
                note(entry, operation, start)
                pending = nil
            }
        }
        if let (operation, start) = pending { ledger.note(operation, start: start, end: end, isAcknowledged: false) }
    }

    private mutating func note(_ entry: JournalEntry, _ operation: LoadOperation, _ start: Int) {
        switch entry {
        case .acknowledged(let end):
            acknowledged += 1
            ledger.note(operation, start: start, end: end, isAcknowledged: true)
        case .failed(let end, let reason):
            failures.append(reason)
            ledger.note(operation, start: start, end: end, isAcknowledged: false)
        case .refused, .intent: break
        }
    }
}
