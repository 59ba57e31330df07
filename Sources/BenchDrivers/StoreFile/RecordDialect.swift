import BenchHarness

/// How SQL of a database differs where statements are otherwise the same.
enum RecordDialect: Sendable {
    case sqlite
    case postgreSQL

    /// Returns the name of a column or table as statements spell it. A server folds the case of a name without quotes.
    func identifier(_ name: String) -> String {
        switch self {
        case .sqlite: RecordTable.quoted(name)
        case .postgreSQL: "\"" + name.replacing("\"", with: "\"\"") + "\""
        }
    }

    /// Returns the name of a table that only the connection sees.
    func temporary(_ name: String) -> String {
        switch self {
        case .sqlite: "temp." + identifier(name)
        case .postgreSQL: "pg_temp." + identifier(name)
        }
    }

    /// Returns an expression as one of a type. A server adds integers to a number of any length.
    func cast(_ expression: String, to type: FieldType) -> String {
        switch self {
        case .sqlite: expression
        case .postgreSQL: "\(expression)::\(ServerType(type).name)"
        }
    }

    /// Returns the parameter of a statement that comes after those before `number`.
    func parameter(_ number: Int) -> String { self == .sqlite ? "?" : "$\(number)" }

    /// Returns a parameter that has come before.
    func repeated(_ number: Int) -> String { self == .sqlite ? "?\(number)" : "$\(number)" }

    func literal(_ value: Bool) -> String {
        switch self {
        case .sqlite: value ? "1" : "0"
        case .postgreSQL: value ? "TRUE" : "FALSE"
        }
    }

    /// Compares a key with the parameter of ``RecordTable/selectionOfKeys``: a key in SQLite, many on a server.
    var isOneOfKeys: String { self == .sqlite ? "= ?" : "= ANY($1)" }

    /// Whether rows that are equal in an order stay in that of their keys.
    var sortsStably: Bool { self == .sqlite }

    /// Whether a table has the largest key of each entity, and the database chooses the keys of new rows.
    var keepsLastKeys: Bool { self == .sqlite }

    /// Sorts null values first, as SQLite does by itself.
    var nullsFirst: String { self == .sqlite ? "" : " NULLS FIRST" }

    /// Sorts descending, and null values last.
    var descending: String { self == .sqlite ? " DESC" : " DESC NULLS LAST" }

    /// Has a row that is read to be changed locked, where other writers may change it in between.
    var lock: String { self == .sqlite ? "" : " FOR UPDATE" }

    /// The type of a column of keys.
    var keyType: String {
        switch self {
        case .sqlite: "INTEGER"
        case .postgreSQL: "bigint"
        }
    }
}
