/// How many rows of a result are no evidence, and why.
struct LeftOutRows: Sendable, Equatable {
    /// Why a row counts for nothing, in the order in which reasons are told.
    enum Reason: String, CaseIterable {
        case failed
        /// It was done, but was not verified, or was found wrong.
        case notVerified = "not verified"
        case unsupported
        case interrupted
    }

    private var counts: [Reason: Int] = [:]

    init(_ rows: [ResultRow]) {
        for reason in rows.compactMap(Self.reason) { counts[reason, default: 0] += 1 }
    }

    /// How many in all.
    var total: Int { counts.values.reduce(0, +) }

    /// The reasons that there are, each with how many rows it holds for.
    var reasons: [(reason: Reason, count: Int)] {
        Reason.allCases.compactMap { reason in counts[reason].map { (reason, $0) } }
    }

    /// Nil for a row that counts.
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
