/// A table that scrolls in its own region if it is wider than the screen.
struct PageTable {
    /// A column: its heading, and whether its cells are figures.
    struct Column {
        let title: String
        var isFigure = true
    }

    /// The label of the table, for users of a keyboard or a screen reader.
    let label: String
    let columns: [Column]
    /// The cells of each row, one for each column.
    let rows: [[HTMLNode]]

    var node: HTMLNode {
        let head = columns.map { column in
            HTMLNode.tag("th", ["scope": "col", "class": column.isFigure ? "n" : nil], .text(column.title))
        }
        return .tag(
            "div", ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": label],
            .tag(
                "table", [:], .tag("thead", [:], .tag("tr", [:], head)),
                .tag("tbody", [:], rows.map { .tag("tr", [:], $0) })))
    }

    /// Returns the cell that names a row. A tooltip shows a name that is too long for the cell.
    static func name(_ name: String, swatch: HTMLNode = .group([]), link: String? = nil) -> HTMLNode {
        .tag("th", ["scope": "row"], label(name, swatch, link))
    }

    /// Returns the cell that names this many rows; only the first of them has it.
    static func name(_ name: String, ofRows count: Int) -> HTMLNode {
        let span = count > 1 ? String(count) : nil
        return .tag("th", ["scope": count > 1 ? "rowgroup" : "row", "rowspan": span], label(name, .group([]), nil))
    }

    private static func label(_ name: String, _ swatch: HTMLNode, _ link: String?) -> HTMLNode {
        let text = link.map { HTMLNode.tag("a", ["href": "#\($0)"], .text(name)) } ?? .text(name)
        return .tag("span", ["class": "name", "title": name], swatch, text)
    }

    /// Returns a cell with text.
    static func text(_ text: String) -> HTMLNode {
        .tag("td", [:], .text(text))
    }

    /// Returns a cell with a figure; if it is missing, a dash whose tooltip gives the reason.
    static func figure(
        _ text: String?, _ data: HTMLAttributes = [:], missing reason: String = "not measured"
    ) -> HTMLNode {
        let missing = HTMLNode.tag("span", ["class": "missing", "title": reason], .text(ReportText.missing))
        return .tag("td", ["class": "n"] + data, text.map { HTMLNode.text($0) } ?? missing)
    }

    /// Returns a cell with the figure of a driver in a phase, over the repetitions: a sum or a median.
    static func overall(_ phase: PhaseFigures, _ driver: String, _ metric: FigureColumn) -> HTMLNode {
        let value = phase[driver]?.overall(metric)
        let statistic = metric.isSummed ? "sum" : "median"
        return figure(
            value.map(metric.text), ReportText.data(phase, driver, metric, statistic, phase[driver]?.median(metric)))
    }

    /// Returns a cell with the ratio of a driver's median to the baseline's.
    static func ratio(_ phase: PhaseFigures, _ driver: String, _ metric: FigureColumn) -> HTMLNode {
        if driver == phase.baselineName { return .tag("td", ["class": "n quiet"], "baseline") }
        let ratio = phase.ratio(metric, driver)
        return figure(phase.ratioText(metric, driver), ReportText.data(phase, driver, metric, "ratio", ratio))
    }
}
