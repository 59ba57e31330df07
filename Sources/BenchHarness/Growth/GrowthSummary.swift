/// How the figures of a run at several sizes grow with the number of records.
public struct GrowthSummary: Sendable {
    /// What it comes to. Where several hold, the first one counts.
    public enum Outcome: Sendable, Equatable {
        /// Something grows faster than it may.
        case missed
        /// Whether a duration grows as it may cannot be told, for want of sizes.
        case insufficientData
        /// Neither, or nothing is demanded.
        case passed
    }

    /// What one driver came to in one phase.
    struct Line: Sendable {
        let driver: String
        let time: GrowthCurve
        let memory: GrowthCurve

        var curves: [GrowthCurve] { [time, memory] }
    }

    /// One phase at all its sizes.
    struct Phase: Sendable {
        /// The phase without its size.
        let key: PhaseKey
        let kind: String
        /// Whether the work grows with the records, as it does not where a few are saved or a fetch has a limit.
        let isProportional: Bool
        /// One for each driver that has rows.
        let lines: [Line]
    }

    let phases: [Phase]
    /// Every size that there is, ascending.
    let sizes: [Int]
    let drivers: [String]
    let maxExponent: Double?

    /// Nil where no phase was done at several sizes.
    ///
    /// - Parameters:
    ///   - drivers: Their order.
    ///   - spec: What is demanded.
    init?(rows: [ResultRow], drivers: [String], spec: GrowthSpec?) {
        let sized = rows.compactMap { row in SizedName(row.phase).records.map { (row, $0) } }
        guard !sized.isEmpty else { return nil }
        let keys = sized.map { PhaseKey(sizeless: $0.0) }.withoutRepeats
        let rowsOf = Dictionary(grouping: sized) { PhaseKey(sizeless: $0.0) }
        phases = keys.map { Phase($0, rowsOf[$0] ?? [], drivers, spec?.maxExponent) }
        sizes = Set(sized.map(\.1)).sorted()
        self.drivers = drivers
        maxExponent = spec?.maxExponent
    }

    private var curves: [(phase: Phase, line: Line, curve: GrowthCurve)] {
        phases.flatMap { phase in phase.lines.flatMap { line in line.curves.map { (phase, line, $0) } } }
    }

    /// What it comes to.
    public var outcome: Outcome {
        if curves.contains(where: { $0.curve.verdict == .missed }) { return .missed }
        let isOpen = curves.contains { $0.curve.figure == .time && $0.curve.verdict == .insufficientData }
        return isOpen ? .insufficientData : .passed
    }

    /// What grows faster than it may, in words.
    public var missed: [String] {
        curves.filter { $0.curve.verdict == .missed }.compactMap { phase, line, curve in
            guard let fit = curve.fit, let maxExponent else { return nil }
            return
                "\(line.driver), \(phase.key.phase): \(curve.figure.rawValue) grows like the records to the power of "
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

    /// From size to size, the records that are worked on must grow at least half as much as those that there are: some
    /// filters let through a little more or less.
    private static func isProportional(_ rows: [(row: ResultRow, records: Int)]) -> Bool {
        let worked = Dictionary(grouping: rows, by: \.records).compactMapValues { rows in
            SampleSummary(rows.compactMap { $0.row.records.map(Double.init) })?.median
        }.sorted { $0.key < $1.key }
        // Loads have none.
        if worked.isEmpty { return false }
        return zip(worked, worked.dropFirst()).allSatisfy { low, high in
            low.value > 0 && high.value / low.value >= 0.5 * Double(high.key) / Double(low.key)
        } && worked.allSatisfy { $0.value > 0 }
    }
}

extension PhaseKey {
    /// The key of a row's phase at any size.
    fileprivate init(sizeless row: ResultRow) {
        self.init(row)
        phase = SizedName(row.phase).phase
    }
}
