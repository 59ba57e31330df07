import BenchHarness

extension RecordTable {
    /// Returns the statements that delete what belongs to rows which are about to be deleted, the last owned first, and
    /// by which others lead nowhere, and the pairs of many-to-many relationships with any of them.
    ///
    /// - Parameter rows: The keys of those rows as the right side of a comparison, such as `= $1`.
    func cascadingDeletions(of rows: String) -> [String] {
        var statements: [String] = []
        for link in allLinks {
            let columns =
                (link.source == entity.name ? [link.sourceColumn] : [])
                + (link.link.entityName == entity.name ? [link.targetColumn] : [])
            statements += columns.map { "DELETE FROM \(link.name) WHERE \($0) \(rows)" }
        }
        for other in otherTables {
            for (place, toOne) in other.entity.toOnes.enumerated() where toOne.entityName == entity.name {
                let condition = "\(other.toOneColumn(place)) \(rows)"
                guard toOne.cascades else {
                    statements.append(other.losing(place, where: condition))
                    continue
                }
                let rows = "IN (SELECT \(key) FROM \(other.name) WHERE \(condition))"
                statements += other.cascadingDeletions(of: rows) + other.losses(of: rows)
                statements.append("DELETE FROM \(other.name) WHERE \(condition)")
            }
        }
        return statements
    }

    /// Returns the statements by which rows of the table lead nowhere that led to deleted ones. They come after the
    /// deletion, since they change versions.
    ///
    /// - Parameter rows: The keys of those rows as the right side of a comparison.
    func losses(of rows: String) -> [String] {
        entity.toOnes.indices.filter { entity.toOnes[$0].entityName == entity.name }.map {
            losing($0, where: "\(toOneColumn($0)) \(rows)")
        }
    }

    /// Returns the statement by which the rows that meet a condition lead nowhere by the relationship at a place.
    private func losing(_ place: Int, where condition: String) -> String {
        let order = entity.toOnes[place].isOrdered ? [orderColumn(of: entity.toOnes[place])] : []
        let changes = ([toOneColumn(place)] + order).map { "\($0) = NULL" } + [raisedVersion]
        return "UPDATE \(name) SET \(changes.joined(separator: ", ")) WHERE \(condition)"
    }

    /// Returns the statements that delete the rows which meet a condition, and what belongs to them; one of them has
    /// the condition, and takes its parameters.
    ///
    /// The condition may look at rows that a statement deletes, so the keys of all rows to delete are collected first.
    /// No entity has a table called `DELETED`, since the names of those begin with `Z`.
    func deletions(where condition: String) -> [(sql: String, hasCondition: Bool)] {
        let keys = dialect.temporary("DELETED")
        let rows = "IN (SELECT \(key) FROM \(keys))"
        let cascade = cascadingDeletions(of: rows)
        if cascade.isEmpty, losses(of: rows).isEmpty { return [("DELETE FROM \(name) WHERE \(condition)", true)] }
        let creation = "CREATE TABLE IF NOT EXISTS \(keys) (\(key) \(dialect.keyType) PRIMARY KEY)"
        let collection = "INSERT INTO \(keys) SELECT \(key) FROM \(name) WHERE \(condition)"
        let own = "DELETE FROM \(name) WHERE \(key) \(rows)"
        let deletions = cascade + [own] + losses(of: rows) + ["DELETE FROM \(keys)"]
        return [(creation, false), (collection, true)] + deletions.map { ($0, false) }
    }
}
