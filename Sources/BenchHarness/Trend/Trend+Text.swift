import Foundation

extension Trend {
    private static let columns: [TextTable.Column] = [
        .name("phase"), .name("driver"), .left("metric"), .right("first", dropped: 1), .right("last", dropped: 2),
        .right("change"), .left("history", dropped: 3), .remark("change points"),
    ]

    /// Returns a table for each scenario, for a terminal of `width` columns.
    public func text(isColoured: Bool, width: Int? = nil) -> String {
        let blocks = scenarios.map { name, series in
            "\(name): \(span)\n\n" + table(series, repeatsNames: false).text(isColoured: isColoured, width: width)
        }
        let notes = remarks.isEmpty ? [] : [remarks.map { "note: \($0)\n" }.joined()]
        return (blocks + notes).joined(separator: "\n")
    }

    /// The tables as Markdown, for a pull request.
    public var markdown: String {
        let blocks = scenarios.map { name, series in
            "### \("\(name): \(span)".escapedForMarkdown)\n\n" + table(series, repeatsNames: true).markdown
        }
        let notes = remarks.isEmpty ? [] : [remarks.map { "- \($0.escapedForMarkdown)\n" }.joined()]
        return (blocks + notes).joined(separator: "\n")
    }

    /// The number of runs, and the first and last one.
    private var span: String {
        guard let first = runs.first, let last = runs.last, runs.count > 1 else {
            return "1 run" + (runs.first.map { ", \($0.label)" } ?? "")
        }
        return "\(runs.count) runs, \(first.label) to \(last.label)"
    }

    private func table(_ series: [TrendSeries], repeatsNames: Bool) -> TextTable {
        var table = TextTable(Self.columns)
        var previous: ComparisonKey?
        for own in series {
            let isNewPhase = previous.map { $0.phase != own.key.phase || $0.mode != own.key.mode } ?? true
            let isNewDriver = isNewPhase || previous?.driver != own.key.driver
            let names = [
                isNewPhase || repeatsNames ? own.key.phaseText : "", isNewDriver || repeatsNames ? own.key.driver : "",
            ]
            table.append(TextTable.Row(cells: names + cells(own), style: own.style, startsGroup: isNewPhase))
            previous = own.key
        }
        return table
    }

    private func cells(_ series: TrendSeries) -> [String] {
        [
            series.metric.name, series.first.map(series.text) ?? "", series.last.map(series.text) ?? "",
            series.percent.map(TrendSeries.text(percent:)) ?? "", Sparkline(series.points.map { $0?.value }).text,
            changesText(series),
        ]
    }

    private func changesText(_ series: TrendSeries) -> String {
        guard let changes = series.changes else { return "too little history" }
        if changes.isEmpty { return series.isConstant ? "none" : "none found" }
        return changes.map { change in
            let size = change.percent.map(TrendSeries.text(percent:)) ?? "from 0 to \(series.text(change.after))"
            return "\(size) at \(runs[change.run].label)"
        }.joined(separator: "; ")
    }
}

extension TrendSeries {
    fileprivate func text(_ value: Double) -> String {
        isRelative ? Figure.ratio(value, decimals: 3, sign: "x") : metric.text(value)
    }

    fileprivate static func text(percent: Double) -> String {
        let text = String(format: "%+.1f %%", percent)
        return ["+0.0 %", "-0.0 %"].contains(text) ? "0.0 %" : text
    }

    /// The colour of a history with a change: the direction of the latest one.
    fileprivate var style: TextTable.Style {
        guard let latest = changes?.last else { return .plain }
        return (latest.after > latest.before) == metric.isHigherBetter ? .good : .bad
    }
}

extension ComparisonKey {
    /// The phase, and its mode unless the name includes it.
    fileprivate var phaseText: String {
        mode.isEmpty || phase.contains(mode) ? phase : "\(phase) (\(mode))"
    }
}
