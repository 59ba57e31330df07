import BenchHarness
import Foundation

extension Report {
    /// The charts of the page as SVG files: those of a single run, or the comparison of several.
    ///
    /// - Returns: The files in the order of the page, named after the last result: `RESULT-duration.svg`.
    public var pictures: [(name: String, svg: String)] {
        let stem = runs.last?.run.url.deletingPathExtension().lastPathComponent ?? ""
        let pictures = runs.count == 1 ? RunPictures(run: runs[0]).all : comparisonPicture.map { [$0] } ?? []
        return pictures.filter { !$0.charts.isEmpty }.map { ("\(stem)-\($0.name).svg", $0.svg) }
    }

    private var comparisonPicture: Picture? {
        guard case .success(let comparison)? = outcome else { return nil }
        let figures = ComparisonFigures(comparison, drivers: drivers)
        return ComparisonSection(figures: figures).picture
    }
}

/// The pictures of one run.
struct RunPictures {
    let run: RunFigures

    /// The pictures, those without a chart included. Of a run at several sizes the phases are not drawn one by one: the
    /// growth shows them at all sizes.
    var all: [Picture] {
        run.growth == nil
            ? [durations, loads, memory, ratios, fetching, sweep, rates, latencies] : [growth, sweep, rates]
    }

    private var others: [PhaseFigures] { run.phases.filter { !$0.isLoad } }

    private var durations: Picture {
        let charts = charts(of: others) { section, title in section.speedCharts { _ in title } }
        return picture("duration", "Duration of each phase", medians, charts)
    }

    private var loads: Picture {
        let charts = charts(of: run.phases.filter(\.isLoad)) { section, title in
            section.speedCharts { "\(title): \($0.prefix(1).lowercased() + $0.dropFirst())" }
        }
        return picture("loads", "Rate and response times of each load", medians, charts)
    }

    private var memory: Picture {
        let charts = charts(of: run.phases) { section, title in [section.memoryChart(title)].compactMap { $0 } }
        return picture("memory", "Peak memory of each phase", medians, charts)
    }

    private var ratios: Picture {
        picture(
            "ratios", "Ratios to \(run.baseline ?? "")", "ratios of medians, on logarithmic axes",
            GlanceSection(run: run).charts, run.drivers.filter { $0.name != run.baseline })
    }

    private var fetching: Picture {
        let section = QueueSection(run: run)
        // Without both ways of fetching there is nothing to hold against each other.
        let charts = section.modes.count > 1 ? section.charts : []
        return picture("fetching", "Synchronous and asynchronous fetching", QueueSection.lead, charts)
    }

    private var growth: Picture {
        let limit = run.growth.map(GrowthSection(run: run).limit) ?? ""
        let subtitle = "medians, each dot a repetition; an exponent of 1 is growth in proportion.\(limit)"
        return picture(
            "growth", "The cost of a record as the store grows", subtitle, GrowthSection(run: run).charts, run.drivers)
    }

    private var sweep: Picture {
        let settings = (run.sweep?.phases ?? []).map(\.setting).withoutRepeats.joined(separator: ", ")
        return picture(
            "sweep", "Figures over \(settings)", "medians, each dot a repetition", SweepSection(run: run).charts,
            run.drivers)
    }

    private var rates: Picture {
        picture(
            "rates", "Response times over the rate", RateSection.marks, RateSection(run: run).charts, run.drivers)
    }

    private var latencies: Picture {
        picture(
            "latencies", "Latencies by percentile", "the further right, the fewer operations take as long",
            SpectrumSection(run: run).charts, run.drivers)
    }

    /// What the bars are.
    private var medians: String {
        let count = run.phases.flatMap(\.drivers).map(\.counted.count).max() ?? 0
        let figures = count == 1 ? "one repetition" : "medians of \(count) repetitions, each a mark"
        let ratio = run.baseline.map { run.drivers.count > 1 ? "; ×: relative to \($0)" : "" } ?? ""
        return "\(figures)\(ratio). Every chart has its own scale."
    }

    private func charts(
        of phases: [PhaseFigures], _ charts: (PhaseSection, _ title: String) -> [Chart]
    ) -> [Chart] {
        phases.flatMap { charts(PhaseSection(run: run, phase: $0), run.title(of: $0)) }
    }

    private func picture(
        _ name: String, _ title: String, _ subtitle: String, _ charts: [Chart], _ legend: [DriverStyle] = []
    ) -> Picture {
        Picture(
            name: name, title: title, subtitle: "\(run.title): \(subtitle)", legend: legend, styles: run.drivers,
            charts: charts, notes: CautionSection(run: run).sentences)
    }
}

extension ComparisonSection {
    /// The picture of the comparison.
    var picture: Picture {
        let comparison = figures.comparison
        let sides = "\(comparison.new.names) against \(comparison.base.names)"
        let relative = comparison.baseline.map { ", relative to \($0)" } ?? ""
        return Picture(
            name: "comparison", title: text.conclusion.asSentence,
            subtitle: "\(sides)\(relative): \(text.tally). \(lead)",
            legend: figures.measuredDrivers, styles: figures.drivers, charts: charts,
            notes: text.failures + figures.changedCounters + text.reasons
                + comparison.notes)
    }
}
