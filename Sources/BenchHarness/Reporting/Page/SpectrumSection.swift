/// The latencies of phases that consist of many operations.
struct SpectrumSection {
    let run: RunFigures

    /// The section; nil when no phase has latencies.
    var node: HTMLNode? {
        let phases = run.phases.compactMap { phase -> HTMLNode? in
            let traces = run.drivers.compactMap { style in
                phase[style.name].flatMap { LatencySpectrum(run.run, phase, $0) }.map { (style: style, spectrum: $0) }
            }
            return traces.isEmpty ? nil : node(phase, traces)
        }
        guard !phases.isEmpty else { return nil }
        return .tag(
            "section", ["id": "run-\(run.number)-latency"], .tag("h3", [:], "Latencies"),
            .tag(
                "p", ["class": "lead"],
                """
                How long single operations take, by percentile: the further right, the fewer take as long. Both axes are \
                logarithmic.
                """), LegendList(styles: run.drivers).node, .group(phases))
    }

    private func node(_ phase: PhaseFigures, _ traces: [(style: DriverStyle, spectrum: LatencySpectrum)]) -> HTMLNode {
        let id = PhaseSection.id(run, phase) + "-latency"
        let title = run.title(of: phase)
        let chart = SpectrumChart(id: id, caption: title, phase: phase, traces: traces).figure
        return .tag("div", ["class": "beside"], chart ?? .group([]), .tag("div", [:], table(phase), note(traces)))
    }

    private func table(_ phase: PhaseFigures) -> HTMLNode {
        let columns: [(String, ReportMetric)] = [
            ("operations", .operations), ("min", .latencyMin), ("p50", .latencyP50), ("p90", .latencyP90),
            ("p99", .latencyP99), ("p99.9", .latencyP999), ("max", .latencyMax),
        ]
        let rows = phase.drivers.map { figures in
            [PageTable.name(figures.driver)] + columns.map { PageTable.median(phase, figures.driver, $0.1) }
        }
        return PageTable(
            label: "Latencies of \(run.title(of: phase))",
            columns: [PageTable.Column(title: "driver", isFigure: false)] + columns.map { .init(title: $0.0) },
            rows: rows
        ).node
    }

    private func note(_ traces: [(style: DriverStyle, spectrum: LatencySpectrum)]) -> HTMLNode {
        let isSparse = traces.contains { $0.spectrum.source == .columns }
        let curves =
            isSparse ? "The curves join these percentiles." : "The curves are from the histograms beside the CSV."
        return .tag("p", ["class": "note"], .text("Medians over the repetitions. \(curves)"))
    }
}
