import Synchronization

/// Records that the regular expression of a predicate took too many steps for a string, an error that the evaluation of
/// a predicate in memory cannot throw.
///
/// After that nothing matches, so that the evaluation ends quickly and then checks this object.
final class PatternExcess: Sendable {
    private let pattern: String
    private let noted = Atomic(false)

    init(_ pattern: String) { self.pattern = pattern }

    var isNoted: Bool { noted.load(ordering: .relaxed) }
    func note() { noted.store(true, ordering: .relaxed) }
    /// Allows matches with other strings again.
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
        case .values(let left, _, let right): (left.conditions + right.conditions).flatMap(\.excesses)
        default: []
        }
    }

    /// Throws the error that an evaluation in memory could not throw. Call it after the evaluation.
    ///
    /// - Throws: `StoreError` with `invalidRequest` if a regular expression took too many steps.
    func checkPatterns() throws(StoreError) {
        if let excess = excesses.first(where: \.isNoted) { throw excess.error }
    }
}
