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
        return "The median duration of each phase\(ratio). Less is better."
    }

    private var table: HTMLNode {
        let columns = run.drivers.flatMap { driver in
            driver.name == run.baseline
                ? [PageTable.Column(title: driver.name)]
                : [PageTable.Column(title: driver.name), PageTable.Column(title: "ratio")]
        }
        let rows = run.phases.map { phase in
            let cells = run.drivers.flatMap { driver in
                let median = PageTable.overall(phase, driver.name, .duration)
                return driver.name == run.baseline
                    ? [median] : [median, PageTable.ratio(phase, driver.name, .duration)]
            }
            return [PageTable.name(run.title(of: phase), link: PhaseSection.id(run, phase))]
                + cells
        }
        return PageTable(
            label: "Median durations of all phases", columns: [.init(title: "phase", isFigure: false)] + columns,
            rows: rows
        ).node
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
