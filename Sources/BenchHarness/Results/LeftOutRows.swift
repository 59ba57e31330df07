/// The number of rows of a result that are no evidence, and the reasons.
struct LeftOutRows: Sendable, Equatable {
    /// The reason why a row does not count, in the order of the messages.
    enum Reason: String, CaseIterable {
        case failed
        /// The work was done, but was not verified, or its result was wrong.
        case notVerified = "not verified"
        case unsupported
        case interrupted
    }

    private var counts: [Reason: Int] = [:]

    init(_ rows: [ResultRow]) {
        for reason in rows.compactMap(Self.reason) { counts[reason, default: 0] += 1 }
    }

    /// The total number of rows.
    var total: Int { counts.values.reduce(0, +) }

    /// The reasons that occur, each with its number of rows.
    var reasons: [(reason: Reason, count: Int)] {
        Reason.allCases.compactMap { reason in counts[reason].map { (reason, $0) } }
    }

    /// Returns the reason; nil for a row that counts.
    private static func reason(_ row: ResultRow) -> Reason? {
        if row.isEvidence { return nil }
        return switch row.status {
        case .ok: .notVerified
        case .failed: .failed
        case .unsupported: .unsupported
        case .interrupted: .interrupted
        }
    }
}
