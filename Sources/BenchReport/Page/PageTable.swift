import BenchHarness

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
    /// The cells of each row, one for each column. A cell that names several rows is in the first of them only.
    let rows: [[HTMLNode]]
    /// The class of a table whose rows become blocks on a narrow screen, where cells bear the titles of their columns;
    /// nil for a table that scrolls there.
    var stack: String?

    var node: HTMLNode {
        let head = columns.map { column in
            HTMLNode.tag("th", ["scope": "col", "class": column.isFigure ? "n" : nil], .text(column.title))
        }
        return .tag(
            "div", ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": label],
            .tag(
                "table", ["class": stack.map { "stack \($0)" }], .tag("thead", [:], .tag("tr", [:], head)),
                .tag("tbody", [:], rows.map { .tag("tr", [:], titled($0)) })))
    }

    /// Returns the cells of a row, with the titles of their columns if the table is stacked.
    private func titled(_ cells: [HTMLNode]) -> [HTMLNode] {
        guard stack != nil else { return cells }
        return zip(cells, columns.suffix(cells.count)).map { $0.adding(["data-column": $1.title]) }
    }

    /// Returns the cell that names a row, with a note on what the row shows. A tooltip shows a name that is too long
    /// for the cell.
    static func name(
        _ name: String, swatch: HTMLNode = .group([]), link: String? = nil, note: String = ""
    ) -> HTMLNode {
        .tag("th", ["scope": "row"], label(name, swatch, link), note.isEmpty ? .group([]) : .text(": \(note)"))
    }

    /// Returns the cell that names this many rows; only the first of them has it.
    static func name(_ name: String, ofRows count: Int) -> HTMLNode {
        let span = count > 1 ? String(count) : nil
        return .tag("th", ["scope": count > 1 ? "rowgroup" : "row", "rowspan": span], label(name, .group([]), nil))
    }

    private static func label(_ name: String, _ swatch: HTMLNode = .group([]), _ link: String? = nil) -> HTMLNode {
        let text = link.map { HTMLNode.tag("a", ["href": "#\($0)"], parts(of: name)) } ?? .group(parts(of: name))
        return .tag("span", ["class": "name", "title": name], swatch, text)
    }

    /// Returns a long name in two parts, of which the first one gives way: names that begin alike differ at the end.
    private static func parts(of name: String) -> [HTMLNode] {
        let end = 10
        guard name.count > 2 * end else { return [.text(name)] }
        return [
            .tag("span", ["class": "start"], .text(String(name.dropLast(end)))),
            .tag("span", ["class": "end"], .text(String(name.suffix(end)))),
        ]
    }

    /// Returns a cell with a name, such as a driver's beside that of its phase.
    static func otherName(_ name: String) -> HTMLNode {
        .tag("td", [:], label(name))
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
