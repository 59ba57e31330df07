/// The result of a search for the highest rates, as tables.
public struct FoundRateTable: Sendable {
    private let found: [FoundRate]

    /// Creates the tables.
    public init(_ found: [FoundRate]) {
        self.found = found
    }

    /// Returns a table with a line for each driver and load.
    public func text(isColoured: Bool, width: Int? = nil) -> String {
        highestRates.text(isColoured: isColoured, width: width)
    }

    /// Returns the curves of the response times over the throughput.
    public func curves(isColoured: Bool, width: Int? = nil) -> String {
        curves.text(isColoured: isColoured, width: width)
    }

    /// A line for each driver and load: the highest rate, of which more is better.
    var highestRates: TextTable {
        var table = TextTable([
            .name("phase"), .name("driver"), .right("highest rate"), .right("p50 there", dropped: 3),
            .right("p99 there", dropped: 4), .right("missed at", dropped: 5), .remark("because"),
            .right("trials", dropped: 2), .right("contaminated", dropped: 1),
        ])
        for rate in found {
            let best = rate.best?.trials ?? []
            table.append(
                TextTable.Row(cells: [
                    rate.phase, rate.driver, rate.text, text(.latencyP50, best), text(.latencyP99, best),
                    rate.missedRate.map(Figure.rate) ?? "",
                    rate.unsupportedReason ?? rate.missedLimits.joined(separator: "; "),
                    Figure.count(rate.trials.count), contaminated(rate.trials),
                ]))
        }
        return table.withoutEmptyColumns
    }

    /// A line for each rate that a driver tried, since the highest rate alone hides how the times rise before it.
    var curves: TextTable {
        var table = TextTable([
            .name("phase"), .name("driver"), .right("rate"), .right("kept"), .right("throughput", dropped: 4),
            .right("p50", dropped: 3), .right("p99"), .right("max", dropped: 2), .right("contaminated", dropped: 1),
        ])
        for rate in found {
            for (position, point) in rate.curve.enumerated() {
                let kept = point.trials.count(where: \.isKept)
                table.append(
                    TextTable.Row(
                        cells: [
                            position == 0 ? rate.phase : "", position == 0 ? rate.driver : "",
                            Figure.rate(point.rate), "\(kept) of \(point.trials.count)",
                            text(.throughput, point.trials), text(.latencyP50, point.trials),
                            text(.latencyP99, point.trials), text(.latencyMax, point.trials),
                            contaminated(point.trials),
                        ], startsGroup: position == 0))
            }
        }
        return table.withoutEmptyColumns
    }

    /// A figure over trials; empty if none has it.
    private func text(_ figure: FigureColumn, _ trials: [RateTrial]) -> String {
        trials.overall(figure).map { figure.text($0) } ?? ""
    }

    private func contaminated(_ trials: [RateTrial]) -> String {
        let count = trials.count { $0.row.contaminated == true }
        return count > 0 ? Figure.count(count) : ""
    }
}
