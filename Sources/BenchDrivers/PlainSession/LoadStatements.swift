/// What a worker of a load on bare SQLite does, a statement for each.
enum LoadStep: Hashable {
    case begin, commit, rollback
    case read, scan, insert, keepLastKey, delete
    /// Makes the scenario's own changes.
    case set
    /// Gives the attributes at these positions other values.
    case assign([Int])
}

/// The statements of a worker, each written and prepared when it is needed first, and never again: putting text
/// together for each record would make a strawman of the baseline.
struct LoadStatements {
    private let connection: PlainConnection
    private let table: RecordTable
    /// The column that tells records apart.
    private let key: String
    /// What ``LoadStep/set`` sets.
    private let clauses: [String]
    private var prepared: [LoadStep: PlainStatement] = [:]

    init(on connection: PlainConnection, _ table: RecordTable, key attribute: Int, set clauses: [String]) {
        self.connection = connection
        self.table = table
        key = table.columns[attribute]
        self.clauses = clauses
    }

    /// The statement for a step, to be bound and run.
    mutating func statement(_ step: LoadStep) throws -> PlainStatement {
        if let statement = prepared[step] { return statement }
        let statement = try connection.prepare(sql(step))
        prepared[step] = statement
        return statement
    }

    private func sql(_ step: LoadStep) -> String {
        switch step {
        case .begin: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .rollback: "ROLLBACK"
        case .read: select + "\(key) = ?"
        case .scan: select + "\(key) >= ? ORDER BY \(key) LIMIT ?"
        case .insert: insertion
        case .keepLastKey: "UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, ?) WHERE Z_ENT = 1"
        case .delete: "DELETE FROM \(table.name) WHERE \(key) = ?"
        case .set: update(clauses)
        case .assign(let attributes): update(attributes.map { "\(table.columns[$0]) = ?" })
        }
    }

    private var select: String { "SELECT \(table.selectList) FROM \(table.name) WHERE " }

    private var insertion: String {
        let columns = (["Z_PK", "Z_ENT", "Z_OPT"] + table.columns).joined(separator: ", ")
        let values = String(repeating: ", ?", count: table.columns.count)
        return "INSERT INTO \(table.name) (\(columns)) VALUES (?, 1, 1\(values))"
    }

    private func update(_ clauses: [String]) -> String {
        let list = (clauses + ["Z_OPT = Z_OPT + 1"]).joined(separator: ", ")
        return "UPDATE \(table.name) SET \(list) WHERE \(key) = ?"
    }
}
