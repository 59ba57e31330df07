import BenchHarness

/// The rows of other records, by their tables, that deny a deletion unless they are deleted as well.
typealias DenyingRows = [(table: RecordTable, keys: [Int64])]

/// What delete rules ask of a deletion of records, in the caller's transaction.
extension Technique {
    /// Returns records, and those of their table that are deleted with them.
    func withFollowers(of records: [Record], on connection: Connection) throws -> [Record] {
        if table.cascadingColumns.isEmpty { return records }
        let keys = records.map(\.key)
        let all = try find(table.closure(of: "\(table.key) \(Self.isGiven)"), for: keys, on: connection)
        return records + (try read(Set(all).subtracting(keys).sorted(), on: connection))
    }

    /// Returns the rows that deny the deletion of records, unless they are deleted as well.
    func denying(_ records: [Record], on connection: Connection) throws -> DenyingRows {
        try table.denials(of: Self.isGiven).map { table, query in
            (table, try find(query, for: records.map(\.key), on: connection))
        }
    }

    /// Returns the rows that deny the deletion of the collected rows, unless they are deleted as well.
    func denyingCollected(on connection: Connection) throws -> DenyingRows {
        try table.denials(of: table.collected).map { table, query in
            var keys: [Int64] = []
            try connection.read(SQLQuery(sql: query), isKept: false) { keys.append($0.int64(0)) }
            return (table, keys)
        }
    }

    /// Deletes what belongs to deleted records; what else led to them from other tables leads nowhere.
    func deleteBelongings(of records: [Record], on connection: Connection) throws {
        try run(table.cascadingDeletions(of: Self.isGiven), for: records, on: connection)
    }

    /// Has records lead nowhere that led to deleted ones of their table.
    func forget(_ records: [Record], on connection: Connection) throws {
        try run(table.losses(of: Self.isGiven), for: records, on: connection)
    }

    /// Runs statements for the keys of records, which are copied only if there are statements.
    private func run(_ statements: [String], for records: [Record], on connection: Connection) throws {
        if !statements.isEmpty { try run(statements, for: records.map(\.key), on: connection) }
    }

    /// Refuses a deletion that has left any of the rows that deny it.
    func refuse(by rows: DenyingRows, on connection: Connection) throws {
        for (table, keys) in rows {
            let query = "SELECT \(table.key) FROM \(table.name) WHERE \(table.key) \(Self.isGiven)"
            if try !find(query, for: keys, on: connection).isEmpty { throw DeniedDeletion() }
        }
    }
}
