/// The required attributes with a default value, which a store notes in its metadata.
///
/// The column of an attribute that was optional may hold NULL, and an object whose required attribute is nil cannot be
/// saved. To look for such rows takes a scan of the table, so a store looks only where its note says that an attribute
/// has become required, or where it has no note yet.
struct RequiredDefaults {
    private typealias Wanted = (name: String, value: StoredValue, column: String, table: EntityTable)

    private let wanted: [Wanted]
    /// What the store has noted: names such as `Item.done`; nil if it has no note.
    private let noted: Set<String>?
    /// What the store is to note. Attributes of entities that the model does not have stay as they are.
    let names: Set<String>
    private let tables: [EntityTable]
    private let statements: SchemaStatements

    init(_ schema: SQLSchema, noted: Set<String>?) {
        (tables, self.noted, statements) = (schema.tables, noted, SchemaStatements(dialect: schema.dialect))
        wanted = schema.tables.flatMap { table in
            let own = table.source.entity.ownAttributes
            return zip(own, table.columns[own.startIndex...]).compactMap { attribute, column -> Wanted? in
                guard !attribute.isOptional, let value = attribute.defaultValue?.fitted(to: attribute.attributeType),
                    value != .null
                else { return nil }
                return ("\(table.source.entity.name).\(attribute.name)", value, column, table)
            }
        }
        let entities = Set(schema.tables.map(\.source.entity.name))
        let others = (noted ?? []).filter { !entities.contains(String($0.prefix { $0 != "." })) }
        names = others.union(wanted.map(\.name))
    }

    var areNoted: Bool { noted == names || noted == nil && names.isEmpty }

    /// The statements that give attributes that have become required their default where they have no value. Rows keep
    /// their versions.
    var filling: [SQLFragment] {
        wanted.filter { noted?.contains($0.name) != true }.map { _, value, column, table in
            let column = statements.dialect.identifier(column)
            let family = statements.family(of: table, among: tables).map { " AND \($0)" } ?? ""
            return SQLFragment(
                sql: "UPDATE \(statements.dialect.identifier(table.name)) SET \(column) = ? "
                    + "WHERE \(column) IS NULL\(family)", bindings: [value])
        }
    }
}
