/// What the drivers came to in one phase.
struct PhaseFigures: Sendable {
    let key: PhaseKey
    let kind: String
    /// The drivers that have rows in this phase, in the order of the run.
    let drivers: [DriverFigures]

    var name: String { key.phase }
    var baseline: DriverFigures? { self[SummaryTable.baseline] }

    /// What a driver came to; nil when it has no rows.
    subscript(driver: String) -> DriverFigures? { drivers.first { $0.driver == driver } }

    /// The median of a driver by that of the baseline; nil when either is missing, or the baseline's is 0.
    func ratio(_ metric: FigureColumn, _ driver: String) -> Double? {
        guard let own = self[driver]?.median(metric), let base = baseline?.median(metric), base > 0 else { return nil }
        return own / base
    }

    /// Whether any driver has the figure.
    func has(_ metric: FigureColumn) -> Bool {
        drivers.contains { $0.median(metric) != nil }
    }

    /// The largest figure of any repetition that counts.
    func max(_ metric: FigureColumn) -> Double? {
        drivers.compactMap { $0.summary(metric)?.max }.max()
    }
}
