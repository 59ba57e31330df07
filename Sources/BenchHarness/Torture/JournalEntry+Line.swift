import Foundation

/// A line of a journal: a sign and words, separated by spaces. Lists have commas, and an empty list is a dash.
///
///     + START KIND INSERTS DELETES CHANGES REVISION ATTRIBUTES
///     = END
///     -
///     ! END REASON
extension JournalEntry {
    /// The line without its end.
    var line: String {
        switch self {
        case .intent(let operation, let start):
            let (revision, attributes) = operation.change.words
            let ranges = "\(Self.word(operation.inserts)) \(Self.word(operation.deletes))"
            let changes = Self.word(operation.changes)
            return "+ \(start) \(operation.kind.rawValue) \(ranges) \(changes) \(revision) \(attributes)"
        case .acknowledged(let end): return "= \(end)"
        case .refused: return "-"
        case .failed(let end, let reason):
            return "! \(end) \(reason.split(whereSeparator: \.isNewline).joined(separator: " "))"
        }
    }

    /// Parses a line; nil if it is malformed.
    init?(_ line: Substring) {
        let words = line.split(separator: " ")
        switch words.first {
        case "+":
            guard words.count == 8, let start = Int(words[1]), let operation = Self.operation(words[2...]) else {
                return nil
            }
            self = .intent(operation, start: start)
        case "=":
            guard words.count == 2, let end = Int(words[1]) else { return nil }
            self = .acknowledged(end: end)
        case "-": self = .refused
        case "!":
            guard words.count > 1, let end = Int(words[1]) else { return nil }
            self = .failed(end: end, reason: words[2...].joined(separator: " "))
        default: return nil
        }
    }

    private static func operation(_ words: ArraySlice<Substring>) -> LoadOperation? {
        let words = Array(words)
        guard let kind = OperationKind(rawValue: String(words[0])), let inserts = range(words[1]),
            let deletes = range(words[2]), let changes = list(words[3])
        else { return nil }
        var operation = LoadOperation(kind)
        (operation.inserts, operation.deletes, operation.changes) = (inserts, deletes, changes)
        if words[4] == LoadChange.ofScenario {
            operation.change = .set([])
        } else {
            guard let revision = UInt64(words[4]), let attributes = list(words[5]) else { return nil }
            operation.change = .attributes(attributes, revision: revision)
        }
        return operation
    }

    // MARK: Words

    private static func word(_ range: Range<Int>) -> String {
        range.isEmpty ? "-" : "\(range.lowerBound),\(range.count)"
    }

    private static func range(_ word: Substring) -> Range<Int>? {
        guard let numbers = list(word), !numbers.isEmpty else { return list(word).map { _ in 0..<0 } }
        guard numbers.count == 2, numbers[1] > 0 else { return nil }
        return numbers[0]..<(numbers[0] + numbers[1])
    }

    fileprivate static func word(_ list: [Int]) -> String {
        list.isEmpty ? "-" : list.map { "\($0)" }.joined(separator: ",")
    }

    private static func list(_ word: Substring) -> [Int]? {
        if word == "-" { return [] }
        let numbers = word.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        return numbers.contains(nil) ? nil : numbers.compactMap { $0 }
    }
}

extension LoadChange {
    fileprivate static let ofScenario = "set"

    fileprivate var words: (revision: String, attributes: String) {
        switch self {
        case .set: (Self.ofScenario, "-")
        case .attributes(let attributes, let revision): ("\(revision)", JournalEntry.word(attributes))
        }
    }
}
