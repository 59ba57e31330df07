import Foundation

/// The times of a run's drivers as multiples of the baseline's, with intervals: whether one is faster, not only in
/// which run. Only verified rows count.
///
/// Drivers take turns phase by phase, so each repetition has a pair of times that were measured shortly after one
/// another, and a ratio of its own. The table shows the centre of these ratios and its interval of 95 %, by the ranks
/// of their logarithms, as Wilcoxon's signed-rank test orders them.
public struct RatioTable {
    /// The fewest repetitions for an interval of 95 %.
    public static let leastRepetitions = 6
    private static let confidence = 0.95

    private var columns: [TextTable.Column] {
        [
            .name("phase"), .name("driver"), .right("wall", dropped: 4), .right("wall ÷ \(baseline)"),
            .right("CPU", dropped: 3), .right("CPU ÷ \(baseline)", dropped: 5), .right("pairs", dropped: 2),
            .right("contaminated", dropped: 1),
        ]
    }

    /// A ratio over the repetitions.
    struct Ratio: Equatable {
        let centre: Double
        /// Nil for fewer than ``RatioTable/leastRepetitions``.
        let interval: ClosedRange<Double>?

        /// Estimates the ratio of pairs of figures; nil if there are none.
        init?(_ pairs: [(own: Double, base: Double)]) {
            let differences = pairs.filter { $0.own > 0 && $0.base > 0 }.map { log($0.own / $0.base) }
            guard let centre = SignedRank.pseudoMedian(ofDifferences: differences) else { return nil }
            self.centre = exp(centre)
            interval = SignedRank.interval(ofDifferences: differences, confidence: RatioTable.confidence)
                .map { exp($0.lowerBound)...exp($0.upperBound) }
        }

        /// The ratio with its interval, or its order of magnitude without one. A ratio whose interval contains 1 is
        /// shown as the interval alone.
        var text: String {
            guard let interval else { return Figure.roughRatio(centre) }
            let ends = [interval.lowerBound, interval.upperBound].map { Figure.ratio($0, decimals: 2, sign: "") }
                .joined(separator: " … ")
            return interval.contains(1) ? "not shown (\(ends))" : "\(Figure.ratio(centre)) (\(ends))"
        }
    }

    private let rows: [ResultRow]
    private let drivers: [String]
    private let baseline: String

    /// Lays out the rows of a run.
    ///
    /// - Parameters:
    ///   - rows: The rows of one run, of any number of repetitions.
    ///   - order: The drivers to list first, in this order; others follow by name.
    ///   - baseline: The driver whose times are 1; default: `sqlite`, or `postgres` in a run on a server.
    public init(_ rows: [ResultRow], drivers order: [String] = [], relativeTo baseline: String? = nil) {
        self.rows = rows
        let present = Set(rows.map(\.driver))
        drivers = order.filter(present.contains) + present.subtracting(order).sorted()
        self.baseline = baseline ?? SummaryTable.baseline(of: present) ?? SummaryTable.baseline
    }

    /// Returns the text for a terminal, in a table that fits into `width`.
    public func text(isColoured: Bool, width: Int? = nil) -> String {
        table(repeatsNames: false).text(isColoured: isColoured, width: width) + remark
    }

    /// The text as Markdown.
    public var markdown: String { table(repeatsNames: true).markdown + remark }

    private var remark: String {
        """

        Ratios are centres over the repetitions with intervals of 95 %, which take \(Self.leastRepetitions) repetitions.
        "Not shown": the interval contains 1, so neither driver is shown to be faster.
        "Contaminated" rows were measured while other processes used the machine, or while its speed changed.
        Loads of a given length or rate have no ratios: their drivers differ in what they do in it, which bench show shows.

        """
            + (hasFewPairs ? Self.remarkOnFew + ".\n" : "")
    }

    /// What ratios of few repetitions are.
    package static let remarkOnFew =
        "Ratios with ~ are of fewer than \(leastRepetitions) repetitions, which decide nothing"

    /// Whether a ratio has no interval.
    private var hasFewPairs: Bool {
        let repetitions = Dictionary(grouping: rows.filter(\.isEvidence)) { ComparisonKey($0) }
        return drivers.count > 1 && repetitions.values.contains { $0.count < Self.leastRepetitions }
    }

    private func table(repeatsNames: Bool) -> TextTable {
        var table = TextTable(columns)
        for key in rows.map({ PhaseKey($0) }).withoutRepeats {
            let phase = rows.filter { PhaseKey($0) == key }
            let base = phase.filter { $0.driver == baseline && $0.isEvidence }
            // A duration that was given, as that of a load at a rate, says nothing of the speed.
            let isFree = JudgedTimes.speed(of: phase.filter(\.isEvidence))?.name == Metric.duration.name
            for (index, driver) in drivers.filter({ name in phase.contains { $0.driver == name } }).enumerated() {
                let name = index == 0 || repeatsNames ? key.phase : ""
                table.append(
                    TextTable.Row(
                        cells: [name, driver]
                            + cells(phase.filter { $0.driver == driver && $0.isEvidence }, base, isFree),
                        startsGroup: index == 0))
            }
        }
        return table
    }

    private func cells(_ own: [ResultRow], _ base: [ResultRow], _ showsSpeed: Bool) -> [String] {
        let contaminated = own.count { $0.contaminated == true }
        let isBase = own.first?.driver == baseline
        let pairs = Self.pairs(own, base, .duration)
        let ratios = [pairs, Self.pairs(own, base, .cpu)].map { isBase || !showsSpeed ? "" : Ratio($0)?.text ?? "" }
        return time(own, \.durationNanoseconds) + [ratios[0]] + time(own, \.cpu) + [ratios[1]] + [
            isBase ? "" : String(pairs.count), own.isEmpty ? "" : "\(contaminated) of \(own.count)",
        ]
    }

    private func time(_ rows: [ResultRow], _ figure: KeyPath<ResultRow, Int?>) -> [String] {
        let times = SampleSummary(rows.compactMap { $0[keyPath: figure].map(Double.init) })
        return [times.map { Figure.duration($0.median) } ?? ""]
    }

    /// Returns a figure in the repetitions that both drivers have.
    static func pairs(
        _ own: [ResultRow], _ base: [ResultRow], _ figure: FigureColumn
    ) -> [(own: Double, base: Double)] {
        own.compactMap { row in
            guard let value = figure.value(row),
                let other = base.first(where: { $0.repetition == row.repetition }).flatMap(figure.value)
            else { return nil }
            return (value, other)
        }
    }
}
