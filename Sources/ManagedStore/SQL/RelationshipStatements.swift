/// The statements that read and write what relationships lead to.
struct RelationshipStatements {
    let schema: SQLSchema

    private var tables: [EntityTable] { schema.tables }
    private var dialect: any SQLDialect { schema.dialect }

    /// A query for whole rows, and one for the numbers by which they are ordered. The parameter is the owner's key.
    func rows(
        _ relationship: ResolvedRelationship, _ selection: RowSelection
    ) -> (rows: String, order: String?) {
        let table = dialect.identifier(selection.tableName)
        let condition: String
        let order: String?
        switch relationship.kind {
        case .toOne: (condition, order) = ("FROM \(table) t WHERE \(row("Z_PK")) = ?", nil)
        case .toMany(let field):
            let destination = tables[relationship.destination]
            condition = "FROM \(table) t WHERE \(row(destination.columns[field])) = ?"
            order = destination.references[field]?.orderColumn.map(row)
        case .manyToMany(let join, let isFirst):
            let (own, other) = schema.joins[join].ends(isFirst: isFirst)
            condition =
                "FROM \(dialect.identifier(schema.joins[join].name)) j JOIN \(table) t ON \(row("Z_PK")) = "
                + "\(pair(other.column)) WHERE \(pair(own.column)) = ?"
            order = own.orderColumn.map(pair)
        }
        let keys = (order.map { dialect.sortKey($0, ascending: true) + ", " } ?? "") + row("Z_PK")
        let sorted = "\(knownEntities(relationship.destination))ORDER BY \(keys)"
        return (
            "SELECT \(selection.aliasedList) \(condition) \(sorted)",
            relationship.isOrdered ? order.map { "SELECT \($0) \(condition) \(sorted)" } : nil
        )
    }

    /// A column of the rows that a relationship leads to.
    private func row(_ column: String) -> String { "t.\(dialect.identifier(column))" }

    /// A column of the join table.
    private func pair(_ column: String) -> String { "j.\(dialect.identifier(column))" }

    /// Leaves out rows of entities that the model does not have, or that the relationship does not lead to. They are
    /// not to be looked for by the entity.
    private func knownEntities(_ destination: Int) -> String {
        let source = tables[destination].source
        guard tables[destination].hasStrangers || source.rootIndex != destination else { return "" }
        let numbers = source.model.hierarchy.families[destination].map { String(tables[$0].entityNumber) }
        return "AND \(dialect.withoutIndex(row("Z_ENT"))) IN (\(numbers.joined(separator: ", "))) "
    }

    /// Adds a pair to a many-to-many relationship, or takes it out. The parameters are the keys of its ends.
    func change(_ link: LinkChange) -> String {
        let join = schema.joins[link.join]
        let table = dialect.identifier(join.name)
        let (first, second) = (dialect.identifier(join.first.column), dialect.identifier(join.second.column))
        return link.isAdded
            ? dialect.insertIfAbsent(into: table, [first, second])
            : "DELETE FROM \(table) WHERE \(first) = ? AND \(second) = ?"
    }

    /// Gives a member of an ordered relationship its number: the parameters are the number, the member's key and the
    /// owner's. A member that another context has moved keeps its place in the other list. Nil where no order is kept.
    func change(_ order: OrderChange) -> String? {
        switch order.relationship.kind {
        case .toOne: return nil
        case .toMany(let field):
            let table = tables[order.relationship.destination]
            guard let column = table.references[field]?.orderColumn else { return nil }
            return numbering(table.name, column, member: "Z_PK", owner: table.columns[field])
        case .manyToMany(let join, let isFirst):
            let (own, other) = schema.joins[join].ends(isFirst: isFirst)
            guard let column = own.orderColumn else { return nil }
            return numbering(schema.joins[join].name, column, member: other.column, owner: own.column)
        }
    }

    private func numbering(_ table: String, _ column: String, member: String, owner: String) -> String {
        "UPDATE \(dialect.identifier(table)) SET \(dialect.identifier(column)) = ? "
            + "WHERE \(dialect.identifier(member)) = ? AND \(dialect.identifier(owner)) = ?"
    }

    /// Takes objects of an entity out of all pairs. The parameters are the first and the last key of a range.
    func unlinking(_ entity: Int) -> [String] {
        let families = tables[entity].source.model.hierarchy.families
        return schema.joins.flatMap { join in
            [join.first, join.second].filter { families[$0.entity].contains(entity) }.map { end in
                "DELETE FROM \(dialect.identifier(join.name)) WHERE \(dialect.identifier(end.column)) BETWEEN ? AND ?"
            }
        }
    }
}
