import Foundation

extension ResultSummary {
    /// The same for programs, with each verified value. Units stand in the names; what is not known is left out.
    public func json() throws -> String { String(decoding: try JSONFile.text(Document(self)), as: UTF8.self) }

    fileprivate struct Document: Encodable {
        struct Phase: Encodable {
            let scenario: String
            let phase: String
            let kind: String
            let mode: String
            let drivers: [Driver]
        }

        struct Driver: Encodable {
            let driver: String
            let count: Int
            let leftOut: Int
            let ratioToBaseline: Double?
            let rssPeakRatioToBaseline: Double?
            let load: Load?
            /// By their columns, beside the rest.
            let samples: [(String, Sample)]
        }

        struct Load: Encodable {
            let samples: [(String, Sample)]
            let retries: Int
            let errors: Int
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

        /// What a column of the CSV is, for whoever shows it.
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
        let rows: Int
        let leftOut: Int
        let phases: [Phase]
        let growth: GrowthDocument?

        init(_ summary: ResultSummary) {
            baseline = summary.drivers.first { $0 == SummaryTable.baseline }
            drivers = summary.drivers
            rows = summary.rowCount
            leftOut = summary.leftOut.total
            columns = FigureColumn.all.reduce(into: [:]) { columns, figure in
                columns[figure.column] = Column(
                    label: figure.label, unit: figure.unit, kind: figure.kind, help: figure.help,
                    isHigherBetter: figure.isHigherBetter)
            }
            growth = summary.growth.map(GrowthDocument.init)
            phases = summary.phases.map { phase in
                Phase(
                    scenario: phase.key.scenario, phase: phase.key.phase, kind: phase.kind, mode: phase.key.mode,
                    drivers: phase.cells.map(Driver.init))
            }
        }
    }
}

extension ResultSummary.Document.Driver {
    fileprivate init(_ cell: ResultSummary.Cell) {
        driver = cell.driver
        count = cell.count
        leftOut = cell.leftOut.total
        ratioToBaseline = cell.ratio(.duration)
        rssPeakRatioToBaseline = cell.ratio(.peakMemory)
        load = cell.load.map(ResultSummary.Document.Load.init)
        samples = ResultSummary.Document.samples(ResultSummary.Cell.figures) { cell[$0] }
    }

    private enum Key: CodingKey {
        case driver, count, leftOut, ratioToBaseline, rssPeakRatioToBaseline, load
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(driver, forKey: .driver)
        try container.encode(count, forKey: .count)
        try container.encode(leftOut, forKey: .leftOut)
        try container.encodeIfPresent(ratioToBaseline, forKey: .ratioToBaseline)
        try container.encodeIfPresent(rssPeakRatioToBaseline, forKey: .rssPeakRatioToBaseline)
        try container.encodeIfPresent(load, forKey: .load)
        try ResultSummary.Document.encode(samples, to: encoder)
    }
}

extension ResultSummary.Document.Load {
    fileprivate init(_ load: ResultSummary.Load) {
        samples = ResultSummary.Document.samples(FigureColumn.ofLoads) { load[$0] }
        retries = load.retries
        errors = load.errors
        repetitionsWithLimits = load.limits.limited
        repetitionsThatMissedLimits = load.limits.missed
    }

    private enum Key: CodingKey {
        case retries, errors, repetitionsWithLimits, repetitionsThatMissedLimits
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(retries, forKey: .retries)
        try container.encode(errors, forKey: .errors)
        try container.encode(repetitionsWithLimits, forKey: .repetitionsWithLimits)
        try container.encode(repetitionsThatMissedLimits, forKey: .repetitionsThatMissedLimits)
        try ResultSummary.Document.encode(samples, to: encoder)
    }
}

extension ResultSummary.Document {
    /// A column's name as a key.
    private struct ColumnKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    fileprivate static func samples(
        _ figures: [FigureColumn], _ sample: (FigureColumn) -> ResultSummary.Sample?
    ) -> [(String, Sample)] {
        figures.compactMap { figure in sample(figure).map { (figure.column, Sample($0)) } }
    }

    /// Adds samples to what was encoded already, each under its column's name.
    fileprivate static func encode(_ samples: [(String, Sample)], to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ColumnKey.self)
        for (column, sample) in samples { try container.encode(sample, forKey: ColumnKey(stringValue: column)) }
    }
}

extension ResultSummary.Document.Sample {
    fileprivate init(_ sample: ResultSummary.Sample) {
        count = sample.summary.count
        min = sample.summary.min
        median = sample.summary.median
        max = sample.summary.max
        mad = sample.summary.medianAbsoluteDeviation
        iqr = sample.summary.interquartileRange
        values = sample.values
    }
}
