/// The medians of several runs beside each other, without a verdict: what stands for a comparison where there is none.
struct SideBySideSection {
    private static let metrics: [(title: String, metric: ReportMetric)] = [
        ("duration", .duration), ("peak memory", .peakMemory),
    ]

    /// The base first; at least two.
    let runs: [RunFigures]

    var node: HTMLNode {
        .group([
            .tag(
                "p", ["class": "lead"],
                """
                Medians, and their ratios to those of the base, \(runs[0].run.name). A ratio alone is no verdict.
                """),
            .group(Self.metrics.map(table)),
        ])
    }

    private func table(_ title: String, _ metric: ReportMetric) -> HTMLNode {
        let columns = runs.enumerated().flatMap { index, run in
            index == 0
                ? [PageTable.Column(title: "base")]
                : [PageTable.Column(title: run.run.name), PageTable.Column(title: "to base")]
        }
        return PageTable(
            label: "Side by side: \(title)",
            columns: ["\(title) of phase", "driver"].map { .init(title: $0, isFigure: false) } + columns,
            rows: rows(metric)
        ).node
    }

    private func rows(_ metric: ReportMetric) -> [[HTMLNode]] {
        runs.flatMap(\.phases).map(\.key).withoutRepeats.flatMap { key -> [[HTMLNode]] in
            let phases = runs.map { run in run.phases.first { $0.key == key } }
            let drivers = phases.compactMap { $0 }.flatMap(\.drivers).map(\.driver).withoutRepeats
            return drivers.map { driver in
                [PageTable.name(key.phase), PageTable.text(driver)] + cells(phases, driver, metric)
            }
        }
    }

    private func cells(_ phases: [PhaseFigures?], _ driver: String, _ metric: ReportMetric) -> [HTMLNode] {
        let base = phases[0]?[driver]?.median(metric)
        return phases.enumerated().flatMap { index, phase -> [HTMLNode] in
            let own = phase.map { PageTable.median($0, driver, metric) } ?? PageTable.figure(nil)
            guard index > 0 else { return [own] }
            let median = phase?[driver]?.median(metric)
            let ratio = base.flatMap { base in median.map { $0 / base } }.flatMap { $0.isFinite ? $0 : nil }
            return [own, PageTable.figure(ratio.map(ReportText.ratio), ["data-to-base": ratio.map(ReportText.raw)])]
        }
    }
}
