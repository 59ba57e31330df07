import BenchHarness

/// The changes of one metric on one axis of ratios: for each phase and driver the ratio with its interval, and the band
/// within which a ratio does not count as a change.
struct ForestChart {
    private static let (left, right) = (126.0, 286.0)
    private static let top = 22.0
    private static let (lineHeight, gap) = (15.0, 9.0)

    /// A judgement and its position.
    private struct Line {
        let judgement: Judgement
        /// The name of the phase and its number of lines, if the line is the first of the phase; nil otherwise.
        let phase: (title: String, count: Int)?
        let y: Double
    }

    let id: String
    let metric: Metric
    let figures: ComparisonFigures

    var chart: Chart {
        let lines = self.lines
        let axis = RatioAxis(lines.flatMap(\.judgement.places), from: Self.left, to: Self.right)
        let bottom = (lines.last?.y ?? Self.top) + (Self.lineHeight + Self.gap) / 2
        let bands = lines.map { band($0, axis.scale) }
        let grid = RatioGrid(scale: axis.scale, ticks: axis.ticks, top: Self.top, bottom: bottom)
        return Chart(
            id: id, caption: "\(title), new relative to base", description: description(lines), height: bottom + 22,
            content: bands + grid.nodes + lines.map { row($0, axis.scale) })
    }

    /// The metric's label at the beginning of a caption.
    private var title: String { metric.label.prefix(1).uppercased() + metric.label.dropFirst() }

    private var lines: [Line] {
        var lines: [Line] = []
        var top = Self.top
        for phase in figures.measuredPhases(metric) {
            let count = phase.judgements.count
            for (index, judgement) in phase.judgements.enumerated() {
                let y = top + Self.gap / 2 + (Double(index) + 0.5) * Self.lineHeight
                lines.append(Line(judgement: judgement, phase: index == 0 ? (phase.title, count) : nil, y: y))
            }
            top += Double(count) * Self.lineHeight + Self.gap
        }
        return lines
    }

    private func description(_ lines: [Line]) -> String {
        let changes = lines.map(\.judgement).filter(\.isChange).map { judgement in
            "\(figures.title(PhaseKey(judgement.key))) of \(judgement.key.driver) \(judgement.verdict.rawValue), "
                + (judgement.ratio.map(ReportText.ratio) ?? ReportText.missing)
        }
        let rest = "\(lines.count - changes.count) of \(lines.count) figures neither regressed nor improved"
        return
            "\(figures.ratios.prefix(1).uppercased() + figures.ratios.dropFirst()) with their intervals. \((changes + [rest]).joined(separator: "; "))."
            + " The table has all of them."
    }
}

// MARK: - Rows

extension ForestChart {
    /// Returns the band within the limit, which may differ from line to line.
    private func band(_ line: Line, _ scale: LogScale) -> HTMLNode {
        let limit = 1 + line.judgement.limit
        let (low, high) = (scale.position(1 / limit), scale.position(limit))
        return SVG.rect(low, line.y - Self.lineHeight / 2, high - low, Self.lineHeight, class: "band")
    }

    private func row(_ line: Line, _ scale: LogScale) -> HTMLNode {
        let middle = line.y + Double((line.phase?.count ?? 1) - 1) * Self.lineHeight / 2
        let name = line.phase.map { SVG.name($0.title, 0, middle + 4, limit: 17) }
        return .group([name, mark(line, scale), change(line)].compactMap { $0 })
    }

    /// Returns the ratio with its interval; nil if there is no ratio.
    private func mark(_ line: Line, _ scale: LogScale) -> HTMLNode? {
        let judgement = line.judgement
        guard let ratio = judgement.ratio, ratio > 0, ratio.isFinite else { return nil }
        let style = figures.style(judgement.key.driver)
        let interval = judgement.interval.map { interval in
            SVG.line(
                scale.position(interval.lowerBound), line.y, scale.position(interval.upperBound), line.y,
                class: "interval")
        }
        let dot = style.mark(scale.position(ratio), line.y, radius: 3.5, attributes: ["class": "dot"])
        return .tag(
            "g", ["class": "\(style.colorClass) estimate"] + judgement.verdictData,
            [.tag("title", [:], .text(words(judgement, ratio)))] + [interval, dot].compactMap { $0 })
    }

    private func words(_ judgement: Judgement, _ ratio: Double) -> String {
        let interval = judgement.intervalText.map { " (\($0))" } ?? ""
        return
            "\(judgement.key.driver), \(figures.title(PhaseKey(judgement.key))): \(Figure.change(ratio))\(interval), "
            + judgement.verdict.rawValue
    }

    /// Returns the change in numbers if the verdict is a change; the new value if the figure has no position on the
    /// axis, as one that was 0 has not.
    private func change(_ line: Line) -> HTMLNode? {
        let ratio = line.judgement.ratio.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        guard ratio == nil || line.judgement.isChange else { return nil }
        let new = line.judgement.pageText(line.judgement.new).map { "→ \($0)" }
        return SVG.text(
            ratio.map(Figure.change) ?? new ?? ReportText.missing, Chart.width - 2, line.y + 4, .end,
            class: "value \(VerdictStyle.name(line.judgement.verdict))")
    }
}

extension Judgement {
    /// The ratios that the axis must cover.
    fileprivate var places: [Double] {
        [ratio, interval?.lowerBound, interval?.upperBound].compactMap { $0 } + [1 + limit, 1 / (1 + limit)]
    }
}
