import Foundation

/// The content of the journal of a worker that has ended.
package struct JournalReading: Equatable, Sendable {
    /// The worker's operations, if they are those of a load; the one interrupted by its end is doubtful.
    var ledger: Ledger
    /// What a task of its own read, in its own form; nil for a load.
    var evidence: String?
    /// The number of operations that changed the store and were acknowledged.
    var acknowledged = 0
    /// The reasons why operations failed.
    var failures: [String] = []

    /// Has what a task without ledgers read.
    package init(evidence: String, acknowledged: Int, failures: [String]) {
        ledger = Ledger()
        (self.evidence, self.acknowledged, self.failures) = (evidence, acknowledged, failures)
    }

    /// Reads the journal of a load to its end.
    ///
    /// - Parameters:
    ///   - end: A time at which nothing was done for the worker any more.
    ///   - goesOn: Whether an operation that failed may have gone on until then, on a server.
    ///   - repeating: The attributes whose values repeat.
    init(_ text: String, end: Int, goesOn: Bool = false, repeating: Set<Int> = []) throws(RunError) {
        ledger = Ledger(repeating: repeating)
        var pending: (operation: LoadOperation, start: Int)?
        // Text after the last line end is a truncated line, which does not count.
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            guard let entry = JournalEntry(line) else {
                throw RunError(.process, "a journal has the malformed line \"\(line)\"")
            }
            if case .intent(let operation, let start) = entry {
                pending = (operation, start)
            } else if let (operation, start) = pending {
                note(goesOn ? entry.ending(at: end) : entry, operation, start)
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

extension JournalEntry {
    /// Returns the entry with another end, if it is that of a failed operation.
    fileprivate func ending(at end: Int) -> Self {
        if case .failed(_, let reason) = self { .failed(end: end, reason: reason) } else { self }
    }
}
