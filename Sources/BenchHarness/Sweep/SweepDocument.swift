/// The figures over the values of a number for programs: part of the JSON of `bench show`.
struct SweepDocument: Encodable {
    struct Phase: Encodable {
        let scenario: String
        let phase: String
        let kind: String
        let mode: String
        let setting: String
        let values: [Double]
        let isLogarithmic: Bool
        let figures: [String]
        let drivers: [Driver]
    }

    struct Driver: Encodable {
        let driver: String
        /// The points of each figure, by its column.
        let points: [String: [Point]]
    }

    struct Point: Encodable {
        let value: Double
        let median: Double
        let figures: [Double]
    }

    let phases: [Phase]

    init(_ sweep: SweepSummary) {
        phases = sweep.phases.map { phase in
            Phase(
                scenario: phase.key.scenario, phase: phase.key.phase, kind: phase.kind, mode: phase.key.mode,
                setting: phase.setting, values: phase.values, isLogarithmic: phase.isLogarithmic,
                figures: phase.figures.map(\.column), drivers: phase.lines.map(Driver.init))
        }
    }
}

extension SweepDocument.Driver {
    fileprivate init(_ line: SweepSummary.Line) {
        driver = line.driver
        points = line.curves.reduce(into: [:]) { points, curve in
            points[curve.figure.column] = curve.points.map {
                SweepDocument.Point(value: $0.value, median: $0.median, figures: $0.figures)
            }
        }
    }
}
