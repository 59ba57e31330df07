/// A step of a load's worker on bare SQLite, with its own statement.
enum LoadStep: Hashable {
    case begin, commit, rollback
    case read, scan, insert, keepLastKey, delete
    /// Makes the scenario's own changes.
    case set
    /// Sets the attributes at these positions to other values.
    case assign([Int])
}

/// The statements of a worker, each prepared once, at its first use: composing text for each record would make a
/// strawman of the baseline.
struct LoadStatements {
    private let connection: PlainConnection
    private let table: RecordTable
    /// The column of the key that identifies records.
    private let key: String
    /// The assignments of ``LoadStep/set``.
    private let clauses: [String]
    private var prepared: [LoadStep: PlainStatement] = [:]

    init(on connection: PlainConnection, _ table: RecordTable, key attribute: Int, set clauses: [String]) {
        self.connection = connection
        self.table = table
        key = table.columns[attribute]
        self.clauses = clauses
    }

    /// Returns the statement for a step, ready to bind and run.
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
        case .keepLastKey: "UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, ?) WHERE Z_ENT = \(table.number)"
        case .delete: "DELETE FROM \(table.name) WHERE \(key) = ?"
        case .set: update(clauses)
        case .assign(let attributes): update(attributes.map { "\(table.columns[$0]) = ?" })
        }
    }

    private var select: String { "SELECT \(table.selectList) FROM \(table.name) WHERE " }

    private var insertion: String {
        let columns = (["Z_PK", "Z_ENT", "Z_OPT"] + table.columns).joined(separator: ", ")
        let values = String(repeating: ", ?", count: table.columns.count)
        return "INSERT INTO \(table.name) (\(columns)) VALUES (?, \(table.number), 1\(values))"
    }

    private func update(_ clauses: [String]) -> String {
        let list = (clauses + ["Z_OPT = Z_OPT + 1"]).joined(separator: ", ")
        return "UPDATE \(table.name) SET \(list) WHERE \(key) = ?"
    }
}
