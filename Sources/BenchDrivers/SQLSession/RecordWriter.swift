import BenchHarness
import DriverSupport
import Foundation
import Locking

/// Writes through one connection. Where the database has a single writer at a time, several threads take turns at a
/// lock, which is cheaper and fairer than waiting for the file's lock; elsewhere, the writers of a merge have their own
/// connections.
final class RecordWriter<Method: Technique>: Sendable {
    typealias Connection = Method.Connection

    private let technique: Method
    /// The writing connection; the lock is held during a write.
    private let writer: Locked<Connection>
    /// The connections of the writers of a merge, while none of them writes.
    private let idle = Locked([Connection]())
    private let generator: RecordGenerator
    /// The tables of the many-to-many relationships that the entity declares.
    private let links: [LinkTable]
    /// The statement that records the largest key in use; nil if the database does not keep it.
    private let keepingLastKey: String?
    private var table: RecordTable { technique.table }

    init(_ technique: Method, on connection: Connection, records: RecordGenerator) {
        self.technique = technique
        writer = Locked(connection)
        generator = records
        links = technique.table.links
        keepingLastKey = technique.table.dialect.keepsLastKeys ? technique.table.keepingLastKey : nil
    }

    /// The connections of the writers of a merge, while none of them writes.
    var connections: [Connection] { idle.value }

    /// Gives the writers of a merge their connections.
    func add(_ connections: [Connection]) { idle.withLock { $0 += connections } }

    /// Inserts records in a separate transaction.
    func insert(_ ordinals: Range<Int>) throws {
        try transaction { connection in
            try technique.insert(ordinals, of: generator, on: connection)
            for link in links {
                try technique.insert(link.pairs(ordinals, of: generator), of: link, on: connection)
            }
            try keepLastKey(of: ordinals, connection)
        }
    }

    /// Saves received records in a separate transaction.
    func upsert(_ ordinals: [Int], of records: RecordGenerator) throws {
        let key = try table.entity.requireUniqueAttribute()
        try transaction { connection in
            try technique.upsert(ordinals, of: records, by: key, on: connection)
            guard table.dialect.keepsLastKeys else { return }
            try connection.run(connection.statement(table.keepingLastKeyOfRows)) { _ in }
        }
    }

    /// Makes `changes` in `records` and their rows, and runs a statement on each to link or unlink it, in a separate
    /// transaction.
    func update(_ records: inout [Method.Record], _ changes: [RecordChange], linking links: [String]) throws {
        try transaction { connection in
            if !changes.isEmpty { try technique.update(&records, changes, on: connection) }
            for sql in links { try connection.runEach(connection.statement(sql), keys: records.map(\.key)) }
        }
    }

    /// Changes every matching row in one statement.
    func updateAll(_ changes: [RecordChange], where filter: FilterSpec?) throws {
        let query = try table.update(changes, where: filter)
        try transaction(of: 1) { try $0.execute(query) }
    }

    /// Deletes the rows of records in a separate transaction.
    func delete(_ records: [Method.Record]) throws {
        try transaction { connection in
            let records = try technique.withFollowers(of: records, on: connection)
            let denying = try technique.denying(records, on: connection)
            // First the records: what belongs to them may lead back to some, whose versions would rise.
            try technique.delete(records, on: connection)
            try technique.deleteBelongings(of: records, on: connection)
            try technique.forget(records, on: connection)
            try technique.refuse(by: denying, on: connection)
        }
    }

    /// Deletes every row that a fetch finds, in one statement if nothing else is deleted with it.
    func deleteAll(_ work: FetchWork) throws {
        var parameters = SQLParameters(table.dialect)
        let (first, rest) = table.deletions(where: try table.condition(work, &parameters))
        try transaction(of: first.count + rest.count) { connection in
            for (sql, hasCondition) in first {
                try connection.execute(SQLQuery(sql: sql, values: hasCondition ? parameters.values : []))
            }
            if rest.isEmpty { return }
            let denying = try technique.denyingCollected(on: connection)
            for sql in rest { try connection.execute(SQLQuery(sql: sql)) }
            try technique.refuse(by: denying, on: connection)
        }
    }

    /// Does one save of a writer: reads the records to change, and writes everything in one transaction.
    ///
    /// - Returns: The message to the merging side, which holds the records as they were written, so that it reads
    ///   nothing.
    func save(_ save: MergePlan.Save, _ changes: [RecordChange]) throws -> SavedRecords<Method.Record> {
        let inserted = save.inserts.map { Method.Record($0, of: generator) }
        let deleted = save.deletes.map(RecordTable.key)
        let changed = try transaction { connection in
            try technique.insert(inserted, on: connection)
            try keepLastKey(of: save.inserts, connection)
            var changed = try readAll(save.changes.map(RecordTable.key), connection)
            if !changed.isEmpty { try technique.update(&changed, changes, on: connection) }
            try technique.delete(readAll(deleted, connection), on: connection)
            return changed
        }
        return SavedRecords(written: inserted + changed, deleted: deleted)
    }

    /// Runs `body` in a transaction of its own, on a connection that no other writer uses meanwhile.
    ///
    /// - Parameter statements: The number of statements, of which a single one may be a transaction by itself.
    private func transaction<Result>(
        of statements: Int? = nil, _ body: (Connection) throws -> Result
    ) throws -> Result {
        func run(_ connection: Connection) throws -> Result {
            if statements == 1, Connection.commitsStatements { return try body(connection) }
            return try connection.transaction { try body(connection) }
        }
        guard let connection = idle.withLock({ $0.popLast() }) else { return try writer.withLock { try run($0) } }
        defer { idle.withLock { $0.append(connection) } }
        return try run(connection)
    }

    /// Records the largest key in use, after an insertion.
    private func keepLastKey(of ordinals: Range<Int>, _ connection: Connection) throws {
        guard let last = ordinals.last, let keepingLastKey else { return }
        try connection.run(connection.statement(keepingLastKey)) { try $0.append(RecordTable.key(last)) }
    }

    /// Reads records; a missing one was deleted by another writer.
    private func readAll(_ keys: [Int64], _ connection: Connection) throws -> [Method.Record] {
        let records = try technique.read(keys, on: connection)
        guard records.count == keys.count else {
            throw technique.conflict("one of \(keys.count) records", on: connection)
        }
        return records
    }
}
