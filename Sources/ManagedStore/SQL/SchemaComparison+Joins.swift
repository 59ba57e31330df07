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

    /// Returns a table with pairs of the same entities that no relationship of the model uses, which may hold those of
    /// a renamed one, and how to rename it; nil if there is none.
    private func formerTable(of join: JoinTable) -> (name: String, renaming: String)? {
        let known = Set((joins.map(\.name) + tables.map(\.name)).map(existing.kept))
        let numbers = JoinTable.entityNumbers(join.first.column, join.second.column)
        for name in existing.tableNames.sorted() where !known.contains(name) {
            let keys = (existing.columns(of: name) ?? [:]).keys.filter(JoinTable.isOfKeys).sorted()
            guard keys.count == 2, let others = JoinTable.entityNumbers(keys[0], keys[1]),
                let numbers, others.sorted() == numbers.sorted()
            else { continue }
            if numbers[0] == numbers[1] {
                // Only the program knows which of the two columns leads where.
                let columns = "\(join.first.column) and \(join.second.column)"
                return (name, "to \(join.name), and its columns to \(columns), each of which keeps its direction")
            }
            return (name, statements(renaming: name, others == numbers ? keys : keys.reversed(), to: join))
        }
        return nil
    }

    private func statements(renaming table: String, _ keys: [String], to join: JoinTable) -> String {
        let renamed = Array(zip(keys, [join.first.column, join.second.column]))
        let ordered = renamed.map { (JoinTable.orderColumn(of: $0), JoinTable.orderColumn(of: $1)) }
            .filter { existing.has($0.0, in: table) }
        let columns = (renamed + ordered).filter { $0 != $1 }
            .map { "RENAME COLUMN \(identifier($0)) TO \(identifier($1))" }
        let changes = columns + ["RENAME TO \(identifier(join.name))"]
        return "BEGIN; " + changes.map { "ALTER TABLE \(identifier(table)) \($0); " }.joined() + "COMMIT"
    }
}

extension JoinTable {
    /// Whether a column of a join table holds keys, and not an order.
    fileprivate static func isOfKeys(_ column: String) -> Bool {
        column == reflexive || entityNumber(in: column) != nil
    }

    /// Returns the numbers of the entities whose keys two columns hold; nil if these are no such columns.
    fileprivate static func entityNumbers(_ first: String, _ second: String) -> [Int]? {
        // A relationship that is its own inverse has keys of one entity.
        guard let one = entityNumber(in: first) ?? entityNumber(in: second) else { return nil }
        return [one, entityNumber(in: second) ?? one]
    }
}
