import BenchHarness

/// The response times of a driver over the rates of a load, from the trials of a search for the highest rate.
struct RateCurve: Sendable {
    /// The trials of one rate.
    struct Point: Sendable {
        let rate: Double
        let trials: [ResultRow]

        /// Returns the figure of the trials together; nil if none has it, infinite without a bound.
        func overall(_ metric: FigureColumn) -> Double? { metric.overall(trials) }

        /// Returns the same as a number that can be drawn.
        func median(_ metric: FigureColumn) -> Double? { overall(metric).flatMap { $0.isFinite ? $0 : nil } }
    }

    let style: DriverStyle
    /// The lowest rate first.
    let points: [Point]
    /// The result of the search.
    let found: FoundRate

    /// The trials of the highest rate that count; nil if there is none.
    var highest: Point? { points.first { $0.rate == found.best?.rate } }

    /// Creates the curve of a driver in a phase; nil unless it has trials of several rates.
    init?(_ style: DriverStyle, _ phase: PhaseFigures) {
        let rows = phase[style.name]?.counted ?? []
        let rates = Set(rows.compactMap(\.ratePerSecond)).sorted()
        guard rates.count > 1, let found = phase.search(style.name) else { return nil }
        self.style = style
        points = rates.map { rate in Point(rate: rate, trials: rows.filter { $0.ratePerSecond == rate }) }
        self.found = found
    }
}
