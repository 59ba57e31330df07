import BenchHarness

/// The figures of one driver in one phase.
struct DriverFigures: Sendable {
    let driver: String
    /// Every repetition, in the order of the file.
    let rows: [ResultRow]
    /// The valid repetitions: done and verified.
    let counted: [ResultRow]

    init(driver: String, rows: [ResultRow]) {
        self.driver = driver
        self.rows = rows
        counted = rows.filter(\.isEvidence)
    }

    var verifiedCount: Int { rows.filter { $0.verified == true }.count }
    var contaminatedCount: Int { counted.filter { $0.contaminated == true }.count }

    /// Returns the summary of the valid repetitions; nil if no repetition has the figure.
    func summary(_ metric: FigureColumn) -> SampleSummary? {
        SampleSummary(counted.compactMap(metric.value))
    }

    /// Returns the figure of the valid repetitions together; nil if no repetition has it, infinite without a bound.
    func overall(_ metric: FigureColumn) -> Double? { metric.overall(counted) }

    /// Returns the same as a number that can be drawn.
    func median(_ metric: FigureColumn) -> Double? { overall(metric).flatMap { $0.isFinite ? $0 : nil } }
}
