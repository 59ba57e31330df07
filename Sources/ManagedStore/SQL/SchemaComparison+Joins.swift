/// Compares the tables of many-to-many relationships.
extension SchemaComparison {
    mutating func compare(_ join: JoinTable) {
        guard let columns = existing.columns(of: join.name) else {
            let text = "the \(existing.noun) has no table \(join.name)"
            if let former = formerTable(of: join) {
                differences.append(
                    "\(text), but \(former.name), which the model does not use: if the relationship was renamed, rename the table as "
                        + "well (\(former.renaming)), else keep the old relationship, or drop the table")
                return
            }
            additions.append(SchemaAddition(text, statements.creations(join)))
            return
        }
        let missing = join.columns.filter { columns[existing.kept($0)] == nil }
        for column in missing {
            let ends = [(join.first, join.second), (join.second, join.first)]
            guard let (_, ordered) = ends.first(where: { $0.0.orderColumn == column }) else {
                differences.append("table \(join.name) lacks \(column)")
                continue
            }
            additions.append(
                SchemaAddition(
                    "table \(join.name) lacks \(column)",
                    [
                        statements.addition(of: column, .objectID, to: join.name),
                        "UPDATE \(identifier(join.name)) SET \(identifier(column)) = \(identifier(ordered.column))",
                    ]))
        }
    }

    /// Returns a table with pairs of the same entities that no relationship of the model uses, which may hold those of a
    /// renamed one, and the statements that rename it; nil if there is none.
    private func formerTable(of join: JoinTable) -> (name: String, renaming: String)? {
        let known = Set((joins.map(\.name) + tables.map(\.name)).map(existing.kept))
        for name in existing.tableNames.sorted() where !known.contains(name) {
            let columns = (existing.columns(of: name) ?? [:]).keys
            let keys = columns.filter { JoinTable.isOfKeys($0) }.sorted()
            guard keys.count == 2, let first = keys.first(where: join.first.isNamedAlike),
                let second = keys.first(where: { $0 != first && join.second.isNamedAlike($0) })
            else { continue }
            let renamed = [(first, join.first.column), (second, join.second.column)]
            let ordered = renamed.map { (JoinTable.orderColumn(of: $0), JoinTable.orderColumn(of: $1)) }
                .filter { columns.contains($0.0) }
            let statements =
                ["RENAME TO \(identifier(join.name))"]
                + (renamed + ordered).filter { $0 != $1 }.map { "RENAME COLUMN \(identifier($0)) TO \(identifier($1))" }
            let tables = [name] + statements.dropFirst().map { _ in join.name }
            return (name, zip(tables, statements).map { "ALTER TABLE \(identifier($0)) \($1)" }.joined(separator: "; "))
        }
        return nil
    }
}

extension JoinTable {
    /// Whether a column of a join table holds keys, and not an order.
    fileprivate static func isOfKeys(_ column: String) -> Bool {
        column == reflexive || (column.hasPrefix("Z_") && column.dropFirst(2).first?.isNumber == true)
    }
}

extension JoinTable.End {
    /// Whether a column may hold the keys of this end's objects under another name.
    fileprivate func isNamedAlike(_ other: String) -> Bool {
        let parts = [column, other].map { name in name.dropFirst(2).prefix(while: \.isNumber) }
        return column == other || other == JoinTable.reflexive || column == JoinTable.reflexive || parts[0] == parts[1]
    }
}
