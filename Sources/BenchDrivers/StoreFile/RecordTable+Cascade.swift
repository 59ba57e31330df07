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
                switch toOne.rule {
                case .nullify: statements.append(other.losing(place, where: condition))
                case .cascade:
                    let rows = "IN (\(other.closure(of: condition)))"
                    statements += other.cascadingDeletions(of: rows) + other.losses(of: rows)
                    let all = other.cascadingColumns.isEmpty ? condition : "\(other.key) \(rows)"
                    statements.append("DELETE FROM \(other.name) WHERE \(all)")
                case .deny: break
                }
            }
        }
        return statements
    }

    /// The columns by which rows lead to others of the table that are deleted only with them.
    var cascadingColumns: [String] { ownToOnes(by: .cascade).map(toOneColumn) }

    /// The places of the relationships to other rows of the table that have a rule.
    private func ownToOnes(by rule: ReferenceSpec.DeleteRule) -> [Int] {
        entity.toOnes.indices.filter { entity.toOnes[$0].entityName == entity.name && entity.toOnes[$0].rule == rule }
    }

    /// Returns the query of the keys of the rows that meet a condition, and of those of the table that are deleted with
    /// them.
    func closure(of condition: String) -> String {
        let first = "SELECT \(key) FROM \(name) WHERE \(condition)"
        if cascadingColumns.isEmpty { return first }
        // A query within another one has the rows of another table.
        let gone = "gone\(number)"
        let leads = cascadingColumns.map { "\(name).\($0) = \(gone).z" }.joined(separator: " OR ")
        return "WITH RECURSIVE \(gone) (z) AS (\(first) UNION SELECT \(name).\(key) FROM \(name) "
            + "JOIN \(gone) ON \(leads)) SELECT z FROM \(gone)"
    }

    /// Returns the queries of the keys of rows that deny the deletion of some, or of what is deleted with them, unless
    /// they are deleted as well; each with the table of these rows.
    ///
    /// - Parameter rows: The keys of the rows to delete as the right side of a comparison.
    func denials(of rows: String) -> [(table: RecordTable, query: String)] {
        all.flatMap { other in
            other.entity.toOnes.enumerated().flatMap { place, toOne -> [(table: RecordTable, query: String)] in
                if toOne.entityName != entity.name { return [] }
                let condition = "\(other.toOneColumn(place)) \(rows)"
                return switch toOne.rule {
                case .nullify: []
                case .cascade: other.name == name ? [] : other.denials(of: "IN (\(other.closure(of: condition)))")
                case .deny: [(other, "SELECT \(other.key) FROM \(other.name) WHERE \(condition)")]
                }
            }
        }
    }

    /// Returns the statements by which rows of the table lead nowhere that led to deleted ones. They come after the
    /// deletion, since they change versions.
    ///
    /// - Parameter rows: The keys of those rows as the right side of a comparison.
    func losses(of rows: String) -> [String] {
        ownToOnes(by: .nullify).map { losing($0, where: "\(toOneColumn($0)) \(rows)") }
    }

    /// Returns the statement by which the rows that meet a condition lead nowhere by the relationship at a place.
    private func losing(_ place: Int, where condition: String) -> String {
        let order = entity.toOnes[place].isOrdered ? [orderColumn(of: entity.toOnes[place])] : []
        let changes = ([toOneColumn(place)] + order).map { "\($0) = NULL" } + [raisedVersion]
        return "UPDATE \(name) SET \(changes.joined(separator: ", ")) WHERE \(condition)"
    }

    /// The keys of the rows that a deletion collects, as the right side of a comparison.
    ///
    /// No entity has a table called `DELETED`, since the names of those begin with `Z`.
    var collected: String { "IN (SELECT \(key) FROM \(dialect.temporary("DELETED")))" }

    /// Returns the statements that delete the rows which meet a condition, and what belongs to them. One of the first
    /// has the condition, and takes its parameters.
    ///
    /// The condition may look at rows that a statement deletes, so the keys of all rows to delete are collected first.
    func deletions(where condition: String) -> (first: [(sql: String, hasCondition: Bool)], rest: [String]) {
        let cascade = cascadingDeletions(of: collected)
        if cascade.isEmpty, losses(of: collected).isEmpty, cascadingColumns.isEmpty, denials(of: collected).isEmpty {
            return ([("DELETE FROM \(name) WHERE \(condition)", true)], [])
        }
        let keys = dialect.temporary("DELETED")
        let creation = "CREATE TABLE IF NOT EXISTS \(keys) (\(key) \(dialect.keyType) PRIMARY KEY)"
        let collection = "INSERT INTO \(keys) \(closure(of: condition))"
        let own = "DELETE FROM \(name) WHERE \(key) \(collected)"
        return (
            [(creation, false), (collection, true)],
            cascade + [own] + losses(of: collected) + ["DELETE FROM \(keys)"]
        )
    }
}
