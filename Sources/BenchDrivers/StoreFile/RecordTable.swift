import BenchHarness
import DriverSupport

/// The table of an entity's records in a store file, in the layout of Core Data's files. Each driver creates this
/// layout, so that all of them read and write the same bytes. On a server, it has the names that ManagedStore gives it
/// there: the same, in quotes.
struct RecordTable: Sendable {
    let entity: EntitySpec
    /// The entities whose records are in tables of the file; the focus is that of the table.
    let schema: Schema
    /// How statements spell the names.
    let dialect: RecordDialect
    /// The entity's number in the file, in alphabetical order from 1: `Z_ENT`. Those that inherit from it come right
    /// after it.
    let number: Int
    /// `ZITEM` for `Item`.
    let name: String
    /// The attributes' columns, in the entity's order: `ZNAME`, `ZCREATEDAT`, `ZDONE`.
    private(set) var columns: [String]
    /// The columns of the keys and of the versions.
    let key: String, version: String

    /// Creates the table of records of the focus of a schema.
    init(_ schema: Schema, dialect: RecordDialect = .sqlite) {
        self.schema = schema
        self.dialect = dialect
        entity = schema.entity.record
        number = schema.number(of: schema.focus)
        name = dialect.identifier(Self.column(called: entity.name))
        (key, version) = dialect == .sqlite ? ("Z_PK", "Z_OPT") : ("\"Z_PK\"", "\"Z_OPT\"")
        columns = entity.attributes.map { dialect.identifier(Self.column(called: $0.name)) }
    }

    /// The name of the table, without quotes.
    var plainName: String { Self.column(called: entity.name) }

    /// Returns the table of another entity.
    func table(of place: Int) -> RecordTable { RecordTable(schema.focused(on: place), dialect: dialect) }

    /// The tables of the other entities.
    var otherTables: [RecordTable] { schema.others.map(table) }

    /// Every table of the file.
    var all: [RecordTable] { [self] + otherTables }

    /// Returns the table that the relationship at a place in ``EntitySpec/toOnes`` leads to.
    func target(_ toOne: Int) -> RecordTable {
        let name = entity.toOnes[toOne].entityName
        guard let place = schema.place(of: name) else { preconditionFailure("a schema without \(name)") }
        return table(of: place)
    }

    /// The column of the relationship at a place in ``EntitySpec/toOnes``.
    func toOneColumn(_ place: Int) -> String { columns[entity.toOneAttributes.lowerBound + place] }

    /// Returns the terms of an order.
    func ordering(_ sort: [SortSpec]) throws -> [String] {
        try sort.map { try sortValue($0.key) + ($0.ascending ? dialect.nullsFirst : dialect.descending) }
    }

    /// Returns the expression of the value by which a key sorts a row: a column, or that of a related row if the key
    /// leads there.
    ///
    /// - Parameter depth: The number of relationships that led to the row, by which a statement tells its tables apart.
    func sortValue(_ key: String, depth: Int = 0) throws -> String {
        let row = depth == 0 ? name : "related\(depth)"
        guard let (toOne, rest) = entity.reached(by: key) else {
            return (depth == 0 ? "" : "\(row).") + columns[try attribute(key)]
        }
        if depth == 0, dialect == .postgreSQL { return joinedName(toOne, rest) }
        let (target, related) = (target(toOne), "related\(depth + 1)")
        let value = try target.sortValue(rest, depth: depth + 1)
        let condition = "\(related).\(target.key) = \(row).\(toOneColumn(toOne))"
        return "(SELECT \(value) FROM \(target.name) AS \(related) WHERE \(condition))"
    }

    /// The type of the value that a key leads to.
    func type(of key: String) throws -> FieldType {
        guard let (toOne, rest) = entity.reached(by: key) else { return entity.attributes[try attribute(key)].type }
        return try target(toOne).type(of: rest)
    }

    /// Adds the attributes of the rows that the keys of an order lead to, by names that no column of a record has: a
    /// server is slow at subqueries for each row.
    func join(_ sort: [SortSpec]) throws -> String {
        if dialect == .sqlite { return "" }
        let reached = sort.compactMap { entity.reached(by: $0.key) }
        return try Set(reached.map(\.toOne)).sorted().map { place in
            let target = target(place)
            let list = try reached.filter { $0.toOne == place }.map {
                ", \(try target.sortValue($0.rest, depth: 1)) AS \(joinedName(place, $0.rest))"
            }.joined()
            return " LEFT JOIN (SELECT \(target.key) AS target\(place)\(list) FROM \(target.name) AS related1) "
                + "AS targets\(place) ON target\(place) = \(toOneColumn(place))"
        }.joined()
    }

