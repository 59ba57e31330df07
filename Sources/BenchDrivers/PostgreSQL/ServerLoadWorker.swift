import BenchHarness
import DriverSupport
import Foundation

/// A worker of a load on a bare server: its own connection, a prepared statement for each step, and a transaction for
/// each operation that writes.
///
/// A statement makes each change without reading the row, as in SQL written by hand, and a record that is read to be
/// changed is locked. So no other writer can change a row in between, and there are no conflicts.
final class ServerLoadWorker<Record: ServerRecord>: LoadWorker {
    private let table: ServerTable
    private let connection: ServerConnection
    private let identity: RecordIdentity
    /// The scenario's own changes.
    private let set: ServerAssignments
    private let didClose: @Sendable (StoreCounters) -> Void
    /// The texts of the statements, each composed once, at its first use.
    private var texts: [Step: String] = [:]

    /// - Parameter didClose: Receives the connection's counters.
    init(
        _ work: LoadWork, _ table: ServerTable, on connection: ServerConnection,
        didClose: @escaping @Sendable (StoreCounters) -> Void
    ) throws {
        self.table = table
        self.connection = connection
        identity = try RecordIdentity(of: table.entity)
        set = ServerAssignments(try RecordChange.resolve(work.saves?.set ?? [], of: table.entity), table: table)
        self.didClose = didClose
    }

    func perform(_ operation: LoadOperation, reading: inout LoadReading) throws -> LoadOutcome {
        do {
            guard operation.writes else { return try read(operation, into: &reading) ? .done : .missing }
            // One statement is a transaction by itself.
            if operation.reads.isEmpty, operation.isOneStatement {
                try write(operation)
            } else {
                try connection.transaction {
                    guard try read(operation, into: &reading) else { throw MissingRecord() }
                    try write(operation)
                }
            }
            return .done
        } catch is MissingRecord {
            return .missing
        } catch let error as DriverError where error.code == .busy {
            return .busy
        }
    }

    func close() {
        didClose(connection.counters)
        connection.close()
    }

    // MARK: Reading

    private func read(_ operation: LoadOperation, into reading: inout LoadReading) throws -> Bool {
        let step = operation.writes ? Step.lock : .read
        for ordinal in operation.reads {
            if try select(step, [identity.key(of: ordinal)], into: &reading) == 0 { return false }
        }
        if let scan = operation.scan {
            _ = try select(.scan, [identity.key(of: scan.lowerBound), Int64(scan.count)], into: &reading)
        }
        return true
    }

    /// Reads every attribute of the matching rows.
    private func select(_ step: Step, _ keys: [Int64], into reading: inout LoadReading) throws -> Int {
        var values = ServerValues()
        for key in keys { values.append(key) }
        let answer = try connection.run(text(step), values)
        connection.didRead(answer.rows)
        for number in 0..<answer.rows {
            let record = Record(row: answer.row(number), of: table)
            record.digest(into: &reading.values)
            reading.endRecord(version: Int(record.version))
        }
        return answer.rows
    }

    // MARK: Writing

    private func write(_ operation: LoadOperation) throws {
        try insert(operation.inserts, operation.inserted)
        try change(operation)
        let deletes = Array(operation.deletes)
        try runOnOneRow(.delete, count: deletes.count) { position, values in
            values.append(identity.key(of: deletes[position]))
        }
    }

    private func insert(_ ordinals: Range<Int>, _ records: [[FieldValue]]) throws {
        guard !ordinals.isEmpty else { return }
        let types = table.entity.attributes.map(\.type)
        try runOnOneRow(.insert, count: records.count) { position, values in
            values.append(RecordTable.key(ordinals.lowerBound + position))
            values.append(1 as Int64)
            values.append(Int64(table.records.number))
            for (value, type) in zip(records[position], types) { values.append(value, as: type) }
        }
    }

    private func change(_ operation: LoadOperation) throws {
        switch operation.change {
        case .set:
            try runOnOneRow(.set, count: operation.changes.count) { position, values in
                values = set.values
                values.append(identity.key(of: operation.changes[position]))
            }
        case .attributes(let attributes, _):
            let types = attributes.map { table.entity.attributes[$0].type }
            try runOnOneRow(.assign(attributes), count: operation.changes.count) { position, values in
                for (value, type) in zip(operation.assigned[position], types) { values.append(value, as: type) }
                values.append(identity.key(of: operation.changes[position]))
            }
        }
    }

    private func text(_ step: Step) -> String {
        if let text = texts[step] { return text }
        let text = compose(step)
        texts[step] = text
        return text
    }

    private func compose(_ step: Step) -> String {
        let key = table.columns[identity.attribute]
        let select = "SELECT \(table.selectList) FROM \(table.name) WHERE \(key) "
        func update(_ clauses: [String], keyAt parameter: Int) -> String {
            let list = (clauses + ["\"Z_OPT\" = \"Z_OPT\" + 1"]).joined(separator: ", ")
            return "UPDATE \(table.name) SET \(list) WHERE \(key) = $\(parameter)"
        }
        return switch step {
        case .read: select + "= $1"
        case .lock: select + "= $1 FOR UPDATE"
        // In the order of the index.
        case .scan: select + ">= $1 ORDER BY \(key) NULLS FIRST LIMIT $2"
        case .insert: table.insertion
        case .delete: "DELETE FROM \(table.name) WHERE \(key) = $1"
        case .set: update(set.clauses, keyAt: set.values.count + 1)
        case .assign(let attributes):
            update(
                attributes.enumerated().map { "\(table.columns[$1]) = $\($0 + 1)" }, keyAt: attributes.count + 1)
        }
    }

    /// Runs a statement for each of some records, which must be there.
    private func runOnOneRow(
        _ step: Step, count: Int, bind: (Int, inout ServerValues) throws -> Void
    ) throws {
        func check(_ affected: Int) throws {
            if affected != 1 { throw MissingRecord() }
        }
        guard count > 1 else {
            guard count == 1 else { return }
            var values = ServerValues()
            try bind(0, &values)
            return try check(connection.run(text(step), values).affected)
        }
        try connection.pipeline(text(step), count: count, bind: bind) { _, affected in try check(affected) }
    }
}

extension LoadOperation {
    /// Whether one statement writes everything.
    fileprivate var isOneStatement: Bool { inserts.count + changes.count + deletes.count == 1 && scan == nil }
}

/// A step of an operation, with its own statement.
private enum Step: Hashable {
    case read, scan, insert, delete
    /// Reads a record that is to be changed.
    case lock
    /// Makes the scenario's own changes.
    case set
    /// Sets the attributes at these positions to other values.
    case assign([Int])
}

/// The error of an operation on a record that does not exist; its transaction is rolled back.
private struct MissingRecord: Error {}
