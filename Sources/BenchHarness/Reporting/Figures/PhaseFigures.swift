/// The figures of the drivers in one phase.
struct PhaseFigures: Sendable {
    let key: PhaseKey
    let kind: String
    /// The drivers that have rows in this phase, in the order of the run.
    let drivers: [DriverFigures]
    /// The driver of the run that the others are compared with; nil if it has none.
    let baselineName: String?

    var name: String { key.phase }
    var baseline: DriverFigures? { baselineName.flatMap { self[$0] } }

    /// The figures of a driver; nil if it has no rows.
    subscript(driver: String) -> DriverFigures? { drivers.first { $0.driver == driver } }

    /// Returns the ratio of a driver's median to the baseline's; nil if either is missing, or if the baseline's is 0.
    func ratio(_ metric: FigureColumn, _ driver: String) -> Double? {
        guard let own = self[driver]?.median(metric), let base = baseline?.median(metric), base > 0 else { return nil }
        return own / base
    }

    /// Returns whether any driver has the figure.
    func has(_ metric: FigureColumn) -> Bool {
        drivers.contains { $0.median(metric) != nil }
    }

    /// Returns the largest figure of all valid repetitions.
    func max(_ metric: FigureColumn) -> Double? {
        drivers.compactMap { $0.summary(metric)?.max }.max()
    }
}
