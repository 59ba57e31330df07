import BenchHarness

/// Plants values in a store by SQL, through a connection of its own.
struct RecordPlanter<Database: SQLDatabase>: StorePlanter {
    let database: Database
    /// Makes the records, without the planted values.
    let generator: RecordGenerator

    func plant(_ values: PlantedValues) throws {
        let connection = try database.connectForUpkeep()
        try connection.transaction { try write(values, on: connection) }
        try database.settle(on: connection)
        try connection.close()
    }

    private func write(_ values: PlantedValues, on connection: Database.Connection) throws {
        guard let last = values.records.keys.max() else { return }
        let table = database.table
        let key = try keys(through: last, on: connection)
        for (ordinal, record) in values.records {
            for (attribute, value) in record {
                let statement = try connection.statement(
                    "UPDATE \(table.name) SET \(table.columns[attribute]) = $1 WHERE \(table.key) = $2")
                let affected = try connection.run(statement) { parameters in
                    try parameters.append(value, as: table.entity.attributes[attribute].type)
                    try parameters.append(key(ordinal))
                }
                guard affected == 1 else {
                    throw DriverError(.corrupt, "\(table.name) has no row with key \(key(ordinal))")
                }
            }
        }
    }

    /// Returns what tells the key of a record by its ordinal, for ordinals up to one.
    ///
    /// A save of objects gives keys to one entity after another. So where several share a table, the keys ascend with
    /// the ordinals among the rows of each entity, not of all.
    private func keys(through last: Int, on connection: Database.Connection) throws -> (Int) -> Int64 {
        let table = database.table
        guard let kindAttribute = table.entity.kindAttribute else { return RecordTable.key }
        let sql =
            "SELECT \(table.key), \(table.columns[kindAttribute]) FROM \(table.name) ORDER BY \(table.key)"
        var rows: [Int64: [Int64]] = [:]
        try connection.read(SQLQuery(sql: sql, values: []), isKept: false) { row in
            rows[row.int64(1), default: []].append(row.int64(0))
        }
        var next = rows.mapValues { $0[...] }
        let keys = (0...last).map { next[generator.kind($0)]?.popFirst() ?? 0 }
        return { keys[$0] }
    }
}
