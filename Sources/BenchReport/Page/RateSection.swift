import BenchHarness

/// The response times over the rates that a search for the highest rate tried, since the highest rate alone hides how
/// they rise below it.
struct RateSection {
    let run: RunFigures

    private var parts: [(phase: PhaseFigures, curves: [RateCurve])] {
        run.phases.map { phase in (phase, run.drivers.compactMap { RateCurve($0, phase) }) }
            .filter { !$0.curves.isEmpty }
    }

    /// The section; nil for a run that tried one rate.
    var node: HTMLNode? {
        let parts = parts
        guard !parts.isEmpty else { return nil }
        return .tag(
            "section", ["id": "run-\(run.number)-rates"], .tag("h3", [:], "Rates"),
            .tag("p", ["class": "lead"], .text(Self.lead)), LegendList(styles: run.drivers).node,
            .group(parts.map(node)))
    }

    /// The response times of each load; empty for a run that tried one rate.
    var charts: [Chart] { parts.compactMap(chart) }

    private func chart(_ part: (phase: PhaseFigures, curves: [RateCurve])) -> Chart? {
        RateChart(
            id: PhaseSection.id(run, part.phase) + "-rates", caption: run.title(of: part.phase), phase: part.phase,
            curves: part.curves
        ).chart
    }

    /// What the marks of the charts are.
    static let marks = """
        Filled marks are the 99th percentile, hollow marks the median; each dot is the 99th percentile of a trial, hollow if it \
        missed a limit. The dashed line is the highest rate that kept the limits.
        """

    private static let lead = """
        Response times at each rate that was tried, the median of its trials. \(marks) A percentile has no bound if so many \
        operations were dropped or failed, which counts as slower than any time.
        """

    private func node(_ part: (phase: PhaseFigures, curves: [RateCurve])) -> HTMLNode {
        let heading = chart(part)?.figure ?? .tag("h4", [:], .text(run.title(of: part.phase)))
        return .tag("div", ["class": "beside"], heading, table(part.phase, part.curves))
    }

    private static let figures: [FigureColumn] = [.throughput, .latencyP50, .latencyP99, .latencyMax]

    private func table(_ phase: PhaseFigures, _ curves: [RateCurve]) -> HTMLNode {
        let names = ["driver", "highest rate"].map { PageTable.Column(title: $0, isFigure: false) }
        let titles = ["rate", "trials"] + Self.figures.map(\.label)
        return PageTable(
            label: "Response times of \(run.title(of: phase)) by rate",
            columns: names + titles.map { PageTable.Column(title: $0) }, rows: curves.flatMap { rows(phase, $0) }
        ).node
    }

    private func rows(_ phase: PhaseFigures, _ curve: RateCurve) -> [[HTMLNode]] {
        curve.points.enumerated().map { index, point in
            let figures = Self.figures.map { metric in
                PageTable.figure(
                    point.overall(metric).map(metric.text),
                    Self.data(phase, curve.style.name, point.rate, metric, point.median(metric)))
            }
            return [PageTable.name(curve.style.name), PageTable.text(index == 0 ? curve.found.text : "")]
                + [PageTable.figure(Figure.rate(point.rate)), PageTable.figure(Figure.count(point.trials.count))]
                + figures
        }
    }

    /// Returns the attributes that tell a program what a mark or a cell shows.
    static func data(
        _ phase: PhaseFigures, _ driver: String, _ rate: Double, _ metric: FigureColumn, _ median: Double?
    ) -> HTMLAttributes {
        ReportText.data(phase, driver, metric, "median_at_rate", median) + ["data-rate": ReportText.raw(rate)]
    }
}
