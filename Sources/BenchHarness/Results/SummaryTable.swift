import Foundation

/// What a run came to, for a person: for each phase the median of each driver, its spread, the ratio to the baseline, the
/// peak of memory and the longest stall of the queue.
public struct SummaryTable {
    /// The driver that others are held against.
    public static let baseline = "sqlite"

    private var table = TextTable([
        .left("phase"), .left("driver"), .right("median"), .right("spread"), .right("ratio"), .right("peak memory"),
        .right("stall"), .right("cancel"), .left(""),
    ])

    /// Summarises rows; phases and drivers stay in the order in which they first occur, unless `drivers` tells another.
    public init(rows: [ResultRow], drivers: [String]) {
        for phase in Self.unique(rows.map(\.phase)) {
            let ofPhase = rows.filter { $0.phase == phase }
            let ofBaseline = ofPhase.filter { $0.driver == Self.baseline && $0.status == .ok }
            let base = Self.median(ofBaseline, \.durationNanoseconds)
            var isFirst = true
            for driver in drivers {
                guard let cells = Self.cells(ofPhase.filter { $0.driver == driver }, driver, base) else { continue }
                let isBad = !(cells.last ?? "").isEmpty
                table.append(
                    TextTable.Row(
                        cells: [isFirst ? phase : "", driver] + cells, style: isBad ? .bad : .plain,
                        startsGroup: isFirst))
                isFirst = false
            }
        }
    }

    /// The table as text. Colour dims what is only there for the eye, and marks what failed.
    public func text(isColoured: Bool) -> String { table.text(isColoured: isColoured) }

    private static func cells(_ rows: [ResultRow], _ driver: String, _ base: Double?) -> [String]? {
        guard !rows.isEmpty else { return nil }
        let good = rows.filter { $0.status == .ok }
        let durations = SampleSummary(good.compactMap { $0.durationNanoseconds.map(Double.init) })
        let ratio = durations.flatMap { own in base.map { Figure.ratio(own.median / $0) } }
        return [
            durations.map { Figure.duration($0.median) } ?? "",
            durations.map { $0.count > 1 ? "\(Figure.duration($0.min)) … \(Figure.duration($0.max))" : "" } ?? "",
            driver == baseline ? "" : ratio ?? "",
            median(good, \.residentPeakBytes).map(Figure.bytes) ?? "",
            median(good, \.queueStall).map(Figure.duration) ?? "",
            median(good, \.cancel).map(Figure.duration) ?? "",
            remarks(rows),
        ]
    }

    private static func remarks(_ rows: [ResultRow]) -> String {
        ResultRow.Status.allCases.filter { $0 != .ok }.compactMap { status in
            let count = rows.filter { $0.status == status }.count
            return count == 0 ? nil : status == .unsupported ? "unsupported" : "\(count) \(status.rawValue)"
        }.joined(separator: ", ")
    }

    private static func median(_ rows: [ResultRow], _ figure: KeyPath<ResultRow, Int?>) -> Double? {
        SampleSummary(rows.compactMap { $0[keyPath: figure].map(Double.init) })?.median
    }

    private static func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}
