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
            let durationNs: Sample?
            let ratioToBaseline: Double?
            let rssPeakBytes: Sample?
            let rssPeakRatioToBaseline: Double?
            let queueStallNs: Sample?
            let cancelNs: Sample?
            let load: Load?
        }

        struct Load: Encodable {
            let throughputPerS: Sample?
            let latencyP50Ns: Sample?
            let latencyP99Ns: Sample?
            let latencyMaxNs: Sample?
            let mergeP99Ns: Sample?
            let delegateP99Ns: Sample?
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

        let version = 1
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
        typealias Sample = ResultSummary.Document.Sample
        driver = cell.driver
        count = cell.count
        leftOut = cell.leftOut.total
        durationNs = cell.duration.map(Sample.init)
        ratioToBaseline = cell.ratio
        rssPeakBytes = cell.residentPeak.map(Sample.init)
        rssPeakRatioToBaseline = cell.residentPeakRatio
        queueStallNs = cell.queueStall.map(Sample.init)
        cancelNs = cell.cancel.map(Sample.init)
        load = cell.load.map(ResultSummary.Document.Load.init)
    }
}

extension ResultSummary.Document.Load {
    fileprivate init(_ load: ResultSummary.Load) {
        typealias Sample = ResultSummary.Document.Sample
        throughputPerS = load.throughput.map(Sample.init)
        latencyP50Ns = load.latencyP50.map(Sample.init)
        latencyP99Ns = load.latencyP99.map(Sample.init)
        latencyMaxNs = load.latencyMax.map(Sample.init)
        mergeP99Ns = load.mergeP99.map(Sample.init)
        delegateP99Ns = load.delegateP99.map(Sample.init)
        retries = load.retries
        errors = load.errors
        repetitionsWithLimits = load.limits.limited
        repetitionsThatMissedLimits = load.limits.missed
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
