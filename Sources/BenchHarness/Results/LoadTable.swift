/// What the loads of a run came to, for a person: what only they have.
struct LoadTable {
    private static let columns: [TextTable.Column] =
        [.left("load"), .left("driver"), .right("operations/s")]
        + ["p50", "p99", "max", "merged p99", "told p99", "retries", "errors"].map { .right($0) } + [.left("limits")]

    private let summary: ResultSummary

    init(_ summary: ResultSummary) {
        self.summary = summary
    }

    /// The table; nil without a load.
    func table(repeatsNames: Bool) -> TextTable? {
        var table = TextTable(Self.columns)
        for phase in summary.phases {
            let loads = phase.cells.compactMap { cell in cell.load.map { (cell.driver, $0) } }
            for (index, (driver, load)) in loads.enumerated() {
                let name = index == 0 || repeatsNames ? phase.key.phase : ""
                table.append(
                    TextTable.Row(
                        cells: [name, driver] + Self.figures(load), style: load.limits.missed > 0 ? .bad : .plain,
                        startsGroup: index == 0))
            }
        }
        return table.rows.isEmpty ? nil : table
    }

    private static func figures(_ load: ResultSummary.Load) -> [String] {
        let times = [load.latencyP50, load.latencyP99, load.latencyMax, load.mergeP99, load.delegateP99]
        return [load.throughput.map { Figure.count(Int($0.summary.median.rounded())) } ?? ""]
            + times.map { $0.map { Figure.duration($0.summary.median) } ?? "" }
            + [Figure.count(load.retries), Figure.count(load.errors), load.limits.text ?? ""]
    }
}
