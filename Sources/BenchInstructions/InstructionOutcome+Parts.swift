import BenchHarness

extension InstructionOutcome {
    /// The least share of a phase that gets a column.
    private static let leastShare = 0.01

    /// Returns the parts of the program in which each phase spends its instructions: a library, a module, the runtime.
    public func parts(isColoured: Bool, width: Int? = nil) -> String {
        let shares = figures.map(\.new.typical?.shares)
        let names = Self.names(shares.compactMap(\.self))
        // The smallest parts give way to a narrow terminal.
        let columns = names.enumerated().map { TextTable.Column.right($1, dropped: names.count - $0) }
        var table = TextTable([.name("phase"), .name("driver")] + columns + [.right("rest")])
        for (figure, shares) in zip(figures, shares) { append(figure, Self.cells(shares, names), to: &table) }
        let build = request.base == nil ? "program" : "new build"
        return "\nparts of the \(build), in percent of the instructions\n\n"
            + table.text(isColoured: isColoured, width: width)
    }

    /// Returns the parts that take a share of any phase, the largest first.
    private static func names(_ shares: [[String: Double]]) -> [String] {
        Dictionary(shares.joined().map { ($0.key, $0.value) }, uniquingKeysWith: max)
            .filter { $0.value >= leastShare }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }

    private static func cells(_ shares: [String: Double]?, _ names: [String]) -> [String] {
        guard let shares else { return names.map { _ in "" } + [""] }
        let named = names.map { shares[$0] ?? 0 }
        return (named + [max(0, 1 - named.reduce(0, +))]).map { Figure.percent(($0 * 100).rounded() / 100) }
    }
}
