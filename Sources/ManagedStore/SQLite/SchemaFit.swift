/// Where a file stores the parts of a model, which parts can be added, and which differences prevent opening.
struct SchemaFit {
    var tables: [EntityTable]
    let joins: [JoinTable]
    /// The differences that no migration removes.
    var differences: [String]
    private(set) var additions: [SchemaAddition] = []
    let file: FileSchema
    let model: ManagedObjectModel
    /// The location of the file, if the connection reads a copy of it.
    let path: String?
    /// The location of the values outside of a file that Core Data wrote.
    var externalData: ExternalData?

    var schema: SQLSchema { SQLSchema(tables: tables, joins: joins, dialect: SQLiteDialect()) }

    /// - Parameter known: What the file held a moment ago.
    /// - Throws: `StoreError` with `incompatibleStore` if the file is not a store.
    init(
        _ connection: Connection, _ sources: [ObjectIDSource], _ model: ManagedObjectModel, path: String? = nil,
        known: FileSchema? = nil
    ) throws(StoreError) {
        (self.model, self.path) = (model, path)
        file = try FileSchema.read(connection, model, known: known)
        let numbers = file.numbers(of: model)
        let evidence = try ColumnEvidence(file, model, numbers, connection)
        tables = EntityTable.all(sources, numbers: numbers, existing: file, choices: evidence.choices)
        joins = JoinTable.all(model, tables, existing: file)
        differences = file.renames.ambiguities + evidence.contradictions
        let generated = generatedColumns
        differences += generated
        guard generated.isEmpty else { return }
        let comparison = SchemaComparison(model, schema, with: file)
        additions = comparison.additions
        differences += comparison.differences
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
}
