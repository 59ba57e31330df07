/// The growth of a run's figures with the number of records, for a run at several sizes.
public struct GrowthSummary: Sendable {
    /// The outcome. Where several hold, the first one counts.
    public enum Outcome: Sendable, Equatable {
        /// At least one figure grows faster than its limit.
        case missed
        /// There are too few sizes to judge the growth of a duration.
        case insufficientData
        /// No figure misses its limit, or there is no limit.
        case passed
    }

    /// The result of one driver in one phase.
    package struct Line: Sendable {
        package let driver: String
        let time: GrowthCurve
        let memory: GrowthCurve

        package var curves: [GrowthCurve] { [time, memory] }
    }

    /// One phase at all its sizes.
    package struct Phase: Sendable {
        /// The phase without its size.
        package let key: PhaseKey
        let kind: String
        /// Whether the work grows with the records. It does not if a phase saves a few records, or if a fetch has a
        /// limit.
        package let isProportional: Bool
        /// One line for each driver that has rows.
        package let lines: [Line]
    }

    package let phases: [Phase]
    /// All sizes in ascending order.
    package let sizes: [Int]
    package let maxExponent: Double?

    /// Creates a summary; nil if no phase ran at several sizes.
    ///
    /// - Parameters:
    ///   - drivers: The drivers in the order of the table.
    ///   - spec: The limits.
    package init?(rows: [ResultRow], drivers: [String], spec: GrowthSpec?) {
        let sized = rows.compactMap { row in SizedName(row.phase).records.map { (row, $0) } }
        guard !sized.isEmpty else { return nil }
        let keys = sized.map { PhaseKey(sizeless: $0.0) }.withoutRepeats
        let rowsOf = Dictionary(grouping: sized) { PhaseKey(sizeless: $0.0) }
        phases = keys.map { Phase($0, rowsOf[$0] ?? [], drivers, spec?.maxExponent) }
        sizes = Set(sized.map(\.1)).sorted()
        maxExponent = spec?.maxExponent
    }

    private var curves: [(phase: Phase, line: Line, curve: GrowthCurve)] {
        phases.flatMap { phase in phase.lines.flatMap { line in line.curves.map { (phase, line, $0) } } }
    }

    /// The outcome.
    public var outcome: Outcome {
        if curves.contains(where: { $0.curve.verdict == .missed }) { return .missed }
        let isOpen = curves.contains { $0.curve.figure == .time && $0.curve.verdict == .insufficientData }
        return isOpen ? .insufficientData : .passed
    }

    /// The figures that grow faster than their limits, in words.
    public var missed: [String] {
        curves.filter { $0.curve.verdict == .missed }.compactMap { phase, line, curve in
            guard let fit = curve.fit, let maxExponent else { return nil }
            return
                "\(line.driver), \(phase.key.phase): \(curve.figure.rawValue) grows like the number of records to the power of "
                + "\(fit.text); at most \(maxExponent) is allowed"
        }
    }
}

extension GrowthSummary.Phase {
    fileprivate init(
        _ key: PhaseKey, _ rows: [(row: ResultRow, records: Int)], _ drivers: [String], _ maxExponent: Double?
    ) {
        self.key = key
        kind = rows[0].row.kind
        let good = rows.filter { $0.row.isEvidence }
        let isProportional = Self.isProportional(good)
        self.isProportional = isProportional
        lines = drivers.filter { driver in rows.contains { $0.row.driver == driver } }.map { driver in
            let own = Dictionary(grouping: good.filter { $0.row.driver == driver }, by: \.records)
                .mapValues { $0.map(\.row) }
            let curve = { GrowthCurve($0, own, maxExponent: maxExponent, isProportional: isProportional) }
            return GrowthSummary.Line(driver: driver, time: curve(.time), memory: curve(.memory))
        }
    }

    /// Whether the work grows with the records. From size to size, the records of the phase must grow at least half as
    /// much as those in the store: filters vary a little in how many records they let through.
    private static func isProportional(_ rows: [(row: ResultRow, records: Int)]) -> Bool {
        let worked = Dictionary(grouping: rows, by: \.records).compactMapValues { rows in
            SampleSummary(rows.compactMap { $0.row.records.map(Double.init) })?.median
        }.sorted { $0.key < $1.key }
        // Loads have no number of records.
        if worked.isEmpty { return false }
        return zip(worked, worked.dropFirst()).allSatisfy { low, high in
            low.value > 0 && high.value / low.value >= 0.5 * Double(high.key) / Double(low.key)
        } && worked.allSatisfy { $0.value > 0 }
    }
}

extension PhaseKey {
    /// Creates the key of a row's phase without its size.
    fileprivate init(sizeless row: ResultRow) {
        self.init(row)
        phase = SizedName(row.phase).sizeless.description
    }
}
