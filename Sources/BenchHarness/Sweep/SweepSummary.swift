/// The figures of phases that ran with several values of a number, over these values.
package struct SweepSummary: Sendable {
    /// The measurements with one value.
    package struct Point: Sendable {
        package let value: Double
        /// The figure in each valid repetition.
        package let figures: [Double]
        package let median: Double
    }

    /// One figure of a driver, with the values in ascending order.
    package struct Curve: Sendable {
        package let figure: FigureColumn
        package let points: [Point]
    }

    /// The result of one driver in one phase.
    package struct Line: Sendable {
        package let driver: String
        package let curves: [Curve]
    }

    /// One phase with all values of a number.
    package struct Phase: Sendable {
        /// The phase with what else tells its variants apart: other numbers, and the number of records.
        package let key: PhaseKey
        let kind: String
        /// The key of the number in the scenario.
        package let setting: String
        /// The values in ascending order.
        let values: [Double]
        /// One line for each driver that has rows.
        package let lines: [Line]

        /// Whether an axis of the values is logarithmic: equal distances would crowd the small ones together.
        package var isLogarithmic: Bool {
            guard let first = values.first, let last = values.last else { return false }
            return first > 0 && last / first > 20
        }

        /// The figures of the curves.
        package var figures: [FigureColumn] { lines.first?.curves.map(\.figure) ?? [] }
    }

    package let phases: [Phase]

    /// Creates a summary; nil if no phase ran with several values.
    ///
    /// - Parameter drivers: The drivers in the order of the table.
    package init?(rows: [ResultRow], drivers: [String]) {
        let marked = rows.map { (row: $0, name: SizedName($0.phase)) }.filter { !$0.name.marks.isEmpty }
        guard !marked.isEmpty else { return nil }
        let groups = Dictionary(grouping: marked) { PhaseKey($0.row, named: $0.name.phase) }
        let keys = marked.map { PhaseKey($0.row, named: $0.name.phase) }.withoutRepeats
        phases = keys.flatMap { Self.phases(groups[$0] ?? [], drivers) }
    }

    private typealias MarkedRow = (row: ResultRow, name: SizedName)

    /// Returns a phase over the number with the most values, for each combination of the others.
    private static func phases(_ rows: [MarkedRow], _ drivers: [String]) -> [Phase] {
        let keys = rows.flatMap { $0.name.marks.map(\.key) }.withoutRepeats
        let counts = keys.map { key in Set(rows.compactMap { $0.name[key] }).count }
        guard let most = counts.max(), let key = zip(keys, counts).first(where: { $0.1 == most })?.0 else { return [] }
        let names = rows.map { $0.name.without(key).description }
        let groups = Dictionary(grouping: zip(rows, names), by: \.1)
        let ordered = zip(rows, names).map { PhaseKey($0.row, named: $1) }.withoutRepeats.bySize { $0 }
        return ordered.compactMap { name in
            Phase(name, setting: key, (groups[name.phase] ?? []).map(\.0), drivers)
        }
    }
}

extension SweepSummary.Phase {
    fileprivate init?(
        _ key: PhaseKey, setting: String, _ rows: [(row: ResultRow, name: SizedName)], _ drivers: [String]
    ) {
        self.key = key
        self.setting = setting
        kind = rows.first?.row.kind ?? ""
        values = Set(rows.compactMap { $0.name[setting] }).sorted()
        guard values.count > 1 else { return nil }
        let isLoad = rows.contains { $0.row.isEvidence && $0.row.isOfLoad }
        let figures: [FigureColumn] = isLoad ? [.throughput, .latencyP99] : [.duration, .peakMemory]
        lines = drivers.filter { driver in rows.contains { $0.row.driver == driver } }.map { driver in
            let own = rows.filter { $0.row.driver == driver && $0.row.isEvidence }
            let groups = Dictionary(grouping: own) { $0.name[setting] ?? 0 }.mapValues { $0.map(\.row) }
            return SweepSummary.Line(driver: driver, curves: figures.map { SweepSummary.Curve($0, groups) })
        }
    }
}

extension SweepSummary.Curve {
    fileprivate init(_ figure: FigureColumn, _ rows: [Double: [ResultRow]]) {
        self.figure = figure
        points = rows.sorted { $0.key < $1.key }.compactMap { value, rows in
            let figures = rows.compactMap(figure.value)
            return SampleSummary(figures).map {
                SweepSummary.Point(value: value, figures: figures, median: $0.median)
            }
        }
    }
}

extension PhaseKey {
    /// Creates the key of a row's phase with another name.
    fileprivate init(_ row: ResultRow, named name: String) {
        self.init(row)
        phase = name
    }
}

extension SizedName {
    /// The number that a key has; nil if it is not among the marks.
    fileprivate subscript(key: String) -> Double? { marks.first { $0.key == key }?.number }

    /// The name without the mark of a key.
    fileprivate func without(_ key: String) -> SizedName {
        var name = SizedName(phase: phase, marks: marks.filter { $0.key != key })
        name.records = records
        return name
    }
}
