import BenchHarness

/// The table of an entity's records on a server, with the names that ManagedStore gives it there: those of Core Data's
/// files, in quotes.
struct ServerTable: Sendable {
    /// The table that the records have in a file.
    let records: RecordTable
    /// `"ZITEM"` for `Item`.
    let name: String
    /// The attributes' columns, in the entity's order.
    let columns: [String]
    /// The columns from which a record is read: the key and version of a row, then its attributes.
    let selectList: String

    var entity: EntitySpec { records.entity }

    /// Creates the table of records of `entity`; their owners, if any, have another table.
    init(entity: EntitySpec) { self.init(RecordTable(entity: entity)) }

    private init(_ records: RecordTable) {
        self.records = records
        name = Self.identifier(records.entity.name)
        columns = records.entity.attributes.map { Self.identifier($0.name) }
        selectList = (["\"Z_PK\"", "\"Z_OPT\""] + columns).joined(separator: ", ")
    }

    /// The owners' table; nil for records without owners.
    var owners: ServerTable? { records.owners.map(ServerTable.init) }

    /// Returns the owners' table of records that must have owners.
    func requireOwners() throws -> ServerTable { ServerTable(try records.requireOwners()) }

    /// Returns the expression of the value by which a key sorts a row: a column, or one of ``ownersJoin`` if the key
    /// leads to the owner.
    func sortValue(_ key: String) throws -> String {
        try entity.ownersAttribute(key).map { "attribute\($0)" } ?? columns[attribute(key)]
    }

    /// Adds the attributes of each row's owner to a selection, by names that no column of a record has.
    var ownersJoin: String {
        guard let owners, let column = ownerColumn else { return "" }
        let list = owners.columns.enumerated().map { ", \($1) AS attribute\($0)" }.joined()
        return " LEFT JOIN (SELECT \"Z_PK\" AS owner\(list) FROM \(owners.name)) AS owners ON owner = \(column)"
    }

    /// The column with the key of a record's owner.
    var ownerColumn: String? { entity.ownerAttribute.map { columns[$0] } }

    /// The columns of a row, in the order of ``selectList`` with the number of the entity after the version.
    var insertedColumns: [String] { ["\"Z_PK\"", "\"Z_OPT\"", "\"Z_ENT\""] + columns }

    /// The statement that inserts a row of ``insertedColumns``.
    var insertion: String {
        let parameters = insertedColumns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return "INSERT INTO \(name) (\(insertedColumns.joined(separator: ", "))) VALUES (\(parameters))"
    }

    /// Returns the statement that inserts a row of ``insertedColumns``, or replaces the values of the one that has the
    /// same value of the attribute at `key`.
    func upsertion(by key: Int) -> String {
        let changes = columns.map { "\($0) = EXCLUDED.\($0)" } + ["\"Z_OPT\" = \(name).\"Z_OPT\" + 1"]
        return insertion + " ON CONFLICT (\(columns[key])) DO UPDATE SET \(changes.joined(separator: ", "))"
    }

    /// Returns the table with only the columns of some attributes, for reading; the whole table for nil.
    func keeping(_ names: [String]?) -> ServerTable {
        names == nil ? self : ServerTable(records.keeping(names))
    }

    /// Returns the position of the attribute called `name`.
    func attribute(_ name: String) throws -> Int { try records.attribute(name) }

    /// The statements that create the table and its indexes.
    var creations: [String] {
        let declarations = records.storedAttributes.map {
            columns[$0] + " " + ServerType(entity.attributes[$0].type).declaration
        }
        let table =
            "CREATE TABLE \(name) (\"Z_PK\" bigint PRIMARY KEY, \"Z_ENT\" bigint, \"Z_OPT\" bigint, "
            + declarations.joined(separator: ", ") + ")"
        return [table] + indexes.map(\.creation)
    }

    /// An index besides that of the keys.
    struct Index {
        let column: String
        let creation: String
    }

    private var indexes: [Index] {
        entity.attributes.indices.compactMap { position in
            let attribute = entity.attributes[position]
            guard attribute.isUnique || attribute.isIndexed || position == entity.ownerAttribute else { return nil }
            let kind = attribute.isUnique ? "UNIQUE INDEX" : "INDEX"
            return Index(
                column: RecordTable.column(called: attribute.name),
                creation: "CREATE \(kind) ON \(name) (\(columns[position]) NULLS FIRST)")
        }
    }

    /// The columns that begin an index which the scenario asks for, without quotes.
    var indexedColumns: [String] { indexes.map(\.column) }

    /// The name of the table, without quotes.
    var plainName: String { RecordTable.column(called: entity.name) }

    private static func identifier(_ name: String) -> String {
        "\"" + RecordTable.column(called: name).replacing("\"", with: "\"\"") + "\""
    }

    /// The longest name of a column or table that a server keeps whole, in bytes.
    private static let nameLimit = 63

    /// Returns why a server cannot keep the records of an entity, or what a phase gives them; nil if it can.
    static func problem(of entity: EntitySpec, in phase: Phase) -> String? {
        if let attribute = phase.attributeSetToZeroByte {
            return "a text of PostgreSQL has no zero byte, and \(attribute) gets one"
        }
        let names = [entity.name] + entity.attributes.map(\.name)
        let all = names + (entity.owner.map { [$0.entityName] + $0.entity.attributes.map(\.name) } ?? [])
        return all.first { RecordTable.column(called: $0).utf8.count > nameLimit }.map {
            "the server cuts names after \(nameLimit) bytes, and \($0) is longer"
        }
    }
}
