import BenchHarness

/// The figures of one file of results, by phase and driver.
struct RunFigures: Sendable {
    /// The number of the file in a report, from 1; it is part of the page's data attributes and anchors.
    let number: Int
    let run: RecordedRun
    /// The baseline first, then in the order of the manifest, or of the file if there is no manifest.
    let drivers: [DriverStyle]
    /// The driver that the others are compared with; nil if the run has none.
    let baseline: String?
    /// The phases in the order of the file; the variants and sizes of a phase follow one another.
    let phases: [PhaseFigures]
    /// The growth of figures with the number of records; nil for a run at one size.
    let growth: GrowthSummary?
    /// The figures over the values of a number; nil for a run of a scenario without lists.
    let sweep: SweepSummary?

    init(number: Int, run: RecordedRun, drivers: [DriverStyle]) {
        self.number = number
        self.run = run
        self.drivers = drivers
        let names = drivers.map(\.name)
        let baseline = SummaryTable.baseline(of: names)
        self.baseline = baseline
        let searches = run.searches
        phases = run.rows.map { PhaseKey($0) }.withoutRepeats.bySize { $0 }.map { key in
            let rows = run.rows.filter { PhaseKey($0) == key }
            let figures = names.map { name in DriverFigures(driver: name, rows: rows.filter { $0.driver == name }) }
            return PhaseFigures(
                key: key, kind: rows[0].kind, drivers: figures.filter { !$0.rows.isEmpty }, baselineName: baseline,
                searches: searches.filter { $0.phase == key.phase },
                speed: JudgedTimes.speed(of: rows.filter(\.isEvidence))?.figure)
        }
        growth = GrowthSummary(rows: run.rows, drivers: names, spec: run.growthSpec)
        sweep = SweepSummary(rows: run.rows, drivers: names)
    }

    /// Numbers the runs, and gives a driver the same style in all of them.
    static func all(_ runs: [RecordedRun]) -> [RunFigures] {
        let names = runs.flatMap(driverNames).withoutRepeats
        let styles = DriverStyle.all(names.baselineFirst { $0 })
        return zip(1..., runs).map { number, run in
            let own = Set(run.rows.map(\.driver))
            return RunFigures(number: number, run: run, drivers: styles.filter { own.contains($0.name) })
        }
    }

    var leftOut: [ResultRow] { run.rows.filter { !$0.isEvidence } }
    var contaminated: [ResultRow] { run.rows.filter { $0.isEvidence && $0.contaminated == true } }
    /// The title of the run: the name of its scenario, or the names of several if files were joined.
    var title: String {
        let names = run.rows.map(\.scenario).withoutRepeats
        return names.isEmpty ? run.manifest?.scenario?.name ?? run.name : names.joined(separator: ", ")
    }

    /// Returns the name of a phase, preceded by the scenario if there are several.
    func title(of phase: PhaseFigures) -> String {
        let isAmbiguous = phases.contains { $0.name == phase.name && $0.key != phase.key }
        let mode = isAmbiguous && !phase.key.mode.isEmpty ? " (\(phase.key.mode))" : ""
        let scenarios = Set(phases.map(\.key.scenario))
        return (scenarios.count > 1 ? "\(phase.key.scenario): " : "") + phase.name + mode
    }

    private static func driverNames(_ run: RecordedRun) -> [String] {
        (run.manifest?.drivers.map(\.name) ?? []) + run.rows.map(\.driver)
    }
}
