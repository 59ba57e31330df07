/// The whole run on one screen: every phase's medians, and their ratios to the baseline.
struct GlanceSection {
    let run: RunFigures

    var node: HTMLNode {
        .tag(
            "section", ["id": "run-\(run.number)-glance"], .tag("h3", [:], "At a glance"),
            .tag("p", ["class": "lead"], .text(lead)), table, LegendList(styles: run.drivers).node, charts)
    }

    private var lead: String {
        let ratio = run.baseline.map { ", and its ratio to that of \($0)" } ?? ""
        let others = run.phases.allSatisfy(\.isTimedByDuration) ? "" : ", unless a row says otherwise"
        return "The median duration of each phase\(ratio). Less is better\(others).\(fewRepetitions)"
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
        let rows = run.phases.map { phase in
            let cells = run.drivers.flatMap { driver in
                driver.name == run.baseline
                    ? [figure(phase, driver.name)] : [figure(phase, driver.name), ratio(phase, driver.name)]
            }
            return [PageTable.name(run.title(of: phase) + meaning(phase), link: PhaseSection.id(run, phase))] + cells
        }
        return PageTable(
            label: "Median durations of all phases", columns: [.init(title: "phase", isFigure: false)] + columns,
            rows: rows
        ).node
    }

    /// What the figures of a phase are, if they are not durations.
    private func meaning(_ phase: PhaseFigures) -> String {
        guard let speed = phase.speed else { return ": highest rate, more is better" }
        return phase.isTimedByDuration ? "" : ": \(speed.label)" + (speed.isHigherBetter ? ", more is better" : "")
    }

    private func figure(_ phase: PhaseFigures, _ driver: String) -> HTMLNode {
        if let speed = phase.speed { return PageTable.overall(phase, driver, speed) }
        return PageTable.figure(
            phase.search(driver)?.text, ReportText.data(phase, driver, phase.search(driver)?.rate))
    }

    private func ratio(_ phase: PhaseFigures, _ driver: String) -> HTMLNode {
        if let speed = phase.speed { return PageTable.ratio(phase, driver, speed) }
        let rates = [driver, phase.baselineName ?? ""].map { phase.search($0)?.rate ?? 0 }
        return PageTable.figure(rates.min() ?? 0 > 0 ? ReportText.ratio(rates[0] / rates[1]) : nil)
    }

    private var charts: HTMLNode {
        guard let baseline = run.baseline else { return .group([]) }
        let charts = [
            RatioChart(
                id: "run-\(run.number)-ratio-duration", caption: "Duration relative to \(baseline)", run: run,
                metric: .duration),
            RatioChart(
                id: "run-\(run.number)-ratio-memory", caption: "Peak memory relative to \(baseline)", run: run,
                metric: .peakMemory),
        ].compactMap(\.figure)
        return charts.isEmpty ? .group([]) : .tag("div", ["class": "charts"], charts)
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
