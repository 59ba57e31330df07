import Synchronization

/// Notes that the regular expression of a predicate could not be matched with some string, which evaluating a predicate
/// in memory cannot throw. Nothing matches from then on, so that the end comes soon; the evaluation looks at it
/// then.
final class PatternExcess: Sendable {
    private let pattern: String
    private let noted = Atomic(false)

    init(_ pattern: String) { self.pattern = pattern }

    var isNoted: Bool { noted.load(ordering: .relaxed) }
    func note() { noted.store(true, ordering: .relaxed) }
    /// Matches go on with other strings.
    func forget() { noted.store(false, ordering: .relaxed) }
    var error: StoreError { .tooCostly(pattern) }
}

extension ResolvedPredicate {
    /// One for each regular expression in the predicate.
    var excesses: [PatternExcess] {
        switch self {
        case .text(_, let test): test.excess.map { [$0] } ?? []
        case .and(let parts), .or(let parts): parts.flatMap(\.excesses)
        case .decision(let steps, let otherwise): steps.flatMap(\.condition.excesses) + otherwise.excesses
        case .not(let part), .through(_, let part, _), .related(_, _, let part): part.excesses
        default: []
        }
    }

    /// To be called after the predicate was evaluated in memory.
    ///
    /// - Throws: `StoreError` with `invalidRequest` when a regular expression takes too many steps.
    func checkPatterns() throws(StoreError) {
        if let excess = excesses.first(where: \.isNoted) { throw excess.error }
    }
}
