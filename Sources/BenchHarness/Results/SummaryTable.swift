import Foundation

/// What a run came to, for a person: for each phase the median of each driver, its spread, the ratio to the baseline, the
/// peak of memory and the longest stall of the queue.
public struct SummaryTable: Sendable {
    /// The driver that others are held against.
    public static let baseline = "sqlite"

    private static let header = ["phase", "driver", "median", "spread", "ratio", "peak memory", "stall", "cancel", ""]
    private static let isLeftAligned = [true, true, false, false, false, false, false, false, true]
    private let lines: [[String]]
    private let firstLinesOfPhases: Set<Int>

    /// Summarises rows; phases and drivers stay in the order in which they first occur, unless `drivers` tells another.
    public init(rows: [ResultRow], drivers: [String]) {
        var lines: [[String]] = []
        var firsts: Set<Int> = []
        for phase in Self.unique(rows.map(\.phase)) {
            firsts.insert(lines.count)
            let ofPhase = rows.filter { $0.phase == phase }
            let ofBaseline = ofPhase.filter { $0.driver == Self.baseline && $0.status == .ok }
            let base = Self.median(ofBaseline, \.durationNanoseconds)
            for driver in drivers {
                let cells = Self.cells(ofPhase.filter { $0.driver == driver }, driver, base)
                if let cells { lines.append([firsts.contains(lines.count) ? phase : "", driver] + cells) }
            }
        }
        self.lines = lines
        firstLinesOfPhases = firsts
    }

    /// The table as text. Colour dims what is only there for the eye, and marks what failed.
    public func text(isColoured: Bool) -> String {
        let widths = Self.header.indices.map { column in ([Self.header] + lines).map { $0[column].count }.max() ?? 0 }
        let rule = String(repeating: "─", count: widths.reduce(0, +) + 2 * (widths.count - 1))
        var text = styled(Self.aligned(Self.header, widths), "1", isColoured) + "\n"
        text += styled(rule, "2", isColoured) + "\n"
        for (index, line) in lines.enumerated() {
            if index > 0, firstLinesOfPhases.contains(index) { text += "\n" }
            let isBad = !(line.last ?? "").isEmpty
            text += (isBad ? styled(Self.aligned(line, widths), "31", isColoured) : Self.aligned(line, widths)) + "\n"
        }
        return text
    }

    private func styled(_ text: String, _ code: String, _ isColoured: Bool) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    private static func aligned(_ cells: [String], _ widths: [Int]) -> String {
        let padded = cells.indices.map { column in
            let space = String(repeating: " ", count: max(widths[column] - cells[column].count, 0))
            return isLeftAligned[column] ? cells[column] + space : space + cells[column]
        }
        var line = padded.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }

    private static func cells(_ rows: [ResultRow], _ driver: String, _ base: Double?) -> [String]? {
        guard !rows.isEmpty else { return nil }
        let good = rows.filter { $0.status == .ok }
        let durations = SampleSummary(good.compactMap { $0.durationNanoseconds.map(Double.init) })
        let ratio = durations.flatMap { own in base.map { String(format: "%.2fx", own.median / $0) } }
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
