import BenchHarness

extension RecordTable {
    /// Returns the statements that delete what belongs to rows which are about to be deleted, the last owned first, and
    /// the pairs of many-to-many relationships with any of them.
    ///
    /// - Parameter rows: The keys of those rows as the right side of a comparison, such as `= ?`.
    func cascadingDeletions(of rows: String) -> [String] {
        var statements: [String] = []
        for link in allLinks {
            let columns =
                (link.source == entity.name ? [link.sourceColumn] : [])
                + (link.link.entityName == entity.name ? [link.targetColumn] : [])
            statements += columns.map { "DELETE FROM \(link.name) WHERE \($0) \(rows)" }
        }
        for other in otherTables {
            for (place, toOne) in other.entity.toOnes.enumerated()
            where toOne.entityName == entity.name && toOne.cascades {
                let condition = "\(other.toOneColumn(place)) \(rows)"
                statements += other.cascadingDeletions(of: "IN (SELECT Z_PK FROM \(other.name) WHERE \(condition))")
                statements.append("DELETE FROM \(other.name) WHERE \(condition)")
            }
        }
        return statements
    }

    /// Returns the statements that delete the rows which meet a condition, and what belongs to them.
    ///
    /// The condition may look at rows that a statement deletes, so the keys of all rows to delete are collected first.
    /// No entity has a table called `DELETED`, since the names of those begin with `Z`.
    func deletions(where filter: Filter) -> [(sql: String, bindings: [FieldValue])] {
        let keys = "temp.DELETED"
        let rows = "IN (SELECT Z_PK FROM \(keys))"
        let cascade = cascadingDeletions(of: rows)
        if cascade.isEmpty { return [("DELETE FROM \(name) WHERE \(filter.sql)", filter.bindings)] }
        let collection = "INSERT INTO \(keys) SELECT Z_PK FROM \(name) WHERE \(filter.sql)"
        let deletions = cascade + ["DELETE FROM \(name) WHERE Z_PK \(rows)", "DELETE FROM \(keys)"]
        return [("CREATE TABLE IF NOT EXISTS \(keys) (Z_PK INTEGER PRIMARY KEY)", []), (collection, filter.bindings)]
            + deletions.map { ($0, []) }
    }
}
