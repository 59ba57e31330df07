import BenchHarness
import Foundation

/// A comparison of synchronous and asynchronous fetching: their effect on the queue that a user waits for.
struct QueueSection {
    let run: RunFigures

    private var phases: [PhaseFigures] { run.phases.filter { $0.kind == FetchWork.kind.name && $0.has(.stall) } }

    /// How the fetches run.
    var modes: Set<String> { Set(phases.map(\.key.mode)) }

    /// The queue of each driver; empty if no fetch of the run has a measured stall.
    var charts: [Chart] {
        guard let domain = QueueChart.domain(phases) else { return [] }
        return run.drivers.enumerated().compactMap { index, driver in
            QueueChart(
                id: "run-\(run.number)-queue-\(index + 1)", driver: driver, run: run, phases: phases, domain: domain
            ).chart
        }
    }

    /// The section; nil if no fetch of the run has a measured stall.
    var node: HTMLNode? {
        guard QueueChart.domain(phases) != nil else { return nil }
        return .tag(
            "section", ["id": "run-\(run.number)-queue"], .tag("h3", [:], "Synchronous and asynchronous fetching"),
            .tag("p", ["class": "lead"], .text(Self.lead)), findings, charts.figures, table)
    }

    static let lead = """
        The longest time that the context’s queue is blocked at a stretch (solid), within the time that the fetch takes (pale). \
        What is right of the dashed line costs a user at least one frame. The axis is logarithmic; each mark is a repetition.
        """

    /// A sentence for each driver that fetches the same records both ways.
    private var findings: HTMLNode {
        let sentences = run.drivers.compactMap { driver -> HTMLNode? in
            guard let (sync, async) = stalls(driver.name) else { return nil }
            let times = String(format: sync / async < 10 ? "%.1f" : "%.0f", sync / async)
            return .tag(
                "li", [:], driver.swatch, .tag("b", [:], .text(driver.name)),
                """
                : synchronous, the queue is blocked for \(Figure.duration(sync)); asynchronous, for \
                \(Figure.duration(async)), which is \(times) times less.
                """)
        }
        return sentences.isEmpty ? .group([]) : .tag("ul", ["class": "findings"], sentences)
    }

    /// Returns the stalls of the first synchronous fetch, and of the first asynchronous fetch of as many records.
    private func stalls(_ driver: String) -> (sync: Double, async: Double)? {
        func first(_ mode: String, _ records: Double?) -> DriverFigures? {
            phases.filter { $0.key.mode == mode }.compactMap { $0[driver] }.first {
                $0.median(.stall) != nil && (records == nil || $0.median(.records) == records)
            }
        }
        guard let sync = first("sync", nil), let async = first("async", sync.median(.records)),
            let long = sync.median(.stall), let short = async.median(.stall), short > 0, long > short
        else { return nil }
        return (long, short)
    }

    private var table: HTMLNode {
        let titles = ["duration", "queue blocked", "of the duration", "frames missed", "idle queue", "first progress"]
        let rows = phases.flatMap { phase in
            phase.drivers.map { figures in cells(phase, figures) }
        }
        return PageTable(
            label: "How long fetches block the queue",
            columns: ["phase", "mode", "driver"].map { PageTable.Column(title: $0, isFigure: false) }
                + titles.map { PageTable.Column(title: $0) }, rows: rows
        ).node
    }

    private func cells(_ phase: PhaseFigures, _ figures: DriverFigures) -> [HTMLNode] {
        let driver = figures.driver
        let stall = figures.median(.stall)
        let share = stall.flatMap { stall in figures.median(.duration).flatMap { $0 > 0 ? min(stall / $0, 1) : nil } }
        return [
            PageTable.name(run.title(of: phase)), PageTable.text(phase.key.mode), PageTable.otherName(driver),
            PageTable.overall(phase, driver, .duration), PageTable.overall(phase, driver, .stall),
            PageTable.figure(share.map { String(format: $0 < 0.1 ? "%.1f %%" : "%.0f %%", $0 * 100) }),
            PageTable.figure(stall.map { Figure.count(Int($0 / QueueChart.frame)) }),
            PageTable.overall(phase, driver, .idleStall), PageTable.overall(phase, driver, .firstProgress),
        ]
    }
}
