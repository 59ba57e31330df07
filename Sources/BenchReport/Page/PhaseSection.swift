import BenchHarness

/// One phase: a table with a row for each driver, and its durations and memory as charts.
struct PhaseSection {
    let run: RunFigures
    let phase: PhaseFigures

    /// Returns the anchor of the section on the page.
    static func id(_ run: RunFigures, _ phase: PhaseFigures) -> String {
        let index = run.phases.firstIndex { $0.key == phase.key } ?? 0
        return "run-\(run.number)-phase-\(index + 1)"
    }

    var node: HTMLNode {
        let id = Self.id(run, phase)
        let memory = memoryChart("Peak resident memory")
        let charts = speedCharts { $0 } + [memory].compactMap { $0 }
        return .tag(
            "section", ["class": "phase", "id": id], .tag("h4", [:], .text(run.title(of: phase))),
            .tag("p", ["class": "kind"], .text(kind)), phase.searches.isEmpty ? table : searches,
            charts.figures)
    }

    /// Returns what shows how fast the phase was: its duration, or the rate and the response times of a load. `caption`
    /// makes a caption of the name of the figure.
    func speedCharts(_ caption: (String) -> String) -> [Chart] {
        guard phase.isLoad else { return [chart("duration", caption("Duration"), .duration)].compactMap { $0 } }
        return [
            chart("rate", caption("Throughput (more is better)"), .throughput),
            chart("response", caption("Response time (p99)"), .latencyP99),
        ].compactMap { $0 }
    }

    /// Returns the peak of memory; nil if it was not measured.
    func memoryChart(_ caption: String) -> Chart? { chart("memory", caption, .peakMemory) }

    private func chart(_ name: String, _ caption: String, _ metric: FigureColumn) -> Chart? {
        // The trials of a search have no figures in common.
        guard phase.searches.isEmpty else { return nil }
        return BarChart(
            id: "\(Self.id(run, phase))-\(name)", caption: caption, phase: phase, styles: run.drivers, metric: metric
        ).chart
    }

    /// The kind of the phase, as far as the rows show it.
    private var kind: String {
        let kind = [phase.kind, phase.key.mode].filter { !$0.isEmpty }.joined(separator: ", ")
        let scope = WorkScope(phase.drivers.flatMap(\.rows)).parts
        return ((kind.isEmpty ? [] : [kind]) + scope).joined(separator: " · ")
    }

    /// The columns that appear only if a driver has the figure.
    private var optional: [FigureColumn] {
        // The percentiles of one operation are its duration.
        let isOfSeveral = phase.isLoad || phase.max(.operations) ?? 0 > 1
        let percentiles: [FigureColumn] = isOfSeveral ? [.latencyP50, .latencyP99] : []
        return (percentiles + [.firstProgress, .cancel, .opening, .release]).filter(phase.has)
    }

    /// The figure in the first columns.
    private var headline: FigureColumn { phase.headlines[0] }

    private var hasRemarks: Bool { phase.drivers.contains { !remarks($0).isEmpty } }

    private var table: HTMLNode {
        let first = headline.column == FigureColumn.duration.column ? "median" : headline.label
        let titles = [first, "spread", "ratio"] + ([.peakMemory, .stall] + optional).map(\.label) + ["verified"]
        let remarks = hasRemarks ? [PageTable.Column(title: "remarks", isFigure: false)] : []
        let columns = [PageTable.Column(title: "driver", isFigure: false)] + titles.map { PageTable.Column(title: $0) }
        return PageTable(
            label: "Figures of \(run.title(of: phase))", columns: columns + remarks, rows: phase.drivers.map(cells)
        ).node
    }

    /// The results of searches for the highest rate. The trials are at several rates, and have no figures in common.
    private var searches: HTMLNode {
        let titles = ["highest rate", "missed at", "trials", "verified"]
        let rows = phase.drivers.map { figures -> [HTMLNode] in
            let style = run.drivers.first { $0.name == figures.driver }
            let search = phase.search(figures.driver)
            return [
                PageTable.name(figures.driver, swatch: style?.swatch ?? .group([])),
                PageTable.figure(search?.text, ReportText.data(phase, figures.driver, search?.rate)),
                PageTable.figure(search?.missedRate.map(Figure.rate)),
                PageTable.figure(Figure.count(figures.rows.count)), verified(figures),
            ]
        }
        return PageTable(
            label: "Highest rates of \(run.title(of: phase)): more is better",
            columns: [PageTable.Column(title: "driver", isFigure: false)] + titles.map { PageTable.Column(title: $0) },
            rows: rows
        ).node
    }

    private func cells(_ figures: DriverFigures) -> [HTMLNode] {
        let driver = figures.driver
        let style = run.drivers.first { $0.name == driver }
        let first = [
            PageTable.name(driver, swatch: style?.swatch ?? .group([])), PageTable.overall(phase, driver, headline),
            spread(figures), PageTable.ratio(phase, driver, headline),
        ]
        let medians = ([.peakMemory, .stall] + optional).map { PageTable.overall(phase, driver, $0) }
        let remarks = hasRemarks ? [PageTable.text(remarks(figures))] : []
        return first + medians + [verified(figures)] + remarks
    }

    private func spread(_ figures: DriverFigures) -> HTMLNode {
        guard let summary = figures.summary(headline), summary.count > 1 else { return PageTable.figure(nil) }
        let ends: HTMLAttributes = [
            "data-min": ReportText.raw(summary.min), "data-max": ReportText.raw(summary.max),
        ]
        return PageTable.figure(
            headline.unit == .nanoseconds
                ? Figure.range(summary.min, summary.max)
                : "\(headline.text(summary.min)) … \(headline.text(summary.max))",
            ReportText.data(phase, figures.driver, headline, "spread", nil) + ends)
    }

    private func verified(_ figures: DriverFigures) -> HTMLNode {
        let data: HTMLAttributes = [
            "data-phase": phase.name, "data-driver": figures.driver, "data-stat": "verified",
            "data-value": String(figures.verifiedCount),
        ]
        return PageTable.figure("\(figures.verifiedCount) of \(figures.rows.count)", data)
    }

    private func remarks(_ figures: DriverFigures) -> String {
        let left = figures.rows.count - figures.counted.count
        return [
            left > 0 ? "\(left) left out" : nil,
            figures.contaminatedCount > 0 ? "\(figures.contaminatedCount) contaminated" : nil,
        ].compactMap { $0 }.joined(separator: ", ")
    }
}
