/// How SQL of a database differs where statements about several tables are otherwise the same: both databases take
/// parameters that are called `$1`.
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

    /// Returns an integer as the value of a column.
    func integer(_ value: Int64) -> String {
        switch self {
        case .sqlite: "\(value)"
        case .postgreSQL: "\(value)::bigint"
        }
    }

    /// The type of a column of keys.
    var keyType: String {
        switch self {
        case .sqlite: "INTEGER"
        case .postgreSQL: "bigint"
        }
    }
}
