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
}
