/// The result of a search for the highest rates, as a table.
public struct FoundRateTable: Sendable {
    private let found: [FoundRate]

    /// Creates a table.
    public init(_ found: [FoundRate]) {
        self.found = found
    }

    /// Returns the table, with a line for each driver and load.
    public func text(isColoured: Bool) -> String {
        var table = TextTable([
            .left("phase"), .left("driver"), .right("highest rate"), .right("p50 there"), .right("p99 there"),
            .right("missed at"), .left("because"),
        ])
        for rate in found {
            let best = rate.rows.last { $0.ratePerSecond == rate.rate }
            table.append(
                TextTable.Row(cells: [
                    rate.phase, rate.driver, highest(rate),
                    duration(best?.latencyP50), duration(best?.latencyP99),
                    rate.missedRate.map(Figure.rate) ?? "",
                    rate.unsupportedReason ?? rate.missedLimits.joined(separator: "; "),
                ]))
        }
        return table.text(isColoured: isColoured)
    }

    private func highest(_ rate: FoundRate) -> String {
        if rate.unsupportedReason != nil { return "unsupported" }
        return rate.rate.map(Figure.rate) ?? "none"
    }

    private func duration(_ nanoseconds: Int?) -> String { nanoseconds.map { Figure.duration(Double($0)) } ?? "" }
}
