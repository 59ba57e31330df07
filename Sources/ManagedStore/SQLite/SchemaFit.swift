/// A part of a model that a file lacks, and the statements that add it.
struct SchemaAddition {
    /// The description of the missing part, for an error.
    let text: String
    let statements: [SQLFragment]

    init(_ text: String, _ statements: [SQLFragment]) {
        (self.text, self.statements) = (text, statements)
    }

    init(_ text: String, _ statements: [String]) {
        self.init(text, statements.map { SQLFragment(sql: $0) })
    }
}

/// The comparison of a model with the tables of a file: where the file stores the model's parts, which parts can be
/// added, and which differences prevent opening.
///
/// Tables, columns and entities that only the file has are not differences. They stay untouched, as long as rows can be
/// inserted without them.
struct SchemaFit {
    var tables: [EntityTable]
    let joins: [JoinTable]
    /// The differences that no migration removes.
    var differences: [String]
    var additions: [SchemaAddition] = []
    let file: FileSchema
    let model: ManagedObjectModel
    let namesakes: [Int: [String: [ColumnNames.Property]]]
    /// The location of the file, if the connection reads a copy of it.
    let path: String?
    /// The location of the values outside of a file that Core Data wrote.
    var externalData: ExternalData?

    var schema: SQLSchema { SQLSchema(tables: tables, joins: joins, dialect: SQLiteDialect()) }
    var statements: SchemaStatements { SchemaStatements(dialect: SQLiteDialect()) }

    /// - Throws: `StoreError` with `incompatibleStore` if the file is not a store.
    init(
        _ connection: Connection, _ sources: [ObjectIDSource], _ model: ManagedObjectModel, path: String? = nil
    ) throws(StoreError) {
        (self.model, self.path) = (model, path)
        file = try FileSchema(connection, model)
        let numbers = file.numbers(of: model)
        let evidence = try ColumnEvidence(file, model, numbers, connection)
        tables = EntityTable.all(sources, numbers: numbers, existing: file, choices: evidence.choices)
        joins = JoinTable.all(model, tables, existing: file)
        differences = file.renames.ambiguities + evidence.contradictions
        namesakes = ColumnNames(model).namesakes
        let generated = generatedColumns
        differences += generated
        guard generated.isEmpty else { return }
        for position in model.hierarchy.numbering { compare(position) }
        for join in joins { compare(join) }
        differences += additions.flatMap(\.statements).compactMap { file.obstacle(to: $0.sql) }
        guard differences.isEmpty else { return }
        try adopt(connection)
        if additions.isEmpty { try noteWhatCoreDataKeeps(connection) }
    }

    /// - Throws: `StoreError` with `incompatibleStore`, which states the differences and the remedy, unless the file
    ///   fits or a migration makes it fit.
    func check(_ path: String, migrates: Bool, isReadOnly: Bool = false) throws(StoreError) {
        let isMended = differences.isEmpty && migrates && !file.isCoreDatas
        guard !isMended, !(differences.isEmpty && additions.isEmpty) else { return }
        let found = (differences + additions.map(\.text)).joined(separator: "; ")
        let advice = isReadOnly && differences.isEmpty && !file.isCoreDatas ? Self.readOnlyAdvice : advice
        throw StoreError(
            .incompatibleStore, "\(path) does not fit the model: \(found); \(advice)it was left as it is")
    }

    private static let readOnlyAdvice = "open it once without isReadOnly to add this; "

    private var advice: String {
        guard differences.isEmpty else { return "" }
        return file.isCoreDatas
            ? "files of Apple's Core Data are not migrated: correct the model, or migrate the file with the application that wrote it; "
            : "set migratesAutomatically to add this; "
    }

    /// Records the tables with rows that other programs added without updating `Z_PRIMARYKEY`.
    private mutating func adopt(_ connection: Connection) throws(StoreError) {
        for position in tables.indices
        where !tables[position].isAdopted && file.tables[tables[position].name] != nil {
            let table = tables[position]
            let row = try connection.statement(
                "SELECT 1 FROM Z_PRIMARYKEY WHERE Z_ENT = ? AND (Z_MAX IS NULL "
                    + "OR CAST(Z_MAX AS INTEGER) < (SELECT MAX(Z_PK) FROM \(table.name)))"
            )
            defer { row.reset() }
            row.bind(1, Int64(table.rootNumber))
            tables[position].isAdopted = try row.step()
        }
    }
}

// MARK: - Entities