    /// The name of what a key leads to, in the rows of ``join(_:)``.
    private func joinedName(_ toOne: Int, _ rest: String) -> String { dialect.identifier("attribute\(toOne)_\(rest)") }

    /// The statements that create every table of the file, and the rows that describe the entities.
    var definition: [String] {
        [
            "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
            "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
            "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
        ] + all.flatMap(\.creations) + allLinks.flatMap(\.creations)
    }

    /// The columns with the places of rows in the orders that relationships keep: `Z_FOK_LIST` for `list`.
    var orderColumns: [String] { entity.toOnes.filter(\.isOrdered).map(orderColumn) }

    func orderColumn(of toOne: ReferenceSpec) -> String { dialect.identifier(CoreDataNames.orderColumn(of: toOne)) }

    /// The statements that create the records' own table and its indexes.
    private var creations: [String] {
        let (numbers, rest) = (
            storedAttributes.prefix { entity.attributes[$0].type.columnGroup == 0 },
            storedAttributes.drop { entity.attributes[$0].type.columnGroup == 0 }
        )
        let declare = { (index: Int) in columns[index] + " " + entity.attributes[index].type.declaration }
        // Names in letters of other scripts come after those of the places in orders.
        let after = numbers.firstIndex { Self.column(called: entity.attributes[$0].name) > "Z_FOK_" }
        let place = after ?? numbers.endIndex
        let orders = orderColumns.sorted().map { $0 + " INTEGER" }
        let declarations = numbers[..<place].map(declare) + orders + (numbers[place...] + rest).map(declare)
        let table =
            "CREATE TABLE \(name) ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
            + declarations.joined(separator: ", ") + " )"
        // Core Data has an index of the entity where several share a table.
        let keyIndexes = (Array(entity.toOneAttributes) + [entity.kindAttribute].compactMap(\.self)).map {
            "CREATE INDEX \(Self.index(on: columns[$0], of: name)) ON \(name) (\(columns[$0]))"
        }
        return [table] + keyIndexes + uniqueIndexes + fetchIndexes
    }

    /// The numbers and names of the entities that inherit from that of the table.
    var subentities: [(number: Int64, name: String)] {
        (entity.subentities ?? []).map { (entity.number(ofKind: $0.name), $0.name) }
    }

    private var uniqueIndexes: [String] {
        entity.attributes.indices.filter { entity.attributes[$0].isUnique }.map { index in
            let indexName = "Z_\(entity.name)_UNIQUE_\(entity.attributes[index].name)".replacing("\"", with: "\"\"")
            return "CREATE UNIQUE INDEX \"\(indexName)\" ON \(name) (\(columns[index]))"
        }
    }

    /// The indexes that the scenario asks for, named as ManagedStore names those of an entity that inherits from none.
    private var fetchIndexes: [String] {
        entity.attributes.indices.filter { entity.attributes[$0].isIndexed }.map { index in
            let indexName = "Z_\(entity.name)_INDEX_\(entity.attributes[index].name)".replacing("\"", with: "\"\"")
            return "CREATE INDEX \"\(indexName)\" ON \(name) (\(columns[index]))"
        }
    }

    /// The columns that begin an index: those of unique, indexed and related attributes, and that of the entity where
    /// several share the table; without quotes.
    var indexedColumns: [String] {
        indexedAttributes.map { Self.column(called: entity.attributes[$0].name) }
    }

    /// The positions of the attributes that have an index.
    var indexedAttributes: [Int] {
        entity.attributes.indices.filter {
            entity.attributes[$0].isUnique || entity.attributes[$0].isIndexed || entity.toOneAttributes.contains($0)
                || $0 == entity.kindAttribute
        }
    }

    /// Positions of the attributes in the order of the table's columns: integers, then dates and doubles, strings,
    /// data, by name within each. The number of a row's entity has its column in every table.
    var storedAttributes: [Int] {
        entity.attributes.indices.filter { $0 != entity.kindAttribute }.sorted {
            let (left, right) = (entity.attributes[$0], entity.attributes[$1])
            return (left.type.columnGroup, left.name) < (right.type.columnGroup, right.name)
        }
    }

    /// Whether the table has the rows of several entities, whose number is then one of the attributes.
    var isShared: Bool { entity.kindAttribute != nil }

    /// The columns that are equal in all new rows, and their values.
    private var constants: (columns: [String], values: String) {
        isShared ? ([version], "1") : ([dialect.identifier("Z_ENT"), version], "\(number), 1")
    }

