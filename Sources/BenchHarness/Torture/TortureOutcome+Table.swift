extension TortureOutcome {
    /// Returns a table with a column for each driver.
    public func table(isColoured: Bool, width: Int? = nil) -> String {
        let drivers = reports.enumerated().map { TextTable.Column.right($1.driver, dropped: reports.count - $0) }
        var table = TextTable([.name("")] + drivers)
        func append(_ title: String, _ style: TextTable.Style = .plain, _ value: (TortureReport) -> String) {
            table.append(TextTable.Row(cells: [title] + reports.map(value), style: style))
        }
        append("rounds") { $0.rounds.grouped }
        append("processes") { $0.processes.grouped }
        append("killed with SIGKILL") { $0.kills.grouped }
        append("  right after it began to open the store") { $0.killsWhileOpening.grouped }
        append("stopped with SIGSTOP, then continued") { $0.stops.grouped }
        append("writes acknowledged") { $0.acknowledged.grouped }
        append("writes in doubt: failed, or process killed") { $0.doubtful.grouped }
        append("  of them found to be done") { $0.doubtfulDone.grouped }
        if reports.contains(where: { $0.outages != nil }) {
            append("times that the server went away") { $0.outages?.grouped ?? "" }
            append("  operations that failed meanwhile") { $0.outages == nil ? "" : $0.failedOperations.grouped }
        }
        append("losses found", style(\.lost)) { $0.lost.grouped }
        append("other faults", style(\.faults)) { $0.faults.grouped }
        append("checks of the whole store") { $0.audits.grouped }
        append("records at the end") { $0.records.grouped }
        append("time") { Figure.clock($0.nanoseconds) }
        return table.text(isColoured: isColoured, width: width)
    }

    private func style(_ count: (TortureReport) -> Int) -> TextTable.Style {
        reports.contains { count($0) > 0 } ? .bad : .good
    }
}
