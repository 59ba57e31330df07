/// A table for people: aligned for a terminal, or in Markdown for a pull request.
struct TextTable {
    enum Alignment {
        case left
        case right
    }

    struct Column {
        var title: String
        var alignment: Alignment

        static func left(_ title: String) -> Column { Column(title: title, alignment: .left) }
        static func right(_ title: String) -> Column { Column(title: title, alignment: .right) }
    }

    /// The colour of a row.
    enum Style: String {
        case plain = ""
        case bold = "1"
        case dim = "2"
        case bad = "31"
        case good = "32"
        case doubtful = "33"

        func paint(_ text: String, isColoured: Bool) -> String {
            isColoured && self != .plain ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
        }
    }

    struct Row {
        var cells: [String]
        var style = Style.plain
        /// Whether a blank line separates the row from the previous one.
        var startsGroup = false
        /// The line above the row, which may be wider than its columns. In Markdown, a column has what it says.
        var heading: String?
        /// The line below the row, likewise.
        var note: String?
    }

    let columns: [Column]
    private(set) var rows: [Row] = []

    init(_ columns: [Column]) {
        self.columns = columns
    }

    /// Adds a row at the end.
    mutating func append(_ row: Row) {
        precondition(row.cells.count == columns.count, "a row has a cell for each column")
        rows.append(row)
    }

    /// The table without the columns that no row fills.
    var withoutEmptyColumns: TextTable {
        if rows.isEmpty { return self }
        let kept = columns.indices.filter { column in rows.contains { !$0.cells[column].isEmpty } }
        var table = TextTable(kept.map { columns[$0] })
        table.rows = rows.map { row in
            var row = row
            row.cells = kept.map { row.cells[$0] }
            return row
        }
        return table
    }

    /// Returns aligned lines under a header and a rule.
    func text(isColoured: Bool) -> String {
        let titles = columns.map(\.title)
        let cells = rows.map { $0.cells.map(\.withoutControls) }
        let widths = columns.indices.map { column in ([titles] + cells).map { $0[column].count }.max() ?? 0 }
        let rule = String(repeating: "─", count: widths.reduce(0, +) + 2 * (widths.count - 1))
        var lines = [Style.bold.paint(aligned(titles, widths), isColoured: isColoured)]
        lines.append(Style.dim.paint(rule, isColoured: isColoured))
        for (index, row) in rows.enumerated() {
            if index > 0, row.startsGroup { lines.append("") }
            if let heading = row.heading {
                lines.append(Style.bold.paint(heading.withoutControls, isColoured: isColoured))
            }
            lines.append(row.style.paint(aligned(cells[index], widths), isColoured: isColoured))
            if let note = row.note { lines.append(row.style.paint(note.withoutControls, isColoured: isColoured)) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The table in GitHub's Markdown.
    var markdown: String {
        let rules = columns.map { $0.alignment == .left ? "---" : "---:" }
        return ([columns.map(\.title), rules] + rows.map { $0.cells.map(Self.escaped) })
            .map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }

    private func aligned(_ cells: [String], _ widths: [Int]) -> String {
        let padded = cells.indices.map { column in
            let space = String(repeating: " ", count: max(widths[column] - cells[column].count, 0))
            return columns[column].alignment == .left ? cells[column] + space : space + cells[column]
        }
        var line = padded.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }

    private static func escaped(_ cell: String) -> String {
        cell.map { character in
            switch character {
            case "|": "\\|"
            case "<": "&lt;"
            case "&": "&amp;"
            case _ where character.isNewline: " "
            default: String(character).withoutControls
            }
        }.joined()
    }
}
