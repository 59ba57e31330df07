extension ResultSummary {
    /// What one driver did under one load, over the repetitions that count; nil figures were not measured.
    struct Load: Sendable {
        private let samples: [String: Sample]
        /// Of all repetitions together.
        let retries: Int
        let errors: Int
        let limits: LimitTally

        /// Nil when the rows are no load's.
        init?(_ rows: [ResultRow]) {
            let rows = rows.filter { $0.serviceP50 != nil }
            guard !rows.isEmpty else { return nil }
            samples = ResultSummary.samples(rows, FigureColumn.ofLoads)
            retries = rows.reduce(0) { $0 + ($1.retries ?? 0) }
            errors = rows.reduce(0) { $0 + ($1.errors ?? 0) }
            limits = LimitTally(rows)
        }

        /// One of ``FigureColumn/ofLoads``; nil when it was not measured.
        subscript(figure: FigureColumn) -> Sample? { samples[figure.column] }
    }
}

/// How many repetitions had limits, and how many of them missed one.
struct LimitTally: Sendable {
    let limited: Int
    let missed: Int

    init(_ rows: [ResultRow]) {
        limited = rows.count { !$0.limits.isEmpty }
        missed = rows.count { $0.missedLimits != nil }
    }

    /// For people; nil where there were no limits.
    var text: String? {
        if limited == 0 { return nil }
        return missed == 0 ? "met" : "\(missed) of \(limited) missed"
    }
}
