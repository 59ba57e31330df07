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
    /// The columns with the places of rows in the orders that relationships keep.
    let orderColumns: [String]

    var entity: EntitySpec { records.entity }

    /// Creates the table of records of the focus of a schema.
    init(_ schema: Schema) { self.init(RecordTable(schema, dialect: .postgreSQL)) }

    /// Creates the table of records that a file would have in another.
    init(_ records: RecordTable) {
        self.records = records
        name = records.name
        columns = records.columns
        selectList = records.selectList
        orderColumns = records.orderColumns
    }

    /// Every table with records of an entity.
    var all: [ServerTable] { records.all.map(ServerTable.init) }

    /// Returns the expression of the value by which a key sorts a row: a column, or one of ``join(_:)`` if the key
    /// leads through a relationship.
    func sortValue(_ key: String) throws -> String {
        try entity.reached(by: key).map { "attribute\($0.toOne)_\($0.attribute)" } ?? columns[attribute(key)]
    }

    /// Adds the attributes of the rows that the keys of an order lead to, by names that no column of a record has.
    func join(_ sort: [SortSpec]) -> String {
        Set(sort.compactMap { entity.reached(by: $0.key)?.toOne }).sorted().map { place in
            let target = records.targets[place]
            let list = target.columns.enumerated().map { ", \($1) AS attribute\(place)_\($0)" }.joined()
            return " LEFT JOIN (SELECT \(target.key) AS target\(place)\(list) FROM \(target.name)) AS targets\(place) "
                + "ON target\(place) = \(records.toOneColumn(place))"
        }.joined()
    }

    /// The columns of a row, in the order of ``selectList`` with the number of the entity after the version, and the
    /// places in orders at the end. Where entities share the table, the number is one of the values.
    var insertedColumns: [String] {
        ["\"Z_PK\"", "\"Z_OPT\""] + (isShared ? [] : ["\"Z_ENT\""]) + columns + orderColumns
    }

    /// Whether the table has the records of several entities.
    var isShared: Bool { records.isShared }

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
    func keeping(_ names: [String]?, of filter: FilterSpec?) -> ServerTable {
        // The table has its list of columns made.
        if names == nil, filter?.partedByKind.number == nil { return self }
        return ServerTable(records.keeping(names, of: filter))
    }

    /// Returns the position of the attribute called `name`.
    func attribute(_ name: String) throws -> Int { try records.attribute(name) }

    /// The statements that create every table of the schema.
    var definition: [String] { all.flatMap(\.creations) + records.allLinks.flatMap(\.creations) }

    /// The statements that create the table and its indexes.
    private var creations: [String] {
        let orders = orderColumns.map { "\($0) bigint" }
        let declarations =
            orders
            + records.storedAttributes.map {
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
        records.indexedAttributes.map { position in
            let attribute = entity.attributes[position]
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

    /// The longest name of a column or table that a server keeps whole, in bytes.
    private static let nameLimit = 63

    /// Returns why a server cannot keep the records of the entities of a scenario, or what a phase gives them; nil if
    /// it can.
    static func problem(of schema: Schema, in phase: Phase) -> String? {
        if let attribute = phase.attributeSetToZeroByte {
            return "a text of PostgreSQL has no zero byte, and \(attribute) gets one"
        }
        let tables = ServerTable(schema)
        let names = tables.all.flatMap(\.names) + tables.records.allLinks.flatMap(\.names)
        return names.first { length($0.identifier) > nameLimit }.map {
            "the server cuts names after \(nameLimit) bytes, and \($0.identifier), its name of \($0.word), has "
                + "\(length($0.identifier)); shorten \($0.word)"
        }
    }

    /// The length of an identifier without its quotes, in bytes.
    private static func length(_ identifier: String) -> Int { identifier.utf8.count - 2 }

    /// The identifiers of the table and its columns, with the words of the scenario that they are made of.
    private var names: [(word: String, identifier: String)] {
        let orders = entity.toOnes.filter(\.isOrdered).map { ($0.relationship, records.orderColumn(of: $0)) }
        return [(entity.name, name)] + zip(entity.attributes.map(\.name), columns) + orders
    }
}

extension LinkTable {
    /// The identifiers of the table and its columns, with the words of the scenario that they are made of.
    fileprivate var names: [(word: String, identifier: String)] {
        [(link.relationship, targetColumn), (link.inverse, sourceColumn)]
    }
}
