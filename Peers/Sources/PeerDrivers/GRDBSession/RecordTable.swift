import BenchHarness
import DriverSupport
import GRDB

/// Where the records of an entity lie in the file that the baseline driver has made.
struct RecordTable: Sendable {
    let entity: EntitySpec
    /// The entities of the file; the focus is that of the table.
    let schema: Schema
    /// The number of the entity in the file, in alphabetical order: `Z_ENT`.
    let number: Int
    /// `ZITEM` for `Item`.
    let name: String
    /// The attributes' columns, in the entity's order: `ZNAME`, `ZCREATEDAT`, `ZDONE`.
    let columns: [String]
    /// The columns with the places of records in the orders that relationships keep.
    let orderColumns: [String]
    /// The tables of the many-to-many relationships that the entity declares.
    let links: [PairTable]

    /// Creates the table of records of the focus of a schema.
    init(_ schema: Schema) {
        self.schema = schema
        entity = schema.entity.record
        number = schema.number(of: schema.focus)
        name = CoreDataNames.name(entity.name)
        columns = entity.attributes.map { CoreDataNames.name($0.name) }
        orderColumns = entity.toOnes.filter(\.isOrdered).map(CoreDataNames.orderColumn)
        links = schema.links.filter { $0.source == schema.focus }.map { PairTable($0, in: schema) }
    }

    /// Returns the statement that inserts a row, version 1: its key and attributes are the parameters. Keys ascend, so
    /// that a new row is the last one in each order by its key.
    var insertion: String {
        let places = orderColumns.map(\.quotedDatabaseIdentifier)
        let list = (["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.quotedDatabaseIdentifier) + places)
        let values = ["?", "\(number)", "1"] + columns.map { _ in "?" } + places.map { _ in "?1" }
        return "INSERT INTO \(name.quotedDatabaseIdentifier) (\(list.joined(separator: ", "))) "
            + "VALUES (\(values.joined(separator: ", ")))"
    }

    /// Returns the statement that inserts a row, or replaces the values of the one with the same value of the attribute
    /// at `key`; SQLite chooses the key of a new row.
    func upsertion(by key: Int) -> String {
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let changes = columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return
            "INSERT INTO \(name) (Z_ENT, Z_OPT, \(columns.joined(separator: ", "))) VALUES (\(number), 1, \(places)) "
            + "ON CONFLICT (\(columns[key])) DO UPDATE SET \(changes), Z_OPT = Z_OPT + 1"
    }

    /// The position of the attribute called `name`.
    func attribute(_ name: String) throws -> Int { try entity.position(of: name) }

    /// The key of the record with an ordinal.
    static func key(_ ordinal: Int) -> Int64 { Int64(ordinal) + 1 }

    /// The ordinal of the record with a key.
    static func ordinal(_ key: Int64) -> Int { Int(key) - 1 }
}

// MARK: - Relationships

extension RecordTable {
    /// Returns the table of another entity of the file.
    func table(of place: Int) -> RecordTable { RecordTable(schema.focused(on: place)) }

    /// The tables of all entities of the file.
    var all: [RecordTable] { schema.roots.map(table) }

    /// The column of the relationship at a place in ``EntitySpec/toOnes``.
    func toOneColumn(_ place: Int) -> String { columns[entity.toOneAttributes.lowerBound + place] }

    /// Returns the table that the relationship at a place in ``EntitySpec/toOnes`` leads to.
    func target(_ place: Int) -> RecordTable {
        schema.place(of: entity.toOnes[place].entityName).map(table) ?? self
    }

    /// The table with the columns of attributes alone.
    var alone: RecordTable {
        RecordTable(Schema(EntitySpec(name: entity.name, attributes: Array(entity.attributesOfItsOwn))))
    }

    /// Returns where the rows are that a relationship to many leads to.
    ///
    /// - Throws: `RunError` for another relationship.
    func members(by relationship: String) throws -> MemberTable {
        let toMany = schema.relationship(relationship)
        let table = toMany.map { self.table(of: $0.destination) } ?? self
        switch toMany?.place {
        case nil, .number: throw RunError(.phase, "\(entity.name) has no relationship \(relationship) to many")
        case .inverse(let place):
            let order = toMany?.isOrdered == true ? CoreDataNames.orderColumn(of: table.entity.toOnes[place]) : nil
            return MemberTable(table: table, own: table.toOneColumn(place), pairs: nil, order: order)
        case .pairs(let link, let isForward):
            let names = PairTable(link, in: schema).names
            let columns = [names.sourceColumn, names.targetColumn]
            return MemberTable(
                table: table, own: columns[isForward ? 0 : 1], pairs: (names.table, columns[isForward ? 1 : 0]))
        }
    }

    /// The type of the value that a key leads to.
    func type(of key: String) throws -> FieldType {
        guard let (toOne, rest) = entity.reached(by: key) else { return entity.attributes[try attribute(key)].type }
        return try target(toOne).type(of: rest)
    }

    /// Returns the SQL of the value by which a key sorts a row: a column, or one of the row to which the key leads.
    ///
    /// - Parameter depth: The number of relationships that led to the row.
    func sortValue(_ key: String, depth: Int = 0) throws -> String {
        let row = depth == 0 ? name.quotedDatabaseIdentifier : "related\(depth)"
        guard let (toOne, rest) = entity.reached(by: key) else {
            let column = columns[try self.attribute(key)].quotedDatabaseIdentifier
            return depth == 0 ? column : "\(row).\(column)"
        }
        let (target, related) = (target(toOne), "related\(depth + 1)")
        let column = "\(row).\(toOneColumn(toOne).quotedDatabaseIdentifier)"
        return "(SELECT \(try target.sortValue(rest, depth: depth + 1)) "
            + "FROM \(target.name.quotedDatabaseIdentifier) AS \(related) WHERE \(related).Z_PK = \(column))"
    }
}

/// The table of a many-to-many relationship.
struct PairTable: Sendable {
    let link: Schema.Link
    let names: CoreDataNames.Pairs

    init(_ link: Schema.Link, in schema: Schema) {
        self.link = link
        names = CoreDataNames.Pairs(link, in: schema)
    }

    /// The statement that inserts a pair.
    var insertion: String {
        let columns = [names.sourceColumn, names.targetColumn].map(\.quotedDatabaseIdentifier)
        return "INSERT INTO \(names.table.quotedDatabaseIdentifier) (\(columns.joined(separator: ", "))) VALUES (?, ?)"
    }
}

/// The rows that a relationship to many leads to.
struct MemberTable {
    /// The table of these rows.
    let table: RecordTable
    /// The column with the key of the owning row, in the table of pairs or, without pairs, in that of these rows.
    let own: String
    /// The table of pairs, and its column with the key of one of these rows.
    let pairs: (name: String, key: String)?
    /// The column with the places of these rows in their order; nil if they are in none.
    var order: String?
}
