/// A table for people: aligned for a terminal, or in Markdown for a pull request.
///
/// A terminal that is too narrow gets fewer columns, shorter names, and remarks below their rows, but no row that
/// wraps.
package struct TextTable {
    enum Alignment {
        case left
        case right
    }

    package struct Column {
        /// What a narrow terminal does to the cells.
        enum Narrowing {
            case none
            /// Shortens them in the middle.
            case shortens
            /// Moves those that are too wide below their rows.
            case movesBelow
        }

        var title: String
        var alignment: Alignment
        /// When the column gives way to a narrow terminal: the lowest number first; nil for never.
        var dropped: Int?
        var narrowing = Narrowing.none

        package static func left(_ title: String, dropped: Int? = nil) -> Column {
            Column(title: title, alignment: .left, dropped: dropped)
        }

        package static func right(_ title: String, dropped: Int? = nil) -> Column {
            Column(title: title, alignment: .right, dropped: dropped)
        }

        /// Names, such as those of phases, which can be long.
        package static func name(_ title: String) -> Column {
            Column(title: title, alignment: .left, narrowing: .shortens)
        }

        /// A text of any length beside the figures.
        static func remark(_ title: String) -> Column {
            Column(title: title, alignment: .left, narrowing: .movesBelow)
        }
    }

    /// The colour of a row.
    package enum Style: String {
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

    package struct Row {
        var cells: [String]
        var style = Style.plain
        /// Whether a blank line separates the row from the previous one.
        var startsGroup = false
        /// The line above the row, which may be wider than its columns. In Markdown, a column has what it says.
        var heading: String?
        /// The line below the row, likewise.
        var note: String?

        package init(
            cells: [String], style: Style = .plain, startsGroup: Bool = false, heading: String? = nil,
            note: String? = nil
        ) {
            self.cells = cells
            self.style = style
            self.startsGroup = startsGroup
            self.heading = heading
            self.note = note
        }
    }

    let columns: [Column]
    private(set) var rows: [Row] = []

    package init(_ columns: [Column]) {
        self.columns = columns
    }

    /// Adds a row at the end.
    package mutating func append(_ row: Row) {
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

    /// Returns aligned lines under a header and a rule, with the columns that fit into `width`; nil is room for all.
    package func text(isColoured: Bool, width: Int? = nil) -> String {
        let cells = rows.map { $0.cells.map(\.withoutControls) }
        let fit = Fit(columns, cells, width)
        let rule = String(repeating: "─", count: fit.width)
        var lines = [Style.bold.paint(aligned(columns.map(\.title), fit), isColoured: isColoured)]
        lines.append(Style.dim.paint(rule, isColoured: isColoured))
        for (index, row) in rows.enumerated() {
            if index > 0, row.startsGroup { lines.append("") }
            if let heading = row.heading {
                lines.append(Style.bold.paint(heading.withoutControls.wrapped(to: width), isColoured: isColoured))
            }
            lines.append(row.style.paint(aligned(cells[index], fit), isColoured: isColoured))
            for note in fit.movedBelow(cells[index]) + [row.note?.withoutControls].compactMap(\.self) {
                lines.append(row.style.paint(note.wrapped(to: width), isColoured: isColoured))
            }
        }
        if let leftOut = fit.leftOut {
            lines.append(Style.dim.paint(leftOut.wrapped(to: width), isColoured: isColoured))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The table in GitHub's Markdown.
    var markdown: String {
        let rules = columns.map { $0.alignment == .left ? "---" : "---:" }
        return ([columns.map(\.title), rules] + rows.map { $0.cells.map(Self.escaped) })
            .map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }

    private func aligned(_ cells: [String], _ fit: Fit) -> String {
        let padded = fit.shown.map { column, width in
            let cell = columns[column].narrowed(cells[column], to: width)
            let space = String(repeating: " ", count: max(width - cell.count, 0))
            return columns[column].alignment == .left ? cell + space : space + cell
        }
        var line = padded.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }

    private static func escaped(_ cell: String) -> String {
        String(cell.map { $0.isNewline ? " " : $0 }).escapedForMarkdown
    }
}
