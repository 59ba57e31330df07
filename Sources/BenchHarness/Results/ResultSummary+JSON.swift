import Foundation

extension ResultSummary {
    /// Returns the summary as JSON for programs, with each verified value. Names include units; unknown values are left
    /// out.
    public func json() throws -> String { String(decoding: try JSONFile.text(Document(self)), as: UTF8.self) }

    fileprivate struct Document: Encodable {
        struct Phase: Encodable {
            let scenario: String
            let phase: String
            let kind: String
            let mode: String
            /// The column that shows how fast it was; nil for trials at several rates.
            let speed: String?
            let drivers: [WithSamples<Driver>]
        }

        /// Content, and beside it samples, each under its column's name.
        struct WithSamples<Rest: Encodable>: Encodable {
            let rest: Rest
            let samples: [String: Sample]

            func encode(to encoder: any Encoder) throws {
                try rest.encode(to: encoder)
                try samples.encode(to: encoder)
            }
        }

        struct Driver: Encodable {
            let driver: String
            let count: Int
            let leftOut: Int
            let ratioToBaseline: Double?
            /// Whether the ratios are of so few repetitions that they decide nothing.
            let hasFewRatios: Bool?
            let rssPeakRatioToBaseline: Double?
            let load: WithSamples<Load>?
            let search: Search?
        }

        /// A search for the highest rate.
        struct Search: Encodable {
            let highestRatePerS: Double?
            let isConfirmed: Bool
            let missedRatePerS: Double?
            let trials: Int
        }

        struct Load: Encodable {
            let retries: Int
            let errors: Int
            let dropped: Int?
            let withoutBound: [String]
            let repetitionsWithLimits: Int
            let repetitionsThatMissedLimits: Int
        }

        struct Sample: Encodable {
            let count: Int
            let min: Double
            let median: Double
            let max: Double
            let mad: Double
            let iqr: Double
            let values: [Double]
        }

        /// The description of a column of the CSV, for programs that show it.
        struct Column: Encodable {
            let label: String
            let unit: FigureColumn.Unit
            let kind: FigureColumn.Kind
            let help: String
            let isHigherBetter: Bool
        }

        let version = 1
        let columns: [String: Column]
        let baseline: String?
        let drivers: [String]
        /// The colour of each driver on pages and pictures, in their order.
        let driverColors: [String]
        let rows: Int
        let leftOut: Int
        let driversOfUnknownSettings: [String]
        let phases: [Phase]
        let growth: GrowthDocument?
        let sweep: SweepDocument?

        init(_ summary: ResultSummary) {
            baseline = SummaryTable.baseline(of: summary.drivers)
            drivers = summary.drivers
            driverColors = DriverPalette.colors(summary.drivers).map(\.light)
            rows = summary.rowCount
            leftOut = summary.leftOut.total
            driversOfUnknownSettings = summary.unknownSettings.drivers
            columns = FigureColumn.all.reduce(into: [:]) { columns, figure in
                columns[figure.column] = Column(
                    label: figure.label, unit: figure.unit, kind: figure.kind, help: figure.help,
                    isHigherBetter: figure.isHigherBetter)
            }
            growth = summary.growth.map(GrowthDocument.init)
            sweep = summary.sweep.map(SweepDocument.init)
            phases = summary.phases.map { phase in
                Phase(
                    scenario: phase.key.scenario, phase: phase.key.phase, kind: phase.kind, mode: phase.key.mode,
                    speed: phase.speed?.column, drivers: phase.cells.map { .init($0) })
            }
        }
    }
}

extension ResultSummary.Document.WithSamples {
    private init(
        _ rest: Rest, _ figures: [FigureColumn], _ sample: (FigureColumn) -> ResultSummary.Sample?
    ) {
        self.rest = rest
        samples = figures.reduce(into: [:]) { $0[$1.column] = sample($1).map(ResultSummary.Document.Sample.init) }
    }
}

extension ResultSummary.Document.WithSamples<ResultSummary.Document.Driver> {
    fileprivate init(_ cell: ResultSummary.Cell) {
        let driver = Rest(
            driver: cell.driver, count: cell.count, leftOut: cell.leftOut.total, ratioToBaseline: cell.ratio(.duration),
            hasFewRatios: cell.ratio(.duration).map { _ in cell.hasFewRatios },
            rssPeakRatioToBaseline: cell.ratio(.peakMemory), load: cell.load.map { .init($0) },
            search: cell.search.map { .init($0) })
        self.init(driver, ResultSummary.Cell.figures) { cell[$0] }
    }
}

extension ResultSummary.Document.Search {
    fileprivate init(_ found: FoundRate) {
        self.init(
            highestRatePerS: found.rate, isConfirmed: found.isConfirmed, missedRatePerS: found.missedRate,
            trials: found.trials.count)
    }
}

extension ResultSummary.Document.WithSamples<ResultSummary.Document.Load> {
    fileprivate init(_ load: ResultSummary.Load) {
        let rest = Rest(
            retries: load.total(.retries) ?? 0, errors: load.total(.errors) ?? 0, dropped: load.total(.dropped),
            withoutBound: FigureColumn.responsePercentiles.filter(load.lacksBound).map(\.column),
            repetitionsWithLimits: load.limits.limited, repetitionsThatMissedLimits: load.limits.missed)
        self.init(rest, FigureColumn.ofLoads) { load[$0] }
    }
}

extension ResultSummary.Document.Sample {
    fileprivate init(_ sample: ResultSummary.Sample) {
        count = sample.summary.count
        min = sample.summary.min
        median = sample.median
        max = sample.summary.max
        mad = sample.summary.medianAbsoluteDeviation
        iqr = sample.summary.interquartileRange
        values = sample.values
    }
}
