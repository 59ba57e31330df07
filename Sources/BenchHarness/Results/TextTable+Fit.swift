extension TextTable {
    /// The columns of a table that fit into a width, and the width of each.
    ///
    /// Remarks move below their rows first. Then names are shortened as far as they stay distinct, and columns go in
    /// the order that they state, until the rest fits.
    struct Fit {
        /// The columns to show, in order.
        private(set) var shown: [(column: Int, width: Int)] = []
        private let columns: [Column]
        private let cells: [[String]]
        /// The widths that the columns take by themselves.
        private let widths: [Int]
        private let limit: Int?

        private static let gap = 2
        /// The fewest characters of a remark beside its row.
        private static let remark = 18
        /// The fewest characters of a name: while there are columns to drop, without, and where that is too wide, too.
        private static let names = (ample: 14, short: 12, least: 4)

        init(_ columns: [Column], _ cells: [[String]], _ limit: Int?) {
            (self.columns, self.cells, self.limit) = (columns, cells, limit)
            widths = columns.indices.map { column in
                max(columns[column].title.count, cells.map { $0[column].count }.max() ?? 0)
            }
            shown = fitting()
        }

        /// The width of the table.
        var width: Int { Self.width(shown) }

        private static func width(_ columns: [(column: Int, width: Int)]) -> Int {
            columns.map(\.width).reduce(0, +) + gap * max(columns.count - 1, 0)
        }

        private func fitting() -> [(column: Int, width: Int)] {
            var kept = columns.indices.map { (column: $0, width: widths[$0]) }
            guard let limit else { return kept }
            var order = columns.indices.filter { columns[$0].dropped != nil }
                .sorted { (columns[$0].dropped ?? 0, $0) < (columns[$1].dropped ?? 0, $1) }[...]
            while true {
                let narrowed = narrowed(kept, to: limit, names: Self.names.ample)
                if isReadable(narrowed, limit) { return narrowed }
                guard let next = order.popFirst() else { break }
                kept.removeAll { $0.column == next }
            }
            let short = narrowed(kept, to: limit, names: Self.names.short)
            return isReadable(short, limit) ? short : narrowed(kept, to: limit, names: Self.names.least)
        }

        private func isReadable(_ columns: [(column: Int, width: Int)], _ limit: Int) -> Bool {
            Self.width(columns) <= limit && columns.allSatisfy(isDistinct)
        }

        /// Returns columns that come close to a total width, whose names have `least` characters or more.
        private func narrowed(
            _ columns: [(column: Int, width: Int)], to limit: Int, names least: Int
        ) -> [(column: Int, width: Int)] {
            var narrowed = columns
            var excess = Self.width(columns) - limit
            /// Takes from the widest of the columns, which are none below its least width.
            func take(_ narrowing: Column.Narrowing, _ least: Int) {
                while excess > 0 {
                    let places = narrowed.indices.filter { place in
                        let column = self.columns[narrowed[place].column]
                        return column.narrowing == narrowing && narrowed[place].width > max(least, column.title.count)
                    }
                    guard let widest = places.max(by: { narrowed[$0].width < narrowed[$1].width }) else { return }
                    narrowed[widest].width -= 1
                    excess -= 1
                }
            }
            take(.movesBelow, Self.remark)
            let given = Self.width(narrowed)
            narrowed.removeAll(where: isBelow)
            excess -= given - Self.width(narrowed)
            take(.shortens, least)
            return narrowed
        }

        /// Whether all remarks of a column have moved below their rows.
        private func isBelow(_ column: Int, _ width: Int) -> Bool {
            columns[column].narrowing == .movesBelow && width < widths[column]
                && cells.allSatisfy { $0[column].isEmpty || $0[column].count > width }
        }

        /// Whether the names of a column differ at a width as they do in full.
        private func isDistinct(_ column: Int, _ width: Int) -> Bool {
            guard columns[column].narrowing == .shortens, width < widths[column] else { return true }
            let names = Set(cells.map { $0[column] })
            return Set(names.map { $0.shortened(to: width) }).count == names.count
        }
    }
}

// MARK: - What does not fit

extension TextTable.Fit {
    /// Returns the lines below a row with the remarks that are too wide for their columns.
    func movedBelow(_ cells: [String]) -> [String] {
        columns.indices.compactMap { column in
            let width = shown.first { $0.column == column }?.width ?? 0
            guard columns[column].narrowing == .movesBelow, cells[column].count > width else { return nil }
            let title = columns[column].title
            return "    " + (title.isEmpty ? "" : "\(title): ") + cells[column]
        }
    }

    /// Says which columns are left out, and how to see them; nil if none is.
    var leftOut: String? {
        let missing = columns.indices.filter { column in
            columns[column].dropped != nil && !shown.contains { $0.column == column }
        }
        guard let limit, !missing.isEmpty else { return nil }
        let titles = missing.map { columns[$0].title }.joined(separator: ", ")
        let all = columns.indices.map { column in
            columns[column].narrowing == .movesBelow ? min(widths[column], Self.remark) : widths[column]
        }
        let needed = all.reduce(0, +) + Self.gap * (all.count - 1)
        return "no room in \(limit) columns for \(titles); COLUMNS=\(needed) shows all"
    }
}

extension TextTable.Column {
    /// Returns a cell as it stands in the column; a remark that moves below its row is empty.
    func narrowed(_ cell: String, to width: Int) -> String {
        switch narrowing {
        case _ where cell.count <= width: cell
        case .none: cell
        case .shortens: cell.shortened(to: width)
        case .movesBelow: ""
        }
    }
}
