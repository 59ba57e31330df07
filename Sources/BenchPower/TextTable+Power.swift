import BenchHarness

extension TextTable {
    /// Returns a table of simulations with a column for each number of repetitions or launches, as a terminal has more
    /// rows than columns.
    ///
    /// - Parameters:
    ///   - counts: The numbers, with what they count.
    ///   - without: Figures of runs without a change, by their titles, for each number.
    ///   - slowdowns: The slowdowns in percent, with what became of them for each number.
    static func power(
        _ counts: (of: String, values: [Int]), without: [(title: String, cells: [String])],
        slowdowns: [(percent: Double, cells: [String])]
    ) -> TextTable {
        let columns = counts.values.enumerated().map { Column.right("\($1)", dropped: counts.values.count - $0) }
        var table = TextTable([.left(counts.of)] + columns)
        for row in without { table.append(Row(cells: [row.title] + row.cells)) }
        for row in slowdowns {
            table.append(Row(cells: ["caught at +\(Figure.percent(row.percent / 100))"] + row.cells))
        }
        return table
    }
}
