extension FigureColumn {
    /// Returns the figure of several repetitions together: the sum of what went wrong, the median of anything else; nil
    /// if no repetition has it.
    ///
    /// A percentile without a bound counts as the longest time, so that the median has none either if most lack it.
    package func overall(_ rows: [ResultRow]) -> Double? {
        let values = rows.compactMap { value($0) ?? (isUnbounded(in: $0) ? .infinity : nil) }.sorted()
        guard !values.isEmpty else { return nil }
        if isSummed { return values.reduce(0, +) }
        let (lower, upper) = (values[(values.count - 1) / 2], values[values.count / 2])
        return lower == upper ? lower : lower + (upper - lower) / 2
    }

    /// Whether operations of a load that were dropped or failed leave a percentile without a bound: they count as
    /// slower than every other, and have no time.
    func isUnbounded(in row: ResultRow) -> Bool {
        row.unanswered > 0 && value(row) == nil && Self.responsePercentiles.contains { $0.column == column }
    }
}
