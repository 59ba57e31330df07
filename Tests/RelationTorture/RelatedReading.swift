import BenchHarness
import Foundation

/// A line of the journal of a worker that changes related records.
enum RelatedEntry: Equatable, Codable {
    /// The worker is about to begin this operation.
    case intent(RelatedOperation)
    /// The store has acknowledged the operation.
    case acknowledged([RelatedMark])
    /// The store refused the operation and wrote nothing.
    case refused
    /// The operation failed with an unexpected error, so it is unknown whether it was done.
    case failed(String)
}

extension LoadJournal {
    /// Adds a line, and returns when the kernel has it.
    func write(_ entry: RelatedEntry) throws {
        try write(line: String(decoding: JSONEncoder().encode(entry), as: UTF8.self))
    }
}

/// The content of the journal of a worker that has ended.
struct RelatedReading: Sendable, Equatable, Codable {
    /// An acknowledged operation, and the resulting state of its accounts.
    struct Save: Sendable, Equatable, Codable {
        var operation: RelatedOperation
        var marks: [RelatedMark]
    }

    /// The acknowledged operations.
    var acknowledged: [Save] = []
    /// Operations that may or may not have been done.
    var doubtful: [RelatedOperation] = []
    /// The reasons why operations failed.
    var failures: [String] = []

    init() {}

    /// Reads what a shard handed over.
    init(evidence: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(evidence.utf8)) }

    /// The form in which a shard hands it over.
    var evidence: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }

    /// Reads a journal to its end.
    init(_ text: String) throws(RunError) {
        var pending: RelatedOperation?
        // Text after the last line end is a truncated line, which does not count.
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            guard let entry = try? JSONDecoder().decode(RelatedEntry.self, from: Data(line.utf8)) else {
                throw RunError(.process, "a journal has the malformed line \"\(line)\"")
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
