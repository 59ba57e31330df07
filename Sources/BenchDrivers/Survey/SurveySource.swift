import BenchHarness
import CSQLite
import Foundation

/// Where the records of an entity are in a file.
struct SurveySource {
    /// A column with the values of an attribute.
    struct Attribute {
        let name: String
        let column: StoredTable.Column
        var isUnique = false
        var isIndexed = false
    }

    /// A column with keys of other records.
    struct Reference {
        let name: String
        let column: String
        /// The table that it refers to; nil if the file does not say.
        let table: String?
        /// The rows of its own table, for a query.
        let from: String
        /// Whether a column beside it has the places of the rows that refer to the same one.
        var isOrdered = false
        /// Whether its rows are deleted with those that it refers to.
        var cascades = false

        /// The rows whose key is not among `keys`, for a query.
        func rows(outside keys: String) -> String {
            "(SELECT 1 FROM \(from) WHERE \(column.quotedForSQL) IS NOT NULL AND \(column.quotedForSQL) NOT IN (\(keys)))"
        }
    }

    let name: String
    let table: StoredTable
    private(set) var attributes: [Attribute]
    let references: [Reference]
    /// Which rows of the table are records of the entity; nil for all.
    let condition: String?
    /// Whether dates are numbers of seconds since 2001, as in Core Data's layout.
    let hasDates: Bool
    /// The entity at the top of those that it inherits from; nil if there is none.
    var root: String?

    /// The rows of the entity, for a query.
    var rows: String { Self.rows(of: table, condition) }

    static func rows(of table: StoredTable, _ condition: String?) -> String {
        let name = table.name.quotedForSQL
        return condition.map { "(SELECT * FROM \(name) WHERE \($0))" } ?? name
    }

    /// Takes the columns of a table as they are.
    init(plain table: StoredTable) {
        let references = table.columns.compactMap { column in
            table.foreignKeys[column.name].map {
                Reference(
                    name: column.name, column: column.name, table: $0, from: Self.rows(of: table, nil),
                    cascades: table.cascading.contains(column.name))
            }
        }
        let attributes = table.columns.filter { table.foreignKeys[$0.name] == nil }.map { column in
            Attribute(
                name: column.name, column: column, isUnique: table.uniqueColumns.contains(column.name),
                isIndexed: table.indexes[column.name] != nil)
        }
        self.init(name: table.name, table: table, attributes: attributes, references: references)
    }

    init(
        name: String, table: StoredTable, attributes: [Attribute], references: [Reference], condition: String? = nil,
        hasDates: Bool = false
    ) {
        self.name = name
        self.table = table
        self.attributes = attributes
        self.references = references
        self.condition = condition
        self.hasDates = hasDates
    }

    /// Returns the source without some attributes.
    func without(_ isLeftOut: (Attribute) -> Bool) -> SurveySource {
        var source = self
        source.attributes.removeAll(where: isLeftOut)
        return source
    }

    /// Reads all values once; `destination` tells which entity a reference leads to.
    func survey(
        _ connection: PlainConnection, destination: (Reference) throws -> String?
    ) throws -> SurveyedEntity {
        var spreads = try attributes.map { ValueSpread(type: try type(of: $0, connection)) }
        let list = attributes.map(\.column.name.quotedForSQL).joined(separator: ", ")
        let statement = try connection.prepare("SELECT \(list.isEmpty ? "NULL" : list) FROM \(rows)")
        var records = 0
        while try statement.step() {
            records += 1
            for place in spreads.indices { spreads[place].add(value(statement, place, spreads[place].type)) }
        }
        return SurveyedEntity(
            name: name, records: records,
            attributes: zip(attributes, spreads).filter { condition == nil || !$1.isEmpty }.map {
                SurveyedAttribute(name: $0.name, values: $1, isUnique: $0.isUnique, isIndexed: $0.isIndexed)
            },
            references: try references.map { try survey($0, connection, destination) }, root: root)
    }

    private func survey(
        _ reference: Reference, _ connection: PlainConnection, _ destination: (Reference) throws -> String?
    ) throws -> SurveyedReference {
        let column = reference.column.quotedForSQL
        let nulls = try connection.integer("SELECT count(*) FROM \(rows) WHERE \(column) IS NULL")
        let most = try connection.integer(
            "SELECT max(n) FROM (SELECT count(*) AS n FROM \(rows) WHERE \(column) IS NOT NULL GROUP BY \(column))")
        return SurveyedReference(
            name: reference.name, entity: try destination(reference), nulls: Int(nulls ?? 0), most: Int(most ?? 0),
            isOrdered: reference.isOrdered, cascades: reference.cascades)
    }

    // MARK: - Values

    /// The type of an attribute: that of its first value, and of its declaration where both can be meant.
    private func type(of attribute: Attribute, _ connection: PlainConnection) throws -> FieldType {
        let column = attribute.column.name.quotedForSQL
        let first = try connection.prepare("SELECT \(column) FROM \(rows) WHERE \(column) IS NOT NULL LIMIT 1")
        let declared = attribute.column.declared
        let isDate = hasDates && declared.contains("TIMESTAMP")
        let isReal = ["FLOA", "DOUB", "REAL", "DEC", "NUM"].contains { declared.contains($0) }
        guard try first.step() else {
            if isDate { return .date }
            if declared.contains("CHAR") || declared.contains("TEXT") { return .string }
            return declared.contains("BLOB") ? .data : isReal ? .double : .int64
        }
        switch first.type(0) {
        case SQLITE_TEXT: return .string
        case SQLITE_BLOB: return .data
        default:
            if isDate { return .date }
            if declared.contains("BOOL") { return .bool }
            return isReal || first.type(0) == SQLITE_FLOAT ? .double : .int64
        }
    }

    private func value(_ row: PlainStatement, _ place: Int, _ type: FieldType) -> FieldValue {
        switch (row.type(place), type) {
        case (SQLITE_NULL, _): .null
        case (SQLITE_TEXT, _): .string(row.string(place))
        case (SQLITE_BLOB, _): .data(Data(row.blob(place)))
        case (_, .date): .date(row.double(place))
        case (_, .double): .double(row.double(place))
        case (SQLITE_INTEGER, .bool): .bool(row.bool(place))
        case (SQLITE_INTEGER, _): .int64(row.int64(place))
        default: .double(row.double(place))
        }
    }
}
