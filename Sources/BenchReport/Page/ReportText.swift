import BenchHarness
import Foundation

/// The format of figures on the page: for people, and in attributes for programs.
enum ReportText {
    /// The text in place of a missing figure, which is not 0.
    static let missing = "–"

    /// Returns a ratio with a multiplication sign.
    static func ratio(_ ratio: Double) -> String {
        Figure.ratio(ratio, decimals: 2, sign: "×")
    }

    /// Returns a ratio of few repetitions: its order of magnitude.
    static func roughRatio(_ ratio: Double) -> String { Figure.roughRatio(ratio, sign: "×") }

    /// Returns a figure without rounding: whole numbers without decimals, others with all their decimals.
    static func raw(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? "\(value)"
    }

    /// Returns the attributes that tell a program what a mark or a cell shows. `statistic` is `median`, `sum`, `min`,
    /// `max`, `ratio` or `repetition`; a missing value has no `data-value`.
    static func data(
        _ phase: PhaseFigures, _ driver: String, _ metric: FigureColumn, _ statistic: String, _ value: Double?
    ) -> HTMLAttributes {
        [
            "data-scenario": phase.key.scenario, "data-phase": phase.name, "data-mode": phase.key.mode,
            "data-driver": driver, "data-metric": metric.column, "data-stat": statistic, "data-value": value.map(raw),
        ]
    }

    /// Returns the attributes of the highest rate that a search found.
    static func data(_ phase: PhaseFigures, _ driver: String, _ rate: Double?) -> HTMLAttributes {
        ["data-phase": phase.name, "data-driver": driver, "data-stat": "found_rate", "data-value": rate.map(raw)]
    }
}
