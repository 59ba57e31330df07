import BenchHarness
import Foundation

extension InstructionOutcome {
    /// Returns a table for a terminal, and what it does not show. Colour marks verdicts and failures.
    public func text(isColoured: Bool, width: Int? = nil) -> String {
        let table = request.base == nil ? countTable : comparisonTable
        return title + "\n" + table.text(isColoured: isColoured, width: width) + notes + growth + conclusion
    }

    private var title: String {
        let records = Figure.count(request.scenario.records, "record")
        let times = Figure.count(request.repetitions, "repetition")
        return "\(request.scenario.name), \(records): instructions within the clock, the median of \(times)\n"
    }

    /// One build: the drivers against the baseline.
    private var countTable: TextTable {
        var table = TextTable(
            [
                .name("phase"), .name("driver"), .right("instructions"), .right("spread", dropped: 1), .right("ratio"),
                .left(""),
            ])
        for figure in figures {
            append(
                figure,
                [
                    figure.new.median.map(Figure.count) ?? "", Self.spread(figure.new),
                    ratio(figure).map(Figure.ratio) ?? "", remark(figure),
                ], style: remark(figure) == "failed" ? .bad : .plain, to: &table)
        }
        return table
    }

    /// Two builds.
    private var comparisonTable: TextTable {
        var table = TextTable(
            [
                .name("phase"), .name("driver"), .right("base", dropped: 2), .right("new", dropped: 3),
                .right("change", dropped: 4), .right("spread", dropped: 1), .left("verdict"), .left(""),
            ])
        for figure in figures {
            let verdict = verdict(figure)
            append(
                figure,
                [
                    figure.base?.median.map(Figure.count) ?? "", figure.new.median.map(Figure.count) ?? "",
                    figure.ratio.map(Figure.preciseChange) ?? "",
                    // The larger of both.
                    [figure.base, figure.new].compactMap(\.self).max { ($0.spread ?? 0) < ($1.spread ?? 0) }
                        .map(Self.spread) ?? "",
                    verdict.rawValue, remark(figure),
                ], style: verdict.style, to: &table)
        }
        return table
    }

    /// Appends the row of a figure, which begins with the phase and the driver.
    func append(
        _ figure: InstructionFigure, _ cells: [String], style: TextTable.Style = .plain, to table: inout TextTable
    ) {
        let isFirst = figure.driver == request.drivers.first
        table.append(
            TextTable.Row(
                cells: [isFirst ? figure.phase.name : "", figure.driver] + cells, style: style, startsGroup: isFirst))
    }

    private func remark(_ figure: InstructionFigure) -> String {
        if !figure.failures.isEmpty { return "failed" }
        if figure.new.unsuccessful?.status == .unsupported { return "unsupported" }
        return figure.phase.isConcurrent ? "concurrent" : ""
    }

    /// The range of the repetitions as a share of their median.
    private static func spread(_ counts: InstructionCounts) -> String {
        counts.spread.map { $0 == 0 ? "0 %" : String(format: "%.4f %%", $0 * 100) } ?? ""
    }

    private var notes: String {
        var lines: [String] = []
        if figures.contains(where: \.phase.isConcurrent) {
            lines.append("concurrent: several threads work at once, so that counts differ between runs of one build")
        }
        for figure in figures {
            lines += figure.failures.map {
                "\(figure.phase.name) of \(figure.driver), repetition \($0.number): \($0.error)"
            }
            let acceptance = acceptance(figure)
            if !acceptance.isEmpty { lines.append("\(figure.phase.name) of \(figure.driver): \(acceptance)") }
        }
        lines += request.accepted.notes(figures.map { (key($0), verdict($0)) }).map { "note: \($0)" }
        return lines.isEmpty ? "" : "\n" + lines.map { $0 + "\n" }.joined()
    }

    /// The functions that explain each regression.
    private var growth: String {
        figures.filter { verdict($0) == .regressed }.map { figure in
            let whole = Double(max(figure.base?.median ?? 0, 1))
            let lines = figure.grownFunctions.map { function in
                let share = Figure.preciseChange(1 + Double(function.growth) / whole)
                return "  \(share)  +\(Figure.count(function.growth))  \(function.function)\n"
            }
            return "\n\(figure.phase.name) of \(figure.driver): the functions that grew most, with what they use of "
                + "libraries, in percent of the phase\n" + lines.joined()
        }.joined()
    }

    private var conclusion: String {
        guard request.base != nil else { return "" }
        let limit = Figure.percent(request.threshold)
        let grown = figures.count { verdict($0) == .regressed }
        let accepted = figures.count { verdict($0) == .accepted }
        let missing = figures.count { verdict($0) == .insufficientData }
        let text =
            switch outcome {
            case .failed: "failed: a phase failed"
            case .regressed:
                "regressed: \(Figure.count(grown, "figure")) grew by more than \(limit) and more than the spread"
            case .insufficientData where missing > 0:
                "insufficient data: the new build counted nothing for \(Figure.count(missing, "figure")) of the base"
            case .insufficientData: "insufficient data: there was nothing to judge"
            case .inconclusive: "no regression; some figures spread by more than \(limit)"
            case .passed where accepted > 0:
                "accepted: \(Figure.count(accepted, "figure")) grew within what is accepted; no other regression"
            case .passed: "no regression"
            }
        return "\n\(text)\n"
    }
}
