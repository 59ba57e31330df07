/// The statements that create the tables of a model's entities.
struct SchemaStatements {
    let dialect: any SQLDialect

    /// Returns the tables of a new store, with entities numbered from 1 as in Core Data.
    static func tables(numberedAnew sources: [ObjectIDSource]) -> [EntityTable] {
        var numbers = [Int](repeating: 0, count: sources.count)
        for (index, position) in (sources.first?.model.hierarchy.numbering ?? []).enumerated() {
            numbers[position] = index + 1
        }
        return EntityTable.all(sources, numbers: numbers)
    }

    /// Returns `CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, ... )` and the indexes. Columns are grouped by type and
    /// alphabetical within a group, in Core Data's order.
    func creations(_ tables: [EntityTable]) -> [String] {
        Dictionary(grouping: tables, by: \.name).sorted { $0.key < $1.key }.flatMap { name, tables in
            let attributes = tables.flatMap(\.ownDeclarations).sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
                .map { declaration($0.name, $0.type) }
            let known = ["\(dialect.identifier("Z_PK")) \(dialect.primaryKey)", number("Z_ENT"), number("Z_OPT")]
            let columns = (known + attributes).joined(separator: ", ")
            let table = "CREATE TABLE \(dialect.identifier(name)) ( \(columns) )"
            let shared = tables[0].isShared ? [index("\(name)_Z_ENT_INDEX", on: name, ["Z_ENT"])] : []
            return [table] + shared
                + tables.flatMap { table in table.ownReferences.map { index(on: $0.field, of: table) } }
        }
    }

    private func declaration(_ column: String, _ type: AttributeType) -> String {
        "\(dialect.identifier(column)) \(dialect.columnType(type.column))"
    }

    /// Declares a column with numbers of the store itself, such as keys.
    private func number(_ column: String) -> String { declaration(column, .objectID) }

    /// Returns the index on the reference in a field of a table.
    func index(on field: Int, of table: EntityTable) -> String {
        let indexed = [table.columns[field], table.references[field]?.entityColumn].compactMap { $0 }
        return index("\(table.name)_\(table.columns[field])_INDEX", on: table.name, indexed)
    }

    private func index(_ name: String, on table: String, _ columns: [String]) -> String {
        "CREATE INDEX \(dialect.identifier(name)) ON \(dialect.identifier(table)) (\(list(columns)))"
    }

    private func list(_ columns: [String]) -> String { columns.map(dialect.identifier).joined(separator: ", ") }

    /// Returns `CREATE TABLE Z_1TAGS ( Z_1ITEMS INTEGER, Z_2TAGS INTEGER, PRIMARY KEY (Z_1ITEMS, Z_2TAGS) )`, and the
    /// index for the opposite direction.
    func creations(_ join: JoinTable) -> [String] {
        let declared = join.columns.map(number).joined(separator: ", ")
        let (first, second) = (join.first.column, join.second.column)
        return [
            "CREATE TABLE \(dialect.identifier(join.name)) ( \(declared), PRIMARY KEY (\(list([first, second]))) )",
            index("\(join.name)_\(second)_INDEX", on: join.name, [second, first]),
        ]
    }

    /// Returns a condition for the rows of an entity and of those that inherit from it; nil if the table has no others.
    func family(of table: EntityTable, among tables: [EntityTable]) -> String? {
        guard table.isShared else { return nil }
        let families = table.source.model.hierarchy.families
        let numbers = families[table.source.entityIndex].map { String(tables[$0].entityNumber) }
        return "\(dialect.identifier("Z_ENT")) IN (\(numbers.joined(separator: ", ")))"
    }

    /// Returns `ALTER TABLE ... ADD COLUMN ...`.
    func addition(of column: String, _ type: AttributeType, to table: String) -> String {
        "ALTER TABLE \(dialect.identifier(table)) ADD COLUMN \(declaration(column, type))"
    }

    /// Returns the statement that enters an entity in `Z_PRIMARYKEY`. Names consist of letters, digits and underscores,
    /// and need no escaping.
    func entry(of table: EntityTable, among tables: [EntityTable]) -> SQLFragment {
        let superentity = tables.first { $0.source.entity === table.source.entity.superentity }
        return SQLFragment(
            sql: "INSERT INTO \(dialect.identifier("Z_PRIMARYKEY")) (\(list(["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]))) "
                + "VALUES (\(table.entityNumber), '\(table.source.entity.name)', \(superentity?.entityNumber ?? 0), 0)")
    }
}