    /// Returns the statement that inserts some rows, version 1: their keys and attributes are its parameters.
    ///
    /// A statement of several rows names `FAIL`, since the transaction is rolled back after any error. Otherwise,
    /// SQLite copies each page before it changes it, to undo such a statement alone; pages of an index are many.
    func insertion(rows: Int) -> String {
        let list = ([key] + constants.columns + columns + orderColumns).joined(separator: ", ")
        let values = (0..<rows).map { index in
            let first = index * (columns.count + 1) + 1
            let attributes =
                dialect == .sqlite
                ? String(repeating: ", ?", count: columns.count)
                : columns.indices.map { ", $\(first + 1 + $0)" }.joined()
            // Keys ascend, so that a new row is the last one by its key.
            let orders = String(repeating: ", " + dialect.repeated(first), count: orderColumns.count)
            return "(\(dialect.parameter(first)), \(constants.values)\(attributes)\(orders))"
        }.joined(separator: ", ")
        return "INSERT \(rows > 1 ? "OR FAIL " : "")INTO \(name) (\(list)) VALUES \(values)"
    }

    /// Returns the statement that inserts some rows, or replaces the values of those which have the same value of the
    /// attribute at `key`: their attributes are its parameters, after the key if the database does not choose it.
    func upsertion(rows: Int, by key: Int) -> String {
        let changes = columns.map { "\($0) = excluded.\($0)" } + ["\(version) = \(name).\(version) + 1"]
        let update = " ON CONFLICT (\(columns[key])) DO UPDATE SET \(changes.joined(separator: ", "))"
        if !dialect.keepsLastKeys { return insertion(rows: rows) + update }
        let list = (constants.columns + columns).joined(separator: ", ")
        let row = "(\(constants.values)" + String(repeating: ", ?", count: columns.count) + ")"
        let values = Array(repeating: row, count: rows).joined(separator: ", ")
        return "INSERT INTO \(name) (\(list)) VALUES \(values)" + update
    }

    /// The columns from which a record is read: the key and version of a row, then its attributes in the entity's
    /// order.
    var selectList: String { ([key, version] + columns).joined(separator: ", ") }

    /// Returns the table with only the columns of some attributes, for reading; the whole table for nil.
    ///
    /// - Parameter filter: The condition of the records. One about a subentity has only its records, so that nothing is
    ///   read of the columns that these leave null.
    func keeping(_ names: [String]?, of filter: FilterSpec? = nil) -> RecordTable {
        if names != nil { return RecordTable(Schema(entity.keeping(names)), dialect: dialect) }
        guard let number = filter?.partedByKind.number else { return self }
        var table = self
        for (place, attribute) in entity.attributes.enumerated() {
            if let subentity = attribute.subentity, entity.number(ofKind: subentity) != number {
                table.columns[place] = "NULL"
            } else if place == entity.kindAttribute {
                table.columns[place] = dialect.cast("\(number)", to: .int64)
            }
        }
        return table
    }

    /// The column of an attribute's value in a row of ``selectList``.
    static func column(of attribute: Int) -> Int { attribute + 2 }

    /// The position of the attribute called `name`.
    func attribute(_ name: String) throws -> Int { try entity.position(of: name) }

    /// The key of the record with an ordinal.
    static func key(_ ordinal: Int) -> Int64 { Int64(ordinal) + 1 }

    /// The ordinal of the record with a key.
    static func ordinal(_ key: Int64) -> Int { Int(key) - 1 }

    /// The name of a column or table, without quotes.
    static func column(called name: String) -> String { CoreDataNames.name(name) }

    /// Returns the name of the index that a relationship has on a column of a table: `ZITEM_ZLIST_INDEX`.
    ///
    /// - Parameters:
    ///   - column: The column, with or without quotes.
    ///   - table: The table, with or without quotes.
    static func index(on column: String, of table: String) -> String {
        quoted("\(table)_\(column)_INDEX".replacing("\"", with: ""))
    }

    /// Returns the name of a column or table, with quotes if it needs them.
    static func quoted(_ identifier: String) -> String {
        if identifier.utf8.allSatisfy({ $0 == 0x5F || 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 }) { return identifier }
        return "\"" + identifier.replacing("\"", with: "\"\"") + "\""
    }
}

extension FieldType {
    fileprivate var declaration: String {
        switch self {
        case .bool, .int64: "INTEGER"
        case .date: "TIMESTAMP"
        case .double: "FLOAT"
        case .string: "VARCHAR"
        case .data: "BLOB"
        }
    }

    fileprivate var columnGroup: Int {
        switch self {
        case .bool, .int64: 0
        case .date, .double: 1
        case .string: 2
        case .data: 3
        }
    }
}
