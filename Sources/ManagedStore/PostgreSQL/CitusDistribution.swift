/// Spreads new tables over the nodes of a Citus cluster.
///
/// Rows lie by their keys, and pairs of a many-to-many relationship by the key of their first end, next to its row.
/// The row of a to-one relationship's owner may lie on another node: an object can be given another owner, and Citus
/// moves no row whose distributing column changes. The tables of an entity with uniqueness constraints stay on the
/// coordinator, since Citus checks uniqueness within a node only.
struct CitusDistribution {
    let connection: PostgreSQLConnection
    let dialect: PostgreSQLDialect

    /// Spreads the tables that are not in `old`, which are those that existed before.
    func spread(_ tables: [EntityTable], _ joins: [JoinTable], besides old: Set<String>) throws(StoreError) {
        guard connection.engine == .citus else { return }
        let local = Set(tables.filter { !$0.source.entity.ownUniqueness.isEmpty }.map(\.name))
        let columns =
            tables.filter { !local.contains($0.name) }.map { ($0.name, "Z_PK") }
            + joins.map { ($0.name, $0.first.column) }
        for (table, column) in Dictionary(columns, uniquingKeysWith: { first, _ in first }).sorted(by: <)
        where !old.contains(PostgreSQLDialect.fitted(table)) {
            let name = SQLFragment(
                sql: "SELECT create_distributed_table(?::regclass, ?)",
                bindings: [
                    .string(dialect.identifier(table)), .string(PostgreSQLDialect.fitted(column)),
                ])
            _ = try connection.query(name, dialect)
        }
    }
}
