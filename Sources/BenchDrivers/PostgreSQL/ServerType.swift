import BenchHarness
import CPostgres

/// The types of columns and parameters, by the server's numbers for them.
enum ServerType: Oid {
    case boolean = 16
    case bytea = 17
    case bigint = 20
    case text = 25
    case double = 701

    init(_ type: FieldType) {
        switch type {
        case .bool: self = .boolean
        case .int64: self = .bigint
        case .date, .double: self = .double
        case .string: self = .text
        case .data: self = .bytea
        }
    }

    /// The type of a column. Texts sort by their bytes, as in SQLite.
    var declaration: String { self == .text ? "text COLLATE \"C\"" : name }

    /// The name in a cast.
    var name: String {
        switch self {
        case .boolean: "boolean"
        case .bytea: "bytea"
        case .bigint: "bigint"
        case .text: "text"
        case .double: "double precision"
        }
    }

    /// The number of the type of its arrays.
    var arrayType: Oid {
        switch self {
        case .boolean: 1000
        case .bytea: 1001
        case .bigint: 1016
        case .text: 1009
        case .double: 1022
        }
    }
}
