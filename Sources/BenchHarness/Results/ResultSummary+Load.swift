extension ResultSummary {
    /// The figures of one driver under one load, over the valid repetitions; a figure that was not measured is nil.
    struct Load: Sendable {
        private let samples: [String: Sample]
        /// The retries of all repetitions together.
        let retries: Int
        let errors: Int
        let limits: LimitTally

        /// Creates the figures; nil if the rows are not a load's.
        init?(_ rows: [ResultRow]) {
            let rows = rows.filter { $0.serviceP50 != nil }
            guard !rows.isEmpty else { return nil }
            samples = ResultSummary.samples(rows, FigureColumn.ofLoads)
            retries = rows.compactMap(\.retries).clampedSum
            errors = rows.compactMap(\.errors).clampedSum
            limits = LimitTally(rows)
        }

        /// Returns one of ``FigureColumn/ofLoads``; nil if it was not measured.
        subscript(figure: FigureColumn) -> Sample? { samples[figure.column] }
    }
}

/// The number of repetitions with limits, and the number of those that missed one.
struct LimitTally: Sendable {
    let limited: Int
    let missed: Int

    init(_ rows: [ResultRow]) {
        limited = rows.count { !$0.limits.isEmpty }
        missed = rows.count { $0.missedLimits != nil }
    }

    /// The tally for people; nil if there were no limits.
    var text: String? {
        if limited == 0 { return nil }
        return missed == 0 ? "met" : "\(missed) of \(limited) missed"
    }
}
