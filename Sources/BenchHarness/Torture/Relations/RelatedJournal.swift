import Foundation

/// A line of the journal of a worker that changes related records.
enum RelatedEntry: Equatable, Codable {
    /// The worker is about to begin this operation.
    case intent(RelatedOperation)
    /// The store has acknowledged it.
    case acknowledged([RelatedMark])
    /// The store refused it, and nothing was written.
    case refused
    /// It failed with an unexpected error, so whether it was done is unknown.
    case failed(String)
}

extension LoadJournal {
    /// Adds a line, and returns when the kernel has it.
    func write(_ entry: RelatedEntry) throws {
        try write(line: String(decoding: JSONEncoder().encode(entry), as: UTF8.self))
    }
}

/// What such a journal says of a worker that is no more.
struct RelatedReading: Sendable, Equatable {
    /// An operation that was acknowledged, and what it made of its accounts.
    struct Save: Sendable, Equatable {
        var operation: RelatedOperation
        var marks: [RelatedMark]
    }

    /// Operations that were acknowledged.
    var acknowledged: [Save] = []
    /// Operations that may or may not have been done.
    var doubtful: [RelatedOperation] = []
    /// Why operations failed.
    var failures: [String] = []

    init() {}

    /// Reads a journal to its end.
    init(_ text: String) throws(RunError) {
        var pending: RelatedOperation?
        // What follows the last end of a line is a line that was cut off, which counts for nothing.
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            guard let entry = try? JSONDecoder().decode(RelatedEntry.self, from: Data(line.utf8)) else {
                throw RunError(.process, "a journal has the line \"\(line)\", which no worker writes")
            }
            if case .intent(let operation) = entry {
                pending = operation
            } else if let operation = pending {
                note(entry, operation)
                pending = nil
            }
        }
        if let pending { doubtful.append(pending) }
    }

    private mutating func note(_ entry: RelatedEntry, _ operation: RelatedOperation) {
        switch entry {
        case .acknowledged(let marks): acknowledged.append(Save(operation: operation, marks: marks))
        case .failed(let reason):
            failures.append("\(operation.kind) of \(operation.numbers) with \(operation.policy): \(reason)")
            doubtful.append(operation)
        case .refused, .intent: break
        }
    }
}
