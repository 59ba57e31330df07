import BenchHarness
import DriverSupport
import Foundation
import Locking

/// A worker of a load on a bare database: its own connection, a statement for each step, and a transaction for each
/// operation that writes.
///
/// A statement makes each change without reading the row, as in SQL written by hand, and a record that is read to be
/// changed is locked. So no other writer can change a row in between, and there are no conflicts.
final class SQLLoadWorker<Connection: SQLConnection, Record: SQLRecord>: LoadWorker {
    /// A step of an operation, with its own statement.
    private enum Step: Hashable {
        case read, scan, insert, keepLastKey, delete
        /// Reads a record that is to be changed.
        case lock
        /// Makes the scenario's own changes.
        case set
        /// Sets the attributes at these positions to other values.
        case assign([Int])
    }

    private let table: RecordTable
    private let connection: Connection
    private let identity: RecordIdentity
    /// The column of the key that identifies records.
    private let key: String
    /// The scenario's own changes, and the values of their parameters.
    private let set: (clauses: [String], values: [SQLValue])
    /// The lock at which workers of one process take turns if the technique asks for it; otherwise they use the file's
    /// lock.
    private let turn: Locked<Void>?
    private let didClose: @Sendable (StoreCounters) -> Void
    /// The statements, each prepared once, at its first use: composing text for each record would make a strawman of
    /// the baseline. Nil once the worker is closed.
    private var statements: [Step: Connection.Statement]? = [:]

    /// - Parameter didClose: Receives the connection's counters.
    init(
        _ work: LoadWork, _ table: RecordTable, on connection: Connection, turn: Locked<Void>?,
        didClose: @escaping @Sendable (StoreCounters) -> Void
    ) throws {
        self.table = table
        self.connection = connection
        identity = try RecordIdentity(of: table.entity)
        key = table.columns[identity.attribute]
        var parameters = SQLParameters(table.dialect)
        let changes = try RecordChange.resolve(work.saves?.set ?? [], of: table.entity)
        set = (table.assignments(changes, &parameters), parameters.values)
        self.turn = turn
        self.didClose = didClose
    }

    @_specialize(where Connection == PlainConnection, Record == ItemRecord)
    @_specialize(where Connection == PlainConnection, Record == FieldRecord)
    @_specialize(where Connection == PlainConnection, Record == OwnedItemRecord)
    func perform(_ operation: LoadOperation, reading: inout LoadReading) throws -> LoadOutcome {
        do {
            guard operation.writes else { return try read(operation, into: &reading) ? .done : .missing }
            if let turn {
                try turn.withLock { _ in try write(operation, reading: &reading) }
            } else {
                try write(operation, reading: &reading)
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
        let step = operation.writes ? Step.lock : .read
        for ordinal in operation.reads {
            if try select(step, identity.key(of: ordinal), into: &reading) == 0 { return false }
        }
        if let scan = operation.scan {
            _ = try select(.scan, identity.key(of: scan.lowerBound), count: scan.count, into: &reading)
        }
        return true
    }

    /// Reads every attribute of the matching rows.
    private func select(
        _ step: Step, _ key: Int64, count: Int? = nil, into reading: inout LoadReading
    ) throws -> Int {
        var found: [Record] = []
        try connection.read(statement(step)) { values in
            try values.append(key)
            if let count { try values.append(Int64(count)) }
        } row: { row in
            found.append(Record(row: row, of: table))
        }
        for record in found {
            record.digest(into: &reading.values)
            reading.endRecord(version: Int(record.version))
        }
        return found.count
    }

    // MARK: Writing

    private func write(_ operation: LoadOperation, reading: inout LoadReading) throws {
        if Connection.commitsStatements, operation.isOneStatement { return try write(operation) }
        try connection.transaction {
            guard try read(operation, into: &reading) else { throw MissingRecord() }
            try write(operation)
        }
    }

    private func write(_ operation: LoadOperation) throws {
        if !operation.inserts.isEmpty { try insert(operation.inserts, operation.inserted) }
        try change(operation)
        let first = operation.deletes.startIndex
        try runOnOneRow(.delete, count: operation.deletes.count) { position, values in
            try values.append(identity.key(of: operation.deletes[first + position]))
        }
    }

    private func insert(_ ordinals: Range<Int>, _ records: [[FieldValue]]) throws {
        let attributes = table.entity.attributes
        try connection.runEach(statement(.insert), count: records.count) { position, values in
            try values.append(RecordTable.key(ordinals.lowerBound + position))
            for (attribute, value) in records[position].enumerated() {
                try values.append(value, as: attributes[attribute].type)
            }
        }
        if table.dialect.keepsLastKeys {
            try connection.run(statement(.keepLastKey)) { try $0.append(RecordTable.key(ordinals.upperBound - 1)) }
        }
    }

    private func change(_ operation: LoadOperation) throws {
        switch operation.change {
        case .set:
            try runOnOneRow(.set, count: operation.changes.count) { position, values in
                try values.append(set.values)
                try values.append(identity.key(of: operation.changes[position]))
            }
        case .attributes(let attributes, _):
            try runOnOneRow(.assign(attributes), count: operation.changes.count) { position, values in
                for (attribute, value) in zip(attributes, operation.assigned[position]) {
                    try values.append(value, as: table.entity.attributes[attribute].type)
                }
                try values.append(identity.key(of: operation.changes[position]))
            }
        }
    }

    /// Runs a statement for each of some records, which must be there.
    private func runOnOneRow(
        _ step: Step, count: Int, bind: (Int, inout Connection.Values) throws -> Void
    ) throws {
        if count == 0 { return }
        try connection.runEach(statement(step), count: count, bind: bind) { _, affected in
            if affected != 1 { throw MissingRecord() }
        }
    }

    // MARK: Statements

    private func statement(_ step: Step) throws -> Connection.Statement {
        if let statement = statements?[step] { return statement }
        if statements == nil { throw DriverError(.invalidRequest, "the worker is closed") }
        let statement = try connection.ownStatement(sql(step))
        statements?[step] = statement
        return statement
    }

    private func sql(_ step: Step) -> String {
        switch step {
        case .read: select + "\(key) = $1"
        case .lock: select + "\(key) = $1" + table.dialect.lock
        case .scan: select + "\(key) >= $1 ORDER BY \(key)\(table.dialect.nullsFirst) LIMIT $2"
        case .insert: table.insertion(rows: 1)
        case .keepLastKey: table.keepingLastKey
        case .delete: "DELETE FROM \(table.name) WHERE \(key) = $1"
        case .set: update(set.clauses, keyAt: set.values.count + 1)
        case .assign(let attributes):
            update(
                attributes.enumerated().map { "\(table.columns[$1]) = \(table.dialect.parameter($0 + 1))" },
                keyAt: attributes.count + 1)
        }
    }

    private var select: String { "SELECT \(table.selectList) FROM \(table.name) WHERE " }

    private func update(_ clauses: [String], keyAt number: Int) -> String {
        let list = (clauses + [table.raisedVersion]).joined(separator: ", ")
        return "UPDATE \(table.name) SET \(list) WHERE \(key) = \(table.dialect.parameter(number))"
    }
}

extension LoadOperation {
    /// Whether one statement does everything.
    fileprivate var isOneStatement: Bool {
        reads.isEmpty && scan == nil && inserts.count + changes.count + deletes.count == 1
    }
}

/// The error of an operation on a record that does not exist; its transaction is rolled back.
private struct MissingRecord: Error {}
