/// The comparison of a model with the tables of a database: which parts of the model can be added, and which
/// differences prevent opening.
///
/// Tables, columns and entities that only the database has are not differences. They stay untouched, as long as rows
/// can be inserted without them.
struct SchemaComparison {
    let tables: [EntityTable]
    let joins: [JoinTable]
    /// The differences that no migration removes.
    var differences: [String] = []
    var additions: [SchemaAddition] = []
    let existing: any ExistingTables
    let statements: SchemaStatements
    let model: ManagedObjectModel
    let namesakes: [Int: [String: [ColumnNames.Property]]]

    init(_ model: ManagedObjectModel, _ schema: SQLSchema, with existing: any ExistingTables) {
        (self.model, self.existing) = (model, existing)
        (tables, joins) = (schema.tables, schema.joins)
        statements = SchemaStatements(dialect: schema.dialect)
        namesakes = ColumnNames(model).namesakes
        for position in model.hierarchy.numbering { compare(position) }
        for join in joins { compare(join) }
    }

    func identifier(_ name: String) -> String { statements.dialect.identifier(name) }
}

// MARK: - Entities

extension SchemaComparison {
    private mutating func compare(_ position: Int) {
        let table = tables[position]
        let entity = table.source.entity
        guard let known = existing.entity(named: entity.name) else { return compareNew(table) }
        if known.number <= 0 {
            differences.append(
                "entity \(entity.name) has the number \(known.number) in Z_PRIMARYKEY, but numbers start at 1; "
                    + "correct Z_ENT"
            )
        }
        let above = (model: entity.superentity?.name, stored: existing.superentity(of: known)?.name)
        guard above.model == above.stored else {
            differences.append(
                "entity \(entity.name) inherits from \(above.stored ?? "none") in the \(existing.noun), from \(above.model ?? "none") in the model"
            )
            return
        }
        if entity.superentity == nil { compareFrame(table) }
        guard existing.columns(of: table.name) != nil else { return }
        compareAttributes(table)
        compareReferences(table)
    }

    /// Checks the parts that every table has, and columns that prevent insertions.
    private mutating func compareFrame(_ table: EntityTable) {
        guard let columns = existing.columns(of: table.name) else {
            let family = model.hierarchy.families[table.source.entityIndex].map { "'\(tables[$0].source.entity.name)'" }
            differences.append(
                "the \(existing.noun) has the entity \(table.source.entity.name), but no table \(table.name): restore the \(existing.noun) from a copy, or rename "
                    + "the table back (ALTER TABLE ... RENAME TO \(identifier(table.name))); if its objects may be lost, have it made anew by "
                    + "DELETE FROM \(identifier("Z_PRIMARYKEY")) WHERE \(identifier("Z_NAME")) IN (\(family.joined(separator: ", ")))"
            )
            return
        }
        let missing = ["Z_PK", "Z_ENT", "Z_OPT"].filter { columns[$0] == nil }
        if !missing.isEmpty { differences.append("table \(table.name) lacks \(missing.joined(separator: ", "))") }
        if let key = columns["Z_PK"], !key.isPrimaryKey || !existing.isKey(key) {
            differences.append(
                "Z_PK is not the primary key of table \(table.name); restore the \(existing.noun) from a copy")
        }
        let family = model.hierarchy.families[table.source.entityIndex]
        let filled = Set(family.flatMap { tables[$0].writtenColumns }.map(existing.kept))
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
        let isNewTable = existing.entity(named: entity.root.name) == nil
        if isNewTable, existing.columns(of: table.name) != nil {
            if entity.superentity == nil {
                differences.append(
                    "the \(existing.noun) has no entity \(entity.name), but a table \(table.name): rename the table (ALTER TABLE \(identifier(table.name)) "
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
                SQLFragment(
                    sql: "CREATE INDEX IF NOT EXISTS \(identifier("\(table.name)_Z_ENT_INDEX")) "
                        + "ON \(identifier(table.name)) (\(identifier("Z_ENT")))"))
        }
        additions.append(SchemaAddition("the \(existing.noun) has no entity \(entity.name)", fragments))
        guard !isNewTable else { return }
        compareAttributes(table)
        compareReferences(table)
    }
}
