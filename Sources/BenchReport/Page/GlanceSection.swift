import BenchHarness

/// The whole run on one screen: every phase's medians, and their ratios to the baseline.
struct GlanceSection {
    let run: RunFigures

    var node: HTMLNode {
        .tag(
            "section", ["id": "run-\(run.number)-glance"], .tag("h3", [:], "At a glance"),
            .tag("p", ["class": "lead"], .text(lead)), table, LegendList(styles: run.drivers).node, charts.figures)
    }

    private var lead: String {
        let isOfLoads = run.phases.allSatisfy(\.isLoad)
        let figures =
            isOfLoads ? "The rate and the response times of each load" : "The median duration of each phase"
        let ratio = run.baseline.map { ", and \(isOfLoads ? "their ratios to those" : "its ratio to that") of \($0)" }
        let others = run.phases.contains(where: \.isLoad) ? ", unless a row says otherwise" : ""
        return "\(figures)\(ratio ?? ""). Less is better\(others).\(fewRepetitions)"
    }

    private var fewRepetitions: String {
        let isRough = run.phases.contains { phase in
            phase.drivers.contains { phase.ratio(.duration, $0.driver) != nil && phase.isRough(.duration, $0.driver) }
        }
        return isRough && run.drivers.count > 1 ? " \(RatioTable.remarkOnFew)." : ""
    }

    private var table: HTMLNode {
        let columns = run.drivers.flatMap { driver in
            driver.name == run.baseline
                ? [PageTable.Column(title: driver.name)]
                : [PageTable.Column(title: driver.name), PageTable.Column(title: "ratio")]
        }
        return PageTable(
            label: "Medians of all phases", columns: [.init(title: "phase", isFigure: false)] + columns,
            rows: run.phases.flatMap(rows), stack: "glance"
        ).node
    }

    /// Returns the rows of a phase: one for each figure that a reader wants to know first.
    private func rows(_ phase: PhaseFigures) -> [[HTMLNode]] {
        if !phase.searches.isEmpty {
            let times = [FigureColumn.latencyP50, .latencyP99].map { figure in
                row(phase, "\(figure.label) at that rate", { self.time($0, $1, figure) }, { _, _ in Self.otherRate })
            }
            return [row(phase, "highest rate, more is better", rate, ratioOfRates)] + times
        }
        return phase.headlines.map { figure in
            let isOne = phase.headlines.count == 1
            let meaning = isOne ? "" : figure.label + (figure.isHigherBetter ? ", more is better" : "")
            return row(
                phase, meaning, { PageTable.overall($0, $1, figure) }, { PageTable.ratio($0, $1, figure) })
        }
    }

    private func row(
        _ phase: PhaseFigures, _ meaning: String, _ figure: (PhaseFigures, String) -> HTMLNode,
        _ ratio: (PhaseFigures, String) -> HTMLNode
    ) -> [HTMLNode] {
        let cells = run.drivers.flatMap { driver in
            driver.name == run.baseline
                ? [figure(phase, driver.name).adding(["data-alone": "baseline"])]
                : [figure(phase, driver.name), ratio(phase, driver.name)]
        }
        return [PageTable.name(run.title(of: phase), link: PhaseSection.id(run, phase), note: meaning)] + cells
    }

    private func rate(_ phase: PhaseFigures, _ driver: String) -> HTMLNode {
        PageTable.figure(phase.search(driver)?.text, ReportText.data(phase, driver, phase.search(driver)?.rate))
    }

    /// Returns the response time at the highest rate of a driver.
    private func time(_ phase: PhaseFigures, _ driver: String, _ figure: FigureColumn) -> HTMLNode {
        let style = run.drivers.first { $0.name == driver }
        guard let point = style.flatMap({ RateCurve($0, phase) })?.highest else { return PageTable.figure(nil) }
        return PageTable.figure(
            point.overall(figure).map(figure.text),
            RateSection.data(phase, driver, point.rate, figure, point.median(figure)))
    }

    /// The ratio of response times at different rates, which says nothing.
    private static let otherRate = PageTable.figure(nil, missing: "the rates differ")

    private func ratioOfRates(_ phase: PhaseFigures, _ driver: String) -> HTMLNode {
        let rates = [driver, phase.baselineName ?? ""].map { phase.search($0)?.rate ?? 0 }
        return PageTable.figure(rates.min() ?? 0 > 0 ? ReportText.ratio(rates[0] / rates[1]) : nil)
    }

    /// The ratios of all phases to the baseline; empty without a baseline.
    var charts: [Chart] {
        guard let baseline = run.baseline else { return [] }
        let id = "run-\(run.number)-ratio"
        let figures: [(String, String, FigureColumn)] = [
            ("duration", "Duration", .duration), ("response", "Response time (p99)", .latencyP99),
            ("memory", "Peak memory", .peakMemory),
        ]
        return figures.compactMap { name, label, metric in
            RatioChart(id: "\(id)-\(name)", caption: "\(label) relative to \(baseline)", run: run, metric: metric).chart
        }
    }
}

/// The legend: the mark of each driver.
struct LegendList {
    let styles: [DriverStyle]

    var node: HTMLNode {
        .tag(
            "ul", ["class": "legend", "aria-label": "Drivers"],
            styles.map { .tag("li", [:], $0.swatch, .text($0.name)) })
    }
}
