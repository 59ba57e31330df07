import BenchHarness

/// A comparison for the page: its judgements by phase and driver.
struct ComparisonFigures: Sendable {
    /// The judgements of one phase, driver by driver in the order of the page.
    struct Phase: Sendable {
        let title: String
        let judgements: [Judgement]
    }

    let comparison: Comparison
    /// The styles of the drivers, the same as in the rest of the page.
    let drivers: [DriverStyle]
    /// The list of `bench compare`: all judged figures, and counters only if they changed.
    let shown: [Judgement]

    init(_ comparison: Comparison, drivers: [DriverStyle]) {
        self.comparison = comparison
        self.drivers = drivers
        shown = ComparisonText(comparison).shown
    }

    /// The judgements that are listed.
    var phases: [Phase] { phases(of: shown) }

    /// The metrics whose ratios were tested, in the order of ``Metric/all``.
    var measuredMetrics: [Metric] {
        let names = Set(measured.map(\.metric.name))
        return Metric.all.filter { names.contains($0.name) }
    }

    /// Returns the judged measured figures of a metric.
    func measuredPhases(_ metric: Metric) -> [Phase] {
        phases(of: measured.filter { $0.metric.name == metric.name })
    }

    private var measured: [Judgement] { shown.filter { !$0.metric.isExact && $0.verdict != .notJudged } }

    /// The number of unchanged exact counters, which the list leaves out.
    var unlistedCount: Int {
        comparison.judgements.count { $0.verdict != .notJudged } - shown.count { $0.verdict != .notJudged }
    }

    /// The exact counters that changed, which no chart shows, in words.
    var changedCounters: [String] {
        shown.filter { $0.metric.isExact && $0.isChange }.map { judgement in
            "\(title(PhaseKey(judgement.key))) of \(judgement.key.driver): \(judgement.metric.name) \(judgement.verdict.rawValue)"
        }
    }

    /// What the sides consist of.
    var unit: String { comparison.paired == nil ? "repetition" : "launch" }

    /// What the ratios of measured figures are.
    var ratios: String {
        comparison.paired == nil
            ? "centres of the ratios of the new repetitions to those of the base"
            : "trimmed means, over launches, of the centres of the ratios of their pairs"
    }

    /// Returns the style of a driver.
    func style(_ driver: String) -> DriverStyle {
        drivers.first { $0.name == driver } ?? DriverStyle.all(drivers.map(\.name) + [driver])[drivers.count]
    }

    /// The drivers with at least one judged measured figure.
    var measuredDrivers: [DriverStyle] {
        styles(of: measured)
    }

    private func phases(of judgements: [Judgement]) -> [Phase] {
        let places = judgements.map { PhaseKey($0.key) }.withoutRepeats
        return places.map { place in
            let own = judgements.filter { PhaseKey($0.key) == place }
            return Phase(
                title: title(place),
                judgements: styles(of: own).flatMap { style in own.filter { $0.key.driver == style.name } })
        }
    }

    /// Returns the styles of the drivers of judgements, in the order of the page.
    private func styles(of judgements: [Judgement]) -> [DriverStyle] {
        let own = judgements.map(\.key.driver).withoutRepeats
        return drivers.filter { own.contains($0.name) }
            + own.filter { name in !drivers.contains { $0.name == name } }.map(style)
    }

    /// Returns the name of a phase, with its scenario and mode if there are several.
    func title(_ key: PhaseKey) -> String {
        let others = comparison.judgements.map(\.key)
        let isOfMany = others.contains { $0.scenario != key.scenario }
        let isAmbiguous = others.contains { $0.phase == key.phase && $0.mode != key.mode }
        return (isOfMany ? "\(key.scenario): " : "") + key.phase
            + (isAmbiguous && !key.mode.isEmpty ? " (\(key.mode))" : "")
    }
}

extension Judgement {
    /// Whether the verdict says that the figure became worse or better.
    var isChange: Bool { verdict == .regressed || verdict == .improved }

    /// Returns a value for the page; a dash if there is none.
    func pageText(_ summary: SampleSummary?) -> String? {
        summary.map { isRelative ? ReportText.ratio($0.median) : text($0.median) }
    }

    /// Returns the attributes that identify the figure to a program, and its `statistic`: `base`, `new` or `verdict`.
    func data(_ statistic: String, _ value: Double? = nil) -> HTMLAttributes {
        [
            "data-scenario": key.scenario, "data-phase": key.phase, "data-mode": key.mode, "data-driver": key.driver,
            "data-metric": metric.column, "data-stat": statistic, "data-value": value.map(ReportText.raw),
        ]
    }

    /// The attributes of the verdict, with all values that it rests on.
    var verdictData: HTMLAttributes {
        data("verdict") + [
            "data-ratio": ratio.map(ReportText.raw), "data-low": interval.map { ReportText.raw($0.lowerBound) },
            "data-high": interval.map { ReportText.raw($0.upperBound) }, "data-p": adjustedP.map(ReportText.raw),
            "data-limit": verdict == .notJudged ? nil : ReportText.raw(limit), "data-verdict": verdict.rawValue,
        ]
    }
}
