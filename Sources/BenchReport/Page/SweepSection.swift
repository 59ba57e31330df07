import BenchHarness

/// The figures of a run's phases over the values of a number, for a run of a scenario with lists.
struct SweepSection {
    let run: RunFigures

    private var id: String { "run-\(run.number)-sweep" }

    /// The figures of each phase; empty for a run without lists.
    var charts: [Chart] {
        (run.sweep?.phases ?? []).enumerated().flatMap { index, phase in
            phase.figures.compactMap { figure in
                SweepChart(id: "\(id)-\(index + 1)-\(figure.name)", figure: figure, phase: phase, styles: run.drivers)
                    .chart
            }
        }
    }

    /// The section; nil for a run without lists.
    var node: HTMLNode? {
        let charts = charts
        guard !charts.isEmpty else { return nil }
        return .tag(
            "section", ["id": id], .tag("h3", [:], "Sweep"), .tag("p", ["class": "lead"], .text(Self.lead)),
            LegendList(styles: run.drivers).node, charts.figures)
    }

    private static let lead = """
        The scenario has a list in place of a number, and its phases ran with each. Every point is a median over the \
        repetitions. The axis of the number is logarithmic where the largest is more than twenty times the smallest.
        """
}
