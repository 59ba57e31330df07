/// The statements that make the tables of a model's entities.
enum SchemaStatements {
    /// The tables of a new store, the entities numbered from 1 as Core Data numbers them.
    static func tables(numberedAnew sources: [ObjectIDSource]) -> [EntityTable] {
        var numbers = [Int](repeating: 0, count: sources.count)
        for (index, position) in (sources.first?.model.hierarchy.numbering ?? []).enumerated() {
            numbers[position] = index + 1
        }
        return EntityTable.all(sources, numbers: numbers)
    }

    /// `CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, ... )`, the columns grouped by type and alphabetical within, as
    /// Core Data orders them.
    static func creations(_ tables: [EntityTable]) -> [String] {
        Dictionary(grouping: tables, by: \.name).sorted { $0.key < $1.key }.flatMap { name, tables in
            let attributes = tables.flatMap(\.ownDeclarations).sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
                .map { "\($0.name) \($0.type)" }
            let columns = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"] + attributes
            let table = "CREATE TABLE \(name) ( \(columns.joined(separator: ", ")) )"
            let shared = tables[0].isShared ? ["CREATE INDEX \(name)_Z_ENT_INDEX ON \(name) (Z_ENT)"] : []
            return [table] + shared + tables.flatMap(\.ownIndexes)
        }
    }

    /// Enters an entity in `Z_PRIMARYKEY`. Names are of letters, digits and underscores, and need no quoting.
    static func entry(of table: EntityTable, among tables: [EntityTable]) -> SQLFragment {
        let superentity = tables.first { $0.source.entity === table.source.entity.superentity }
        return SQLFragment(
            sql: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES "
                + "(\(table.entityNumber), '\(table.source.entity.name)', \(superentity?.entityNumber ?? 0), 0)")
    }
}
