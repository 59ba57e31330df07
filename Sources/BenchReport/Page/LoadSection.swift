import BenchHarness

/// The figures that only loads have: throughput, response and service times, and the delay until other contexts know of
/// a save.
struct LoadSection {
    let run: RunFigures

    /// The loads but for searches, whose trials are at several rates.
    private var phases: [PhaseFigures] {
        run.phases.filter { phase in phase.searches.isEmpty && phase.drivers.contains { load($0) != nil } }
    }

    private func load(_ figures: DriverFigures) -> ResultSummary.Load? { ResultSummary.Load(figures.counted) }

    /// The section; nil if the run had no load.
    var node: HTMLNode? {
        guard !phases.isEmpty else { return nil }
        return .tag(
            "section", ["id": "run-\(run.number)-loads"], .tag("h3", [:], "Loads"),
            .tag("p", ["class": "lead"], .text(Self.lead)), table, remarks)
    }

    private static let lead = """
        Response times run from the intended start of an operation, service times from its actual start. Merged: the time from \
        a save until another context has merged it; delegate: the time until a results controller’s delegate has returned from \
        its last callback. Medians over the repetitions; retries, errors and dropped operations are sums over them.
        """

    private static let figures: [FigureColumn] = FigureColumn.ofLoads + [.serviceP99] + FigureColumn.wrongInLoads

    private var table: HTMLNode {
        let rows = phases.flatMap { phase in
            phase.drivers.filter { load($0) != nil }.map { cells(phase, $0) }
        }
        return PageTable(
            label: "Results of the loads",
            columns: ["load", "driver"].map { PageTable.Column(title: $0, isFigure: false) }
                + Self.figures.map { PageTable.Column(title: $0.label) } + [PageTable.Column(title: "limits")],
            rows: rows
        ).node
    }

    /// What the figures do not show.
    private var remarks: HTMLNode {
        let sentences = phases.flatMap { phase in
            phase.drivers.compactMap { driver in
                load(driver)?.unanswered.map { "\(run.title(of: phase)) of \(driver.driver): \($0)".asSentence }
            }
        }
        guard !sentences.isEmpty else { return .group([]) }
        return .tag("ul", ["class": "warning"], sentences.map { .tag("li", [:], .text($0)) })
    }

    private func cells(_ phase: PhaseFigures, _ figures: DriverFigures) -> [HTMLNode] {
        [PageTable.name(run.title(of: phase)), PageTable.otherName(figures.driver)]
            + Self.figures.map { PageTable.overall(phase, figures.driver, $0) }
            + [PageTable.figure(LimitTally(figures.counted).text, missing: "the scenario has none")]
    }
}
