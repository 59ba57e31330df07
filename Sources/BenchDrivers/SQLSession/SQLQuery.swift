import BenchHarness
import DriverSupport

/// The value of a parameter. A server does not compare values of different types as SQLite does.
struct SQLValue: Sendable, Equatable {
    let value: FieldValue
    let type: FieldType
}

/// A statement and the values of its parameters.
struct SQLQuery: Sendable {
    let sql: String
    var values: [SQLValue] = []
}

/// The parameters of a statement whose text is composed from its beginning to its end.
struct SQLParameters: Sendable {
    let dialect: RecordDialect
    private(set) var values: [SQLValue] = []

    init(_ dialect: RecordDialect) { self.dialect = dialect }

    /// Binds a value that is compared or added to one of a type, and returns its parameter.
    mutating func bind(_ value: FieldValue, _ type: FieldType) -> String {
        var isWider = false
        if case (.double, .int64) = (value, type) { isWider = true }
        let type = isWider ? .double : type
        values.append(SQLValue(value: value, type: type))
        let parameter = dialect.parameter(values.count)
        // A statement with another type has another text, by which it is prepared.
        return isWider ? dialect.cast(parameter, to: type) : parameter
    }

    mutating func bind(_ value: Int64) -> String { bind(.int64(value), .int64) }
}

extension RecordTable {
    /// Returns the query that finds the records of `work`, or some columns of them. With `sorted: false`, the caller
    /// sorts the records. Records in no particular order may come by an index. A page begins after the first `offset`
    /// records.
    ///
    /// SQLite's sorter is stable, so that equal records stay in the order of their keys. A second sort key for it would
    /// cost the baseline a tenth of its time; instead, the conformance suite verifies that SQLite keeps the order. A
    /// server needs the key.
    func selection(
        _ work: FetchWork, columns: String? = nil, sorted: Bool = true, from offset: Int? = nil
    ) throws -> SQLQuery {
        var parameters = SQLParameters(dialect)
        let sql = try selection(work, columns: columns, sorted: sorted, from: offset, &parameters)
        return SQLQuery(sql: sql, values: parameters.values)
    }

    /// Returns the condition of the records that a fetch finds, without a subquery if it has no limit. Without an
    /// order, the first are those with the smallest keys.
    func condition(_ work: FetchWork, _ parameters: inout SQLParameters) throws -> String {
        if work.limit == 0 { return try condition(work.filter, &parameters) }
        return "\(key) IN (\(try selection(work, columns: key, bindsLimit: true, &parameters)))"
    }

    private func selection(
        _ work: FetchWork, columns: String?, sorted: Bool = true, from offset: Int? = nil, bindsLimit: Bool = false,
        _ parameters: inout SQLParameters
    ) throws -> String {
        let columns = columns ?? keeping(work.attributes, of: work.filter).selectList
        let join = sorted ? try join(work.sort) : ""
        var sql = "SELECT \(columns) FROM \(name)\(join) WHERE \(try condition(work.filter, &parameters))"
        var order = sorted ? try ordering(work.sort) : []
        let isOrdered = work.limit > 0 || !(dialect.sortsStably ? work.sort : []).isEmpty || !order.isEmpty
        if isOrdered, order.isEmpty || !dialect.sortsStably { order.append(key) }
        if !order.isEmpty { sql += " ORDER BY " + order.joined(separator: ", ") }
        if work.limit > 0 || offset != nil {
            let isBound = bindsLimit || offset != nil || dialect == .postgreSQL
            sql += " LIMIT " + (isBound ? parameters.bind(Int64(work.limit)) : String(work.limit))
        }
        if let offset { sql += " OFFSET " + parameters.bind(Int64(offset)) }
        return sql
    }

    /// Returns the statement that selects some columns of the rows with one of some keys.
    var selectionOfKeys: String { "SELECT \(selectList) FROM \(name) WHERE \(key) \(dialect.isOneOfKeys)" }

    /// Returns the statement that makes changes in the rows that a condition finds.
    func update(_ changes: [RecordChange], where filter: FilterSpec?) throws -> SQLQuery {
        var parameters = SQLParameters(dialect)
        let list = (assignments(changes, &parameters) + [raisedVersion]).joined(separator: ", ")
        let condition = try condition(filter, &parameters)
        return SQLQuery(sql: "UPDATE \(name) SET \(list) WHERE \(condition)", values: parameters.values)
    }

    /// Returns changes as parts of a SET clause.
    func assignments(_ changes: [RecordChange], _ parameters: inout SQLParameters) -> [String] {
        changes.map { change in
            let (column, type) = (columns[change.attribute], entity.attributes[change.attribute].type)
            switch change.operation {
            case .assign(let value): return "\(column) = \(parameters.bind(value, type))"
            case .toggle: return "\(column) = NOT \(column)"
            case .add(let value):
                let value = Int64(exactly: value).map(FieldValue.int64) ?? .double(value)
                return "\(column) = \(column) + \(parameters.bind(value, type))"
            case .draw: preconditionFailure("one statement draws no value for each record")
            }
        }
    }

    /// The statement that records the largest key in use, which is its parameter, where the database keeps it.
    var keepingLastKey: String { "UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, ?) WHERE Z_ENT = \(number)" }

    /// The same for the largest key of the rows.
    var keepingLastKeyOfRows: String {
        "UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, (SELECT max(Z_PK) FROM \(name))) WHERE Z_ENT = \(number)"
    }

    /// The part of a SET clause that counts a save.
    var raisedVersion: String { "\(version) = \(version) + 1" }
}
