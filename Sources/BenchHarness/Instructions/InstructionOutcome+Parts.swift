extension InstructionOutcome {
    /// The least share of a phase that gets a column.
    private static let leastShare = 0.01

    /// Returns the parts of the program in which each phase spends its instructions: a library, a module, the runtime.
    public func parts(isColoured: Bool) -> String {
        let names = partNames
        var table = TextTable([.left("phase"), .left("driver")] + names.map { .right($0) } + [.right("rest")])
        for figure in figures {
            let isFirst = figure.driver == request.drivers.first
            table.append(
                TextTable.Row(
                    cells: [isFirst ? figure.phase.name : "", figure.driver] + shares(figure.new.typical, names),
                    startsGroup: isFirst))
        }
        let build = request.base == nil ? "program" : "new build"
        return "\nparts of the \(build), in percent of the instructions\n\n" + table.text(isColoured: isColoured)
    }

    /// The parts that take a share of any phase, the largest first.
    private var partNames: [String] {
        var largest: [String: Double] = [:]
        for counts in figures.compactMap(\.new.typical) {
            for (part, instructions) in counts.parts {
                largest[part] = max(largest[part] ?? 0, Double(instructions) / Double(max(counts.instructions ?? 0, 1)))
            }
        }
        return largest.filter { $0.value >= Self.leastShare }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map(\.key)
    }

    private func shares(_ counts: InstructionCounts.Repetition?, _ names: [String]) -> [String] {
        guard let counts, let whole = counts.instructions, whole > 0 else { return names.map { _ in "" } + [""] }
        let shares = names.map { Double(counts.parts[$0] ?? 0) / Double(whole) }
        return (shares + [max(0, 1 - shares.reduce(0, +))]).map { Figure.percent(($0 * 100).rounded() / 100) }
    }
}
