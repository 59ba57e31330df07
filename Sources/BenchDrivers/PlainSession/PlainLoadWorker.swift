import BenchHarness
import DriverSupport
import Foundation
import Locking

/// A worker of a load on bare SQLite: a connection of its own, a statement for each thing to do, a transaction for each
/// operation that writes.
///
/// Changes are made in the statement, without reading the row, as SQL written by hand does. So no other writer can have
/// changed a row in between, and there are no conflicts.
final class PlainLoadWorker<Record: PlainRecord>: LoadWorker {
    private let table: RecordTable
    private let connection: PlainConnection
    private let records: RecordGenerator
    private let binder: RecordBinder
    private let identity: RecordIdentity
    /// The scenario's own changes.
    private let set: SQLAssignments
    /// Workers of one process take turns at it where the technique says so; otherwise at the file's lock.
    private let turn: Locked<Void>?
    private let didClose: @Sendable (StoreCounters) -> Void
    /// Nil once the worker is closed.
    private var statements: LoadStatements?

    /// - Parameter didClose: Takes what the connection counted.
    init(
        _ work: LoadWork, _ table: RecordTable, _ records: RecordGenerator, on connection: PlainConnection,
        turn: Locked<Void>?,
        didClose: @escaping @Sendable (StoreCounters) -> Void
    ) throws {
        self.table = table
        self.connection = connection
        self.records = records
        binder = RecordBinder(records)
        identity = try RecordIdentity(of: table.entity)
        set = SQLAssignments(try RecordChange.resolve(work.saves?.set ?? [], of: table.entity), table: table)
        self.turn = turn
        self.didClose = didClose
        statements = LoadStatements(on: connection, table, key: identity.attribute, set: set.clauses)
    }

    func perform(_ operation: LoadOperation) throws -> LoadOutcome {
        do {
            guard operation.writes else { return try read(operation) ? .done : .missing }
            if let turn {
                try turn.withLock { _ in try transaction { try write(operation) } }
            } else {
                try transaction { try write(operation) }
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

    private func read(_ operation: LoadOperation) throws -> Bool {
        for ordinal in operation.reads {
            if try select(.read, [key(ordinal)]) == 0 { return false }
        }
        if let scan = operation.scan { _ = try select(.scan, [key(scan.lowerBound), .int64(Int64(scan.count))]) }
        return true
    }

    /// Reads every attribute of the rows that match.
    private func select(_ step: LoadStep, _ bindings: [FieldValue]) throws -> Int {
        let statement = try statement(step)
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
        for ordinal in operation.deletes { try runOnOneRow(.delete, [key(ordinal)]) }
    }

    private func insert(_ ordinals: Range<Int>) throws {
        let statement = try statement(.insert)
        for ordinal in ordinals {
            try binder.bind(ordinal, to: statement, from: 1)
            try statement.run()
        }
        try run(.keepLastKey, [.int64(RecordTable.key(ordinals.upperBound - 1))])
    }

    private func change(_ ordinal: Int, _ change: LoadChange) throws {
        switch change {
        case .set: try runOnOneRow(.set, set.bindings + [key(ordinal)])
        case .attributes(let attributes, let revision):
            let values = attributes.map { records.value($0, ordinal, revision: revision) }
            try runOnOneRow(.assign(attributes), values + [key(ordinal)])
        }
    }

    /// Runs `body` in a write transaction, which is rolled back when it throws.
    private func transaction(_ body: () throws -> Void) throws {
        try run(.begin)
        do {
            try body()
            try run(.commit)
        } catch {
            // Some failures have ended the transaction already; another one here would only hide the first.
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

/// An operation is about a record that is not there; its transaction is rolled back.
private struct MissingRecord: Error {}
