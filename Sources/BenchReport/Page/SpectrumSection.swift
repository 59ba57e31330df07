import BenchHarness

/// The latencies of phases that consist of many operations.
struct SpectrumSection {
    /// The part of a phase.
    private struct Part {
        let phase: PhaseFigures
        var traces: [(style: DriverStyle, spectrum: LatencySpectrum)] = []
        /// Errors about files that could not be read.
        var remarks: [String] = []
    }

    let run: RunFigures

    // Trials at several rates have no latencies in common.
    private var parts: [Part] {
        run.phases.filter(\.searches.isEmpty).map(part).filter { !$0.traces.isEmpty || !$0.remarks.isEmpty }
    }

    /// The latencies of each phase; empty if no phase has any.
    var charts: [Chart] { parts.compactMap(chart) }

    /// The section; nil if no phase has latencies.
    var node: HTMLNode? {
        let parts = parts
        guard !parts.isEmpty else { return nil }
        return .tag(
            "section", ["id": "run-\(run.number)-latency"], .tag("h3", [:], "Latencies"),
            .tag(
                "p", ["class": "lead"],
                """
                How long single operations take, by percentile: the further right, the fewer take as long. Both axes are \
                logarithmic.
                """), LegendList(styles: run.drivers).node, .group(parts.map(node)))
    }

    private func part(_ phase: PhaseFigures) -> Part {
        var part = Part(phase: phase)
        for style in run.drivers {
            guard let figures = phase[style.name] else { continue }
            let (spectrum, remark) = LatencySpectrum.read(run.run, phase, figures)
            if let spectrum { part.traces.append((style, spectrum)) }
            if let remark { part.remarks.append(remark) }
        }
        return part
    }

    private func node(_ part: Part) -> HTMLNode {
        let title = run.title(of: part.phase)
        let remarks = part.remarks.map { remark in
            HTMLNode.tag("p", ["class": "warning"], .text("A spectrum could not be read. \(remark)"))
        }
        return .tag(
            "div", ["class": "beside"], chart(part)?.figure ?? .tag("h4", [:], .text(title)),
            .tag("div", [:], [table(part.phase)] + remarks + [note(part)]))
    }

    private func chart(_ part: Part) -> Chart? {
        SpectrumChart(
            id: PhaseSection.id(run, part.phase) + "-latency", caption: run.title(of: part.phase), phase: part.phase,
            traces: part.traces
        ).chart
    }

    private func table(_ phase: PhaseFigures) -> HTMLNode {
        let columns: [FigureColumn] = [
            .operations, .latencyMin, .latencyP50, .latencyP90, .latencyP99, .latencyP999, .latencyMax,
        ]
        let rows = phase.drivers.map { figures in
            [PageTable.name(figures.driver)] + columns.map { PageTable.overall(phase, figures.driver, $0) }
        }
        return PageTable(
            label: "Latencies of \(run.title(of: phase))",
            columns: [PageTable.Column(title: "driver", isFigure: false)] + columns.map { .init(title: $0.label) },
            rows: rows
        ).node
    }

    private func note(_ part: Part) -> HTMLNode {
        .tag("p", ["class": "note"], .text("Medians over the repetitions. \(curves(part))"))
    }

    /// Returns a note on the source of the curves, which may differ from driver to driver.
    private func curves(_ part: Part) -> String {
        let sparse = part.traces.filter { $0.spectrum.source == .columns }.map(\.style.name)
        if part.traces.isEmpty { return "" }
        if sparse.isEmpty { return "The curves are from the histograms beside the CSV." }
        if sparse.count == part.traces.count { return "The curves join these percentiles." }
        let names = sparse.joined(separator: ", ")
        return "The curves are from the histograms beside the CSV; that of \(names) joins these percentiles."
    }
}
