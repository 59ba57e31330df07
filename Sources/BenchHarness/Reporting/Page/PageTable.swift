/// A table that scrolls within its own region where it is wider than the screen.
struct PageTable {
    /// A heading, and whether figures stand beneath it.
    struct Column {
        let title: String
        var isFigure = true
    }

    /// What the table is called, for those who reach it by keyboard or hear it read.
    let label: String
    let columns: [Column]
    /// The cells of each row, as many as columns.
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

    /// The cell that names a row. A name that is too long for its place shows when it is pointed at.
    static func name(_ name: String, swatch: HTMLNode = .group([]), link: String? = nil) -> HTMLNode {
        .tag("th", ["scope": "row"], label(name, swatch, link))
    }

    /// The cell that names so many rows, of which only the first has it.
    static func name(_ name: String, ofRows count: Int) -> HTMLNode {
        let span = count > 1 ? String(count) : nil
        return .tag("th", ["scope": count > 1 ? "rowgroup" : "row", "rowspan": span], label(name, .group([]), nil))
    }

    private static func label(_ name: String, _ swatch: HTMLNode, _ link: String?) -> HTMLNode {
        let text = link.map { HTMLNode.tag("a", ["href": "#\($0)"], .text(name)) } ?? .text(name)
        return .tag("span", ["class": "name", "title": name], swatch, text)
    }

    /// A cell with text.
    static func text(_ text: String) -> HTMLNode {
        .tag("td", [:], .text(text))
    }

    /// A cell with a figure; a dash where it is missing, which says why when it is pointed at.
    static func figure(
        _ text: String?, _ data: HTMLAttributes = [:], missing reason: String = "not measured"
    ) -> HTMLNode {
        let missing = HTMLNode.tag("span", ["class": "missing", "title": reason], .text(ReportText.missing))
        return .tag("td", ["class": "n"] + data, text.map { HTMLNode.text($0) } ?? missing)
    }

    /// A cell with the median of a driver in a phase.
    static func median(_ phase: PhaseFigures, _ driver: String, _ metric: FigureColumn) -> HTMLNode {
        let median = phase[driver]?.median(metric)
        return figure(median.map(metric.text), ReportText.data(phase, driver, metric, "median", median))
    }

    /// A cell with the ratio of a driver's median to the baseline's.
    static func ratio(_ phase: PhaseFigures, _ driver: String, _ metric: FigureColumn) -> HTMLNode {
        if driver == SummaryTable.baseline { return .tag("td", ["class": "n quiet"], "baseline") }
        let ratio = phase.ratio(metric, driver)
        return figure(ratio.map(ReportText.ratio), ReportText.data(phase, driver, metric, "ratio", ratio))
    }
}
