import BenchHarness
import DriverSupport
import Foundation
import Locking

/// A worker of a load on bare SQLite: its own connection, a statement for each step, and a transaction for each
/// operation that writes.
///
/// A statement makes each change without reading the row, as in SQL written by hand. So no other writer can change a
/// row in between, and there are no conflicts.
final class PlainLoadWorker<Record: PlainRecord>: LoadWorker {
    private let table: RecordTable
    private let connection: PlainConnection
    private let identity: RecordIdentity
    /// The scenario's own changes.
    private let set: SQLAssignments
    /// The lock at which workers of one process take turns if the technique asks for it; otherwise they use the file's
    /// lock.
    private let turn: Locked<Void>?
    private let didClose: @Sendable (StoreCounters) -> Void
    /// The statements; nil once the worker is closed.
    private var statements: LoadStatements?

    /// - Parameter didClose: Receives the connection's counters.
    init(
        _ work: LoadWork, _ table: RecordTable, on connection: PlainConnection, turn: Locked<Void>?,
        didClose: @escaping @Sendable (StoreCounters) -> Void
    ) throws {
        self.table = table
        self.connection = connection
        identity = try RecordIdentity(of: table.entity)
        set = SQLAssignments(try RecordChange.resolve(work.saves?.set ?? [], of: table.entity), table: table)
        self.turn = turn
        self.didClose = didClose
        statements = LoadStatements(on: connection, table, key: identity.attribute, set: set.clauses)
    }

    func perform(_ operation: LoadOperation, reading: inout LoadReading) throws -> LoadOutcome {
        do {
            guard operation.writes else { return try read(operation, into: &reading) ? .done : .missing }
            if let turn {
                try turn.withLock { _ in try transaction { try write(operation, reading: &reading) } }
            } else {
                try transaction { try write(operation, reading: &reading) }
            }
            return .done
        } catch is MissingRecord {
            return .missing
        } catch let error as DriverError where error.code == .busy {
            return .busy
        }
    }

    func close() throws {
        statements = nil
        didClose(connection.counters)
        try connection.close()
    }

    // MARK: Reading

    private func read(_ operation: LoadOperation, into reading: inout LoadReading) throws -> Bool {
        for ordinal in operation.reads {
            if try select(.read, [key(ordinal)], into: &reading) == 0 { return false }
        }
        if let scan = operation.scan {
            _ = try select(.scan, [key(scan.lowerBound), .int64(Int64(scan.count))], into: &reading)
        }
        return true
    }

    /// Reads every attribute of the matching rows.
    private func select(
        _ step: LoadStep, _ bindings: [FieldValue], into reading: inout LoadReading
    ) throws -> Int {
        let statement = try statement(step)
        defer { statement.reset() }
        try statement.bind(bindings)
        let found = try Record.readAll(from: statement, of: table)
        for record in found {
            record.digest(into: &reading.values)
            reading.endRecord(version: Int(record.version))
        }
        return found.count
    }

    // MARK: Writing

    private func write(_ operation: LoadOperation, reading: inout LoadReading) throws {
        guard try read(operation, into: &reading) else { throw MissingRecord() }
        if !operation.inserts.isEmpty { try insert(operation.inserts, operation.inserted) }
        try change(operation)
        for ordinal in operation.deletes { try runOnOneRow(.delete, [key(ordinal)]) }
    }

    private func insert(_ ordinals: Range<Int>, _ records: [[FieldValue]]) throws {
        let statement = try statement(.insert)
        for (ordinal, values) in zip(ordinals, records) {
            try statement.bind(RecordTable.key(ordinal), at: 1)
            try statement.bind(values, from: 2)
            try statement.run()
        }
        try run(.keepLastKey, [.int64(RecordTable.key(ordinals.upperBound - 1))])
    }

    private func change(_ operation: LoadOperation) throws {
        switch operation.change {
        case .set: for ordinal in operation.changes { try runOnOneRow(.set, set.bindings + [key(ordinal)]) }
        case .attributes(let attributes, _):
            for (ordinal, values) in zip(operation.changes, operation.assigned) {
                try runOnOneRow(.assign(attributes), values + [key(ordinal)])
            }
        }
    }

    /// Runs `body` in a write transaction, which is rolled back after an error.
    private func transaction(_ body: () throws -> Void) throws {
        try run(.begin)
        do {
            try body()
            try run(.commit)
        } catch {
            // Some failures have ended the transaction already; an error of the rollback would only hide the first
            // error.
            if !connection.isAutocommitting { try? run(.rollback) }
            throw error
        }
    }

    private func runOnOneRow(_ step: LoadStep, _ bindings: [FieldValue]) throws {
        try run(step, bindings)
        if connection.changes != 1 { throw MissingRecord() }
    }

    private func run(_ step: LoadStep, _ bindings: [FieldValue] = []) throws {
        let statement = try statement(step)
        try statement.bind(bindings)
        try statement.run()
    }

    private func statement(_ step: LoadStep) throws -> PlainStatement {
        guard let statement = try statements?.statement(step) else {
            throw DriverError(.invalidRequest, "the worker is closed")
        }
        return statement
    }

    private func key(_ ordinal: Int) -> FieldValue { .int64(identity.key(of: ordinal)) }
}

/// The error of an operation on a record that does not exist; its transaction is rolled back.
private struct MissingRecord: Error {}
