/// The statements that read and write relationships.
struct RelationshipStatements {
    let schema: SQLSchema

    var tables: [EntityTable] { schema.tables }
    var dialect: any SQLDialect { schema.dialect }

    /// Returns a query for whole rows, and one for the numbers that order them. The parameter is the owner's key.
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

    /// Returns a column of the rows that a relationship leads to.
    func row(_ column: String) -> String { "t.\(dialect.identifier(column))" }

    /// Returns a column of the join table.
    func pair(_ column: String) -> String { "j.\(dialect.identifier(column))" }

    /// Returns a condition that leaves out rows of entities that are not in the model or not the relationship's
    /// destination. The planner must not use an index on the entity for it.
    func knownEntities(_ destination: Int) -> String {
        let source = tables[destination].source
        guard tables[destination].hasStrangers || source.rootIndex != destination else { return "" }
        let numbers = source.model.hierarchy.families[destination].map { String(tables[$0].entityNumber) }
        return "AND \(dialect.withoutIndex(row("Z_ENT"))) IN (\(numbers.joined(separator: ", "))) "
    }

    /// Returns the statement that adds a pair of a many-to-many relationship, and the one that removes it. The
    /// parameters are the keys of its ends.
    func changes(ofPairs join: Int) -> (addition: String, removal: String) {
        let pairs = pairColumns(join)
        return (
            dialect.insertIfAbsent(into: pairs.table, [pairs.first, pairs.second], "VALUES (?, ?)"),
            "DELETE FROM \(pairs.table) WHERE \(pairs.first) = ? AND \(pairs.second) = ?"
        )
    }

    /// Returns the names of the table with the pairs of a many-to-many relationship, and of its columns with the keys
    /// of both ends, as a statement writes them.
    func pairColumns(_ join: Int) -> (table: String, first: String, second: String) {
        let join = schema.joins[join]
        return (
            dialect.identifier(join.name), dialect.identifier(join.first.column),
            dialect.identifier(join.second.column)
        )
    }

    /// The names of a table with the places of an ordered relationship's members, as a statement writes them.
    struct OrderColumns {
        let table: String
        /// The column with the numbers.
        let number: String
        /// The columns with the keys of the members and of their owners.
        let member: String
        let owner: String
    }

    /// Returns the statement that assigns a number to a member of an ordered relationship. The parameters are the
    /// number, the member's key and the owner's key. A member that another context has moved keeps its position in the
    /// other list. Nil if the relationship is unordered.
    func numbering(_ relationship: ResolvedRelationship) -> String? {
        orderColumns(relationship).map { columns in
            "UPDATE \(columns.table) SET \(columns.number) = ? WHERE \(columns.member) = ? AND \(columns.owner) = ?"
        }
    }

    /// Returns where the places of an ordered relationship's members are; nil if it is unordered.
    func orderColumns(_ relationship: ResolvedRelationship) -> OrderColumns? {
        switch relationship.kind {
        case .toOne: return nil
        case .toMany(let field):
            let table = tables[relationship.destination]
            guard let column = table.references[field]?.orderColumn else { return nil }
            return columns(table.name, column, member: "Z_PK", owner: table.columns[field])
        case .manyToMany(let join, let isFirst):
            let (own, other) = schema.joins[join].ends(isFirst: isFirst)
            guard let column = own.orderColumn else { return nil }
            return columns(schema.joins[join].name, column, member: other.column, owner: own.column)
        }
    }

    private func columns(_ table: String, _ number: String, member: String, owner: String) -> OrderColumns {
        OrderColumns(
            table: dialect.identifier(table), number: dialect.identifier(number), member: dialect.identifier(member),
            owner: dialect.identifier(owner))
    }

    /// Returns the names of the tables with pairs that objects of an entity are in, and of the columns with their keys,
    /// as a statement writes them.
    func pairs(with entity: Int) -> [(table: String, column: String)] {
        let families = tables[entity].source.model.hierarchy.families
        return schema.joins.flatMap { join in
            [join.first, join.second].filter { families[$0.entity].contains(entity) }.map { end in
                (dialect.identifier(join.name), dialect.identifier(end.column))
            }
        }
    }
}
