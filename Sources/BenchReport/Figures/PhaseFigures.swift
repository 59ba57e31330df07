import BenchHarness

/// The figures of the drivers in one phase.
struct PhaseFigures: Sendable {
    let key: PhaseKey
    let kind: String
    /// The drivers that have rows in this phase, in the order of the run.
    let drivers: [DriverFigures]
    /// The driver of the run that the others are compared with; nil if it has none.
    let baselineName: String?
    /// The searches for the highest rate whose trials the rows are; none for other phases.
    let searches: [FoundRate]
    /// What shows how fast the phase was; nil for trials at several rates.
    let speed: FigureColumn?

    var name: String { key.phase }

    /// Whether the duration shows how fast the phase was. One that was given, as that of a load at a rate, does not.
    var isTimedByDuration: Bool { speed?.column == FigureColumn.duration.column }

    /// Whether the phase is a load.
    var isLoad: Bool { drivers.contains { $0.counted.contains(where: \.isOfLoad) } }

    /// What a reader wants to know first: of a load its rate and response times, since its duration is mostly given; of
    /// commands the CPU time too, by which they are compared; of other phases the duration.
    var headlines: [FigureColumn] {
        if isLoad { return [.throughput, .latencyP50, .latencyP99] }
        return kind == PairedCommands.kind ? [.duration, .cpu] : [.duration]
    }

    /// Returns the result of the search of a driver; nil if its rows are no trials.
    func search(_ driver: String) -> FoundRate? { searches.first { $0.driver == driver } }

    var baseline: DriverFigures? { baselineName.flatMap { self[$0] } }

    /// The figures of a driver; nil if it has no rows.
    subscript(driver: String) -> DriverFigures? { drivers.first { $0.driver == driver } }

    /// Returns the ratio of a driver's median to the baseline's; nil if either is missing, if the baseline's is 0, or
    /// for a duration that was given.
    func ratio(_ metric: FigureColumn, _ driver: String) -> Double? {
        if metric.column == FigureColumn.duration.column, !isTimedByDuration { return nil }
        guard let own = self[driver]?.median(metric), let base = baseline?.median(metric), base > 0 else { return nil }
        return own / base
    }

    /// Returns the ratio in words, which of times of few repetitions is an order of magnitude.
    func ratioText(_ metric: FigureColumn, _ driver: String) -> String? {
        ratio(metric, driver).map(isRough(metric, driver) ? ReportText.roughRatio : ReportText.ratio)
    }

    /// Whether a ratio is of times of so few repetitions that it decides nothing.
    func isRough(_ metric: FigureColumn, _ driver: String) -> Bool {
        let counts = [self[driver], baseline].map { $0?.summary(metric)?.count ?? 0 }
        return metric.kind == .time && counts.contains { $0 < RatioTable.leastRepetitions }
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
