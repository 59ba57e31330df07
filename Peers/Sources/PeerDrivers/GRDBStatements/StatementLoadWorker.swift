import BenchHarness
import DriverSupport
import GRDB

/// A worker of a load: reads through one of the pool's readers, writes in its turn through the one writer, a
/// transaction for each operation.
final class StatementLoadWorker<Record: StatementRecord>: LoadWorker {
    private let session: GRDBSession<StatementTechnique<Record>>.Parts
    private let identity: RecordIdentity
    private let table: String
    private let columns: [String]
    private let keyColumn: String

    init(_ session: GRDBSession<StatementTechnique<Record>>.Parts, _ identity: RecordIdentity) {
        self.session = session
        self.identity = identity
        table = session.table.name.quotedDatabaseIdentifier
        columns = session.table.columns.map(\.quotedDatabaseIdentifier)
        keyColumn = columns[identity.attribute]
    }

    func perform(_ operation: LoadOperation, reading: inout LoadReading) throws -> LoadOutcome {
        do {
            if operation.writes {
                try session.pool.write { try write(operation, in: $0, &reading) }
            } else {
                try session.pool.read { try read(operation, in: $0, &reading) }
            }
            return .done
        } catch is MissingRecord {
            return .missing
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return .busy
        }
    }

    /// The pool is the session's, and stays open.
    func close() throws {}

    // MARK: Reading

    private func read(_ operation: LoadOperation, in db: Database, _ reading: inout LoadReading) throws {
        for ordinal in operation.reads {
            let found = try select("\(keyColumn) = ?", [identity.key(of: ordinal)], in: db, &reading)
            if found == 0 { throw MissingRecord() }
        }
        if let scan = operation.scan {
            let first = identity.key(of: scan.lowerBound)
            _ = try select("\(keyColumn) >= ? ORDER BY \(keyColumn) LIMIT ?", [first, scan.count], in: db, &reading)
        }
    }

    /// Reads every attribute of the rows that match.
    private func select(
        _ condition: String, _ arguments: StatementArguments, in db: Database, _ reading: inout LoadReading
    ) throws -> Int {
        let list = (["Z_PK", "Z_OPT"] + columns).joined(separator: ", ")
        let statement = try db.cachedStatement(sql: "SELECT \(list) FROM \(table) WHERE \(condition)")
        statement.setUncheckedArguments(arguments)
        let found = try Record.fetchAll(statement)
        for record in found {
            record.digest(into: &reading.values, entity: session.table.entity)
            reading.endRecord(version: Int(record.version))
        }
        return found.count
    }

    // MARK: Writing

    private func write(_ operation: LoadOperation, in db: Database, _ reading: inout LoadReading) throws {
        try read(operation, in: db, &reading)
        try insert(operation, in: db)
        for (place, ordinal) in operation.changes.enumerated() { try change(ordinal, operation, place, in: db) }
        for ordinal in operation.deletes {
            try runOnOneRow("DELETE FROM \(table) WHERE \(keyColumn) = ?", [identity.key(of: ordinal)], in: db)
        }
    }

    private func insert(_ operation: LoadOperation, in db: Database) throws {
        guard let last = operation.inserts.last else { return }
        let statement = try db.cachedStatement(sql: session.table.insertion)
        for (ordinal, values) in zip(operation.inserts, operation.inserted) {
            let key = RecordTable.key(ordinal).databaseValue
            statement.setUncheckedArguments(StatementArguments([key] + values.map(\.databaseValue)))
            try statement.execute()
        }
        try db.execute(
            sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, ?) WHERE Z_ENT = ?",
            arguments: [RecordTable.key(last), session.table.number])
    }

    /// - Parameter place: The place of the record in the operation's list.
    private func change(_ ordinal: Int, _ operation: LoadOperation, _ place: Int, in db: Database) throws {
        switch operation.change {
        case .set(let set):
            let assignments = try RecordChange.resolve(set, of: session.table.entity).map(session.table.assignment)
            let changed = try Table(session.table.name)
                .filter(Column(session.table.columns[identity.attribute]) == identity.key(of: ordinal))
                .updateAll(db, assignments + [Column("Z_OPT") += 1])
            if changed != 1 { throw MissingRecord() }
        case .attributes(let attributes, _):
            let list = attributes.map { "\(columns[$0]) = ?, " }.joined()
            let values = operation.assigned[place].map(\.databaseValue)
            try runOnOneRow(
                "UPDATE \(table) SET \(list)Z_OPT = Z_OPT + 1 WHERE \(keyColumn) = ?",
                StatementArguments(values + [identity.key(of: ordinal).databaseValue]), in: db)
        }
    }

    private func runOnOneRow(_ sql: String, _ arguments: StatementArguments, in db: Database) throws {
        let statement = try db.cachedStatement(sql: sql)
        statement.setUncheckedArguments(arguments)
        try statement.execute()
        if db.changesCount != 1 { throw MissingRecord() }
    }
}

/// An operation is about a record that is not there; its transaction is rolled back.
private struct MissingRecord: Error {}
