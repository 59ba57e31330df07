/// One statement covers each run of consecutive keys.
extension Connection: KeyedWriter {
    /// A transaction that writes holds the only write lock of the file.
    func lock(_ keys: KeyRuns, in table: String) {}

    func write(
        _ sql: String, whose column: String, isIn keys: KeyRuns, and condition: String?
    ) throws(StoreError) {
        let sql = "\(sql) WHERE \(column) BETWEEN ? AND ?\(condition.map { " AND \($0)" } ?? "")"
        let statement = try statement(sql)
        for run in keys {
            statement.bind(1, run.lowerBound)
            statement.bind(2, run.upperBound)
            try statement.run()
            countRows(changes)
        }
    }

    func forEachRow(
        _ columns: [String], of table: String, whose column: String, isIn keys: KeyRuns,
        _ body: (Int64, Int64, Int64) -> Void
    ) throws(StoreError) {
        let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE \(column) BETWEEN ? AND ?"
        let statement = try statement(sql)
        for run in keys {
            statement.bind(1, run.lowerBound)
            statement.bind(2, run.upperBound)
            while try statement.step() {
                body(
                    statement.int64(0), columns.count > 1 ? statement.int64(1) : 0,
                    columns.count > 2 ? statement.int64(2) : 0)
            }
        }
    }

    /// Up to this number, targets are looked up one by one, which costs less than sorting them.
    private static let few = 4

    /// The save holds the only write lock of the file.
    func forEachTarget(
        in table: EntityTable, _ keys: Set<Int64>, _ body: (_ key: Int64, _ entity: Int64) -> Void
    ) throws(StoreError) {
        guard keys.count <= Self.few else {
            return try forEachRow(
                ["Z_PK", "Z_ENT"], of: table.name, whose: "Z_PK", isIn: KeyRuns(keys)
            ) { key, entity, _ in body(key, entity) }
        }
        let statement = try statement(.target(root: table.source.rootIndex)) {
            "SELECT Z_ENT FROM \(table.name) WHERE Z_PK = ?"
        }
        for key in keys {
            statement.bind(1, key)
            while try statement.step() { body(key, statement.int64(0)) }
        }
    }
}
