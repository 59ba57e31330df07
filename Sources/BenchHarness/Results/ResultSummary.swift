/// The summary of a result: for each phase and driver, the figures of its verified rows.
///
/// The tables, the JSON of `bench show`, and through it the pictures, all use this summary, so that they agree.
///
/// ```swift
/// let run = try RecordedRun(contentsOf: URL(fileURLWithPath: "Results/million/million.csv"))
/// print(SummaryTable(ResultSummary(rows: run.rows)).markdown)
/// ```
public struct ResultSummary: Sendable {
    /// One figure over the repetitions.
    struct Sample: Sendable {
        /// The values in the order of the file, those without a bound left out.
        let values: [Double]
        let summary: SampleSummary
        /// The median of all repetitions.
        let median: Double

        /// Creates a sample; nil if no repetition has the figure, or if its median has no bound.
        init?(_ rows: [ResultRow], _ figure: FigureColumn) {
            values = rows.compactMap(figure.value)
            guard let summary = SampleSummary(values), let median = figure.overall(rows), median.isFinite else {
                return nil
            }
            (self.summary, self.median) = (summary, median)
        }
    }

    /// The figures of one driver in one phase; a figure that was not measured is nil.
    struct Cell: Sendable {
        let driver: String
        /// The number of verified rows.
        let count: Int
        let leftOut: LeftOutRows
        private let samples: [String: Sample]
        private var ratios: [String: Double] = [:]
        /// Whether the ratios are of so few repetitions that they have no interval of 95 %.
        private(set) var hasFewRatios = false
        /// The figures that only loads have; nil for another phase.
        let load: Load?
        /// The search for the highest rate whose trials the rows are; nil for other rows. Trials at several rates have
        /// no figures in common.
        let search: FoundRate?

        init(_ rows: [ResultRow], driver: String, search: FoundRate?) {
            let good = search == nil ? rows.filter(\.isEvidence) : []
            self.search = search
            self.driver = driver
            count = rows.count(where: \.isEvidence)
            leftOut = LeftOutRows(rows)
            samples = ResultSummary.samples(good, Self.figures)
            load = Load(good)
        }

        /// The figures of every phase.
        static let figures = [.duration, .cpu, .records, .operations] + FigureColumn.ofPhases
        /// The figures with a ratio to the baseline.
        static let heldAgainstBaseline: [FigureColumn] = [.duration, .peakMemory]

        /// Returns one of ``figures`` over the repetitions; nil if it was not measured.
        subscript(figure: FigureColumn) -> Sample? { samples[figure.column] }

        /// Returns the ratio of the median to the baseline's; nil for the baseline itself.
        func ratio(_ figure: FigureColumn) -> Double? { ratios[figure.column] }

        /// Takes in the ratios to the baseline. A duration that was given says nothing of the speed.
        fileprivate mutating func hold(against baseline: Cell?, _ speed: Metric?) {
            let isGiven = speed?.name != Metric.duration.name
            for figure in Self.heldAgainstBaseline where !(isGiven && figure.column == FigureColumn.duration.column) {
                guard let own = self[figure]?.median, let base = baseline?[figure]?.median, base > 0
                else { continue }
                ratios[figure.column] = own / base
            }
            hasFewRatios = min(count, baseline?.count ?? 0) < RatioTable.leastRepetitions
        }
    }

    struct Phase: Sendable {
        let key: PhaseKey
        let kind: String
        let scope: WorkScope
        /// What shows how fast it was; nil for trials at several rates.
        let speed: FigureColumn?
        /// One cell for each driver that has rows.
        let cells: [Cell]
    }

    /// The phases in the order in which they first occur; the variants and sizes of a phase follow one another.
    let phases: [Phase]
    /// The drivers with rows, in the order of the tables.
    let drivers: [String]
    let rowCount: Int
    let leftOut: LeftOutRows
    let unknownSettings: UnknownSettings
    /// Why the run may lack rows, in words; nil if it does not.
    private(set) var unfinished: String?
    let idleFilters: IdleFilters
    /// The growth of figures with the number of records; nil for a run at one size.
    public let growth: GrowthSummary?
    /// The figures over the values of a number; nil for a run of a scenario without lists.
    let sweep: SweepSummary?

    /// Summarises rows.
    ///
    /// - Parameters:
    ///   - rows: The rows of a run.
    ///   - order: The drivers to list first, in this order; others follow by name.
    ///   - spec: The limits on the growth of figures with the number of records.
    public init(rows: [ResultRow], drivers order: [String] = [], growth spec: GrowthSpec? = nil) {
        self.init(rows: rows, drivers: order, growth: spec, searches: FoundRate.recorded(in: rows))
    }

    private init(rows: [ResultRow], drivers order: [String], growth spec: GrowthSpec?, searches: [FoundRate]) {
        let present = Set(rows.map(\.driver))
        let drivers = order.filter(present.contains) + present.subtracting(order).sorted()
        let keys = rows.map { PhaseKey($0) }.withoutRepeats.bySize { $0 }
        let rowsOf = Dictionary(grouping: rows) { PhaseKey($0) }
        phases = keys.map { Self.phase($0, rowsOf[$0] ?? [], drivers, searches) }
        self.drivers = drivers
        rowCount = rows.count
        leftOut = LeftOutRows(rows)
        unknownSettings = UnknownSettings(rows)
        idleFilters = IdleFilters(rows)
        growth = GrowthSummary(rows: rows, drivers: drivers, spec: spec)
        sweep = SweepSummary(rows: rows, drivers: drivers)
    }

    /// Summarises a run, with the limits of its scenario.
    public init(_ run: RecordedRun, drivers: [String] = []) {
        self.init(rows: run.rows, drivers: drivers, growth: run.growthSpec, searches: run.searches)
        unfinished = run.unfinished
    }

    /// The searches for the highest rate, phase by phase.
    var searches: [FoundRate] { phases.flatMap { $0.cells.compactMap(\.search) } }

    private static func phase(
        _ key: PhaseKey, _ rows: [ResultRow], _ drivers: [String], _ searches: [FoundRate]
    ) -> Phase {
        var cells = drivers.compactMap { driver -> Cell? in
            let own = rows.filter { $0.driver == driver }
            let search = searches.first { $0.driver == driver && $0.phase == key.phase }
            return own.isEmpty ? nil : Cell(own, driver: driver, search: search)
        }
        let speed = JudgedTimes.speed(of: rows.filter(\.isEvidence))
        let name = SummaryTable.baseline(of: drivers)
        let baseline = cells.first { $0.driver == name }
        for index in cells.indices where cells[index].driver != name {
            cells[index].hold(against: baseline, speed)
        }
        return Phase(key: key, kind: rows.first?.kind ?? "", scope: WorkScope(rows), speed: speed?.figure, cells: cells)
    }

    static func samples(_ rows: [ResultRow], _ figures: [FigureColumn]) -> [String: Sample] {
        figures.reduce(into: [:]) { $0[$1.column] = Sample(rows, $1) }
    }
}