extension SchemaFit {
    /// The columns that a save must write but cannot.
    private var generatedColumns: [String] {
        let wanted =
            tables.map { table in
                let orders = table.references.values.compactMap(\.orderColumn)
                return (table.name, ["Z_PK", "Z_ENT", "Z_OPT"] + table.writtenColumns + orders)
            } + joins.map { ($0.name, $0.columns) }
        let found = wanted.flatMap { table, columns in
            file.generated[table, default: []].intersection(columns).map { "\(table).\($0)" }
        }
        return Set(found).sorted().map { "\($0) is a generated column, which cannot be written: drop it, or rename it" }
    }

    private mutating func compare(_ position: Int) {
        let table = tables[position]
        let entity = table.source.entity
        guard let known = file.entity(named: entity.name) else { return compareNew(table) }
        if known.number <= 0 {
            differences.append(
                "entity \(entity.name) has the number \(known.number) in Z_PRIMARYKEY, but numbers start at 1; "
                    + "correct Z_ENT"
            )
        }
        let above = (model: entity.superentity?.name, file: file.superentity(of: known)?.name)
        guard above.model == above.file else {
            differences.append(
                "entity \(entity.name) inherits from \(above.file ?? "none") in the file, from \(above.model ?? "none") in the model"
            )
            return
        }
        if entity.superentity == nil { compareFrame(table) }
        guard file.tables[table.name] != nil else { return }
        compareAttributes(table)
        compareReferences(table)
    }

    /// Checks the parts that every table has, and columns that prevent insertions.
    private mutating func compareFrame(_ table: EntityTable) {
        guard let columns = file.tables[table.name] else {
            let family = model.hierarchy.families[table.source.entityIndex].map { "'\(tables[$0].source.entity.name)'" }
            differences.append(
                "the file has the entity \(table.source.entity.name), but no table \(table.name): restore the file from a copy, or rename "
                    + "the table back (ALTER TABLE ... RENAME TO \(table.name)); if its objects may be lost, have it made anew by "
                    + "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME IN (\(family.joined(separator: ", ")))")
            return
        }
        let missing = ["Z_PK", "Z_ENT", "Z_OPT"].filter { columns[$0] == nil }
        if !missing.isEmpty { differences.append("table \(table.name) lacks \(missing.joined(separator: ", "))") }
        if let key = columns["Z_PK"], !key.isPrimaryKey || key.type != "INTEGER" {
            differences.append("Z_PK is not the primary key of table \(table.name); restore the file from a copy")
        }
        let filled = Set(model.hierarchy.families[table.source.entityIndex].flatMap { tables[$0].writtenColumns })
        let required = columns.filter { $1.isRequired && !filled.contains($0) && !["Z_ENT", "Z_OPT"].contains($0) }
        for column in required.keys.sorted() {
            differences.append(
                "table \(table.name) has \(column), which must not be NULL, but the model has no property for it; "
                    + "add one, or drop the column"
            )
        }
    }

    private mutating func compareNew(_ table: EntityTable) {
        let entity = table.source.entity
        let isNewTable = file.entity(named: entity.root.name) == nil
        if isNewTable, file.tables[table.name] != nil {
            if entity.superentity == nil {
                differences.append(
                    "the file has no entity \(entity.name), but a table \(table.name): rename the table (ALTER TABLE \(table.name) "
                        + "RENAME TO ...) or drop it, if it is not needed, or give the entity another name")
            }
            return
        }
        var fragments = [statements.entry(of: table, among: tables)]
        if isNewTable, entity.superentity == nil {
            let family = model.hierarchy.families[table.source.entityIndex].map { tables[$0] }
            fragments += statements.creations(family).map { SQLFragment(sql: $0) }
        } else if !isNewTable {
            fragments.append(
                SQLFragment(sql: "CREATE INDEX IF NOT EXISTS \(table.name)_Z_ENT_INDEX ON \(table.name) (Z_ENT)"))
        }
        additions.append(SchemaAddition("the file has no entity \(entity.name)", fragments))
        guard !isNewTable else { return }
        compareAttributes(table)
        compareReferences(table)
    }

    private mutating func compare(_ join: JoinTable) {
        guard let columns = file.tables[join.name] else {
            additions.append(SchemaAddition("the file has no table \(join.name)", statements.creations(join)))
            return
        }
        let missing = join.columns.filter { columns[$0] == nil }
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
                        "UPDATE \(join.name) SET \(column) = \(ordered.column)",
                    ]))
        }
    }
}
