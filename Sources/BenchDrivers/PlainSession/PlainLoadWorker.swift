import BenchHarness
import Foundation

/// A worker of a load on bare SQLite: a connection of its own, a statement for each thing to do, a transaction for each
/// operation that writes.
///
/// Changes are made in the statement, without reading the row: nobody who writes SQL by hand would do otherwise. So nobody
/// can have changed a row in between, and there are no conflicts.
final class PlainLoadWorker<Record: PlainRecord>: LoadWorker {
    private let table: RecordTable
    private let connection: Connection
    private let records: RecordGenerator
    private let identity: RecordIdentity
    /// Workers of one process take turns at it where the technique says so; otherwise at the file's lock.
    private let turn: NSLock?
    private let didClose: @Sendable (StoreCounters) -> Void
    private var statements: [String: Statement] = [:]

    /// - Parameter didClose: Takes what the connection counted.
    init(
        _ table: RecordTable, _ records: RecordGenerator, _ identity: RecordIdentity, on connection: Connection,
        turn: NSLock?, didClose: @escaping @Sendable (StoreCounters) -> Void
    ) {
        self.table = table
        self.connection = connection
        self.records = records
        self.identity = identity
        self.turn = turn
        self.didClose = didClose
    }

    func perform(_ operation: LoadOperation) throws -> LoadOutcome {
        do {
            guard operation.writes else { return try read(operation) ? .done : .missing }
            turn?.lock()
            defer { turn?.unlock() }
            try transaction { try write(operation) }
            return .done
        } catch is MissingRecord {
            return .missing
        } catch let error as DriverError where error.code == .busy {
            return .busy
        }
    }

    func close() throws {
        statements = [:]
        didClose(connection.counters)
        try connection.close()
    }

    // MARK: Reading

    private func read(_ operation: LoadOperation) throws -> Bool {
        for ordinal in operation.reads {
            if try select("\(keyColumn) = ?", [.int64(identity.key(of: ordinal))]) == 0 { return false }
        }
        if let scan = operation.scan {
            let bindings = [identity.key(of: scan.lowerBound), Int64(scan.count)]
            _ = try select("\(keyColumn) >= ? ORDER BY \(keyColumn) LIMIT ?", bindings.map { .int64($0) })
        }
        return true
    }

    /// Reads every attribute of the rows that match.
    private func select(_ condition: String, _ bindings: [FieldValue]) throws -> Int {
        let statement = try prepare("SELECT \(table.selectList) FROM \(table.name) WHERE \(condition)")
        defer { statement.reset() }
        try statement.bind(bindings)
        let found = try Record.readAll(from: statement, of: table)
        BlackHole.consume(found.reduce(0) { $0 &+ $1.touch() })
        return found.count
    }

    // MARK: Writing

    private func write(_ operation: LoadOperation) throws {
        guard try read(operation) else { throw MissingRecord() }
        if !operation.inserts.isEmpty { try insert(operation.inserts) }
        for ordinal in operation.changes { try change(ordinal, operation.change) }
        for ordinal in operation.deletes {
            try runOnOneRow("DELETE FROM \(table.name) WHERE \(keyColumn) = ?", [.int64(identity.key(of: ordinal))])
        }
    }

    private func insert(_ ordinals: Range<Int>) throws {
        let columns = (["Z_PK", "Z_ENT", "Z_OPT"] + table.columns).joined(separator: ", ")
        let values = String(repeating: ", ?", count: table.columns.count)
        let statement = try prepare("INSERT INTO \(table.name) (\(columns)) VALUES (?, 1, 1\(values))")
        let binder = RecordBinder(records)
        for ordinal in ordinals {
            try binder.bind(ordinal, to: statement, from: 1)
            try statement.run()
        }
        try run(
            "UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, ?) WHERE Z_ENT = 1",
            [.int64(RecordTable.key(ordinals.upperBound - 1))])
    }

    private func change(_ ordinal: Int, _ change: LoadChange) throws {
        var assignments: [String]
        var bindings: [FieldValue]
        switch change {
        case .set(let set):
            let assigned = SQLAssignments(try RecordChange.resolve(set, table: table), table: table)
            (assignments, bindings) = (assigned.clauses, assigned.bindings)
        case .attributes(let attributes, let revision):
            assignments = attributes.map { "\(table.columns[$0]) = ?" }
            bindings = attributes.map { records.value($0, ordinal, revision: revision) }
        }
        assignments.append("Z_OPT = Z_OPT + 1")
        bindings.append(.int64(identity.key(of: ordinal)))
        let list = assignments.joined(separator: ", ")
        try runOnOneRow("UPDATE \(table.name) SET \(list) WHERE \(keyColumn) = ?", bindings)
    }

    /// Runs `body` in a write transaction, which is rolled back when it throws.
    private func transaction(_ body: () throws -> Void) throws {
        try run("BEGIN IMMEDIATE", [])
        do {
            try body()
            try run("COMMIT", [])
        } catch {
            // Some failures have ended the transaction already; another one here would only hide the first.
            if !connection.isAutocommitting { try? run("ROLLBACK", []) }
            throw error
        }
    }

    private func runOnOneRow(_ sql: String, _ bindings: [FieldValue]) throws {
        try run(sql, bindings)
        if connection.changes != 1 { throw MissingRecord() }
    }

    private func run(_ sql: String, _ bindings: [FieldValue]) throws {
        let statement = try prepare(sql)
        try statement.bind(bindings)
        try statement.run()
    }

    private func prepare(_ sql: String) throws -> Statement {
        if let statement = statements[sql] { return statement }
        let statement = try connection.prepare(sql)
        statements[sql] = statement
        return statement
    }

    private var keyColumn: String { table.columns[identity.attribute] }
}

/// An operation is about a record that is not there; its transaction is rolled back.
private struct MissingRecord: Error {}
