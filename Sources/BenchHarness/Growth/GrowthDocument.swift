/// The growth of figures for programs: part of the JSON of `bench show`.
struct GrowthDocument: Encodable {
    struct Phase: Encodable {
        let scenario: String
        let phase: String
        let kind: String
        let mode: String
        let growsWithRecords: Bool
        let drivers: [Driver]
    }

    struct Driver: Encodable {
        let driver: String
        let timeNs: Curve
        let memoryBytes: Curve
    }

    struct Curve: Encodable {
        let points: [Point]
        let exponent: Double?
        let exponentLow: Double?
        let exponentHigh: Double?
        let verdict: GrowthVerdict?
        let steps: [GrowthCurve.Step]
    }

    struct Point: Encodable {
        let records: Int
        let median: Double
        let values: [Double]
        let medianPerRecord: Double
        /// Whether the figure is large enough to reflect the work, so that the fit uses it.
        let counts: Bool
    }

    let maxExponent: Double?
    let sizes: [Int]
    let phases: [Phase]

    init(_ growth: GrowthSummary) {
        maxExponent = growth.maxExponent
        sizes = growth.sizes
        phases = growth.phases.map { phase in
            Phase(
                scenario: phase.key.scenario, phase: phase.key.phase, kind: phase.kind, mode: phase.key.mode,
                growsWithRecords: phase.isProportional,
                drivers: phase.lines.map { line in
                    Driver(driver: line.driver, timeNs: Curve(line.time), memoryBytes: Curve(line.memory))
                })
        }
    }
}

extension GrowthDocument.Curve {
    fileprivate init(_ curve: GrowthCurve) {
        let leftOut = curve.leftOut
        points = curve.points.map { point in
            GrowthDocument.Point(
                records: point.records, median: point.median, values: point.values, medianPerRecord: point.perRecord,
                counts: !leftOut.contains(point.records))
        }
        exponent = curve.fit?.exponent
        exponentLow = curve.fit?.interval.lowerBound
        exponentHigh = curve.fit?.interval.upperBound
        verdict = curve.verdict
        steps = curve.steps
    }
}
