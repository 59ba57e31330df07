extension ResultSummary {
    /// The figures of one driver under one load, over the valid repetitions; a figure that was not measured is nil.
    package struct Load: Sendable {
        private let rows: [ResultRow]
        private let samples: [String: Sample]
        let limits: LimitTally

        /// Creates the figures; nil if the rows are not a load's.
        package init?(_ rows: [ResultRow]) {
            let rows = rows.filter(\.isOfLoad)
            guard !rows.isEmpty else { return nil }
            self.rows = rows
            samples = ResultSummary.samples(rows, FigureColumn.ofLoads)
            limits = LimitTally(rows)
        }

        /// Returns one of ``FigureColumn/ofLoads``; nil if it was not measured, or if its median has no bound.
        subscript(figure: FigureColumn) -> Sample? { samples[figure.column] }

        /// Returns the sum of a number of operations that went wrong; nil if they were not counted.
        func total(_ figure: FigureColumn) -> Int? { figure.overall(rows).map { Int(flooring: $0) } }

        /// Returns a figure for people; nil if it was not measured.
        func text(_ figure: FigureColumn) -> String? { figure.overall(rows).map(figure.text) }

        /// Whether operations without an answer leave a figure of a repetition without a bound.
        func lacksBound(_ figure: FigureColumn) -> Bool { rows.contains(where: figure.isUnbounded) }

        /// How many operations had no answer, and what that means for the figures, in a sentence without its full stop;
        /// nil if all had one.
        package var unanswered: String? {
            let parts = [(FigureColumn.dropped, "dropped"), (.errors, "not done because of errors")]
                .map { (count: total($0) ?? 0, verb: $1) }.filter { $0.count > 0 }
            guard let first = parts.first else { return nil }
            let all = rows.map { ($0.operations ?? 0) + $0.unanswered }.clampedSum
            let others = parts.dropFirst().map { " and \(Figure.count($0.count)) \($0.verb)" }.joined()
            return "\(Figure.count(first.count)) of \(Figure.count(all, "operation")) were \(first.verb)\(others); "
                + "they count as slower than all others\(missingBounds)"
        }

        /// Which figures of the table have no bound for that reason, and in how many repetitions.
        private var missingBounds: String {
            let lacking = FigureColumn.ofLoads.filter(lacksBound)
            if lacking.isEmpty { return "" }
            let count = rows.count { row in lacking.contains { $0.isUnbounded(in: row) } }
            return ", so that \(lacking.map(\.label).asList) \(lacking.count == 1 ? "has" : "have") no bound"
                + (count < rows.count ? " in \(count) of \(rows.count) repetitions" : "")
        }
    }
}

/// The number of repetitions with limits, and the number of those that missed one.
package struct LimitTally: Sendable {
    let limited: Int
    let missed: Int

    package init(_ rows: [ResultRow]) {
        limited = rows.count { !$0.limits.isEmpty }
        missed = rows.count { $0.missedLimits != nil }
    }

    /// The tally for people; nil if there were no limits.
    package var text: String? {
        if limited == 0 { return nil }
        return missed == 0 ? "met" : "\(missed) of \(limited) missed"
    }
}
