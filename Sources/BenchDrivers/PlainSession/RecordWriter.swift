import BenchHarness
import DriverSupport
import Foundation
import Locking

/// Writes through the only writing connection. SQLite has a single writer at a time anyway, so several threads take
/// turns at a lock, which is cheaper and fairer than waiting for the file's lock.
final class RecordWriter<Method: Technique>: Sendable {
    private let technique: Method
    /// The writing connection; the lock is held during a write.
    private let writer: Locked<PlainConnection>
    private let generator: RecordGenerator
    /// The tables of the many-to-many relationships that the entity declares.
    private let links: [LinkTable]
    private var table: RecordTable { technique.table }

    init(_ technique: Method, on connection: PlainConnection, records: RecordGenerator) {
        self.technique = technique
        writer = Locked(connection)
        generator = records
        links = technique.table.links
    }

    /// Inserts records in a separate transaction.
    func insert(_ ordinals: Range<Int>) throws {
        try writer.withLock { connection in
            try connection.transaction {
                try technique.insert(ordinals, of: generator, on: connection)
                for link in links { try insert(link, of: ordinals, on: connection) }
                try keepLastKey(of: ordinals, connection)
            }
        }
    }

    /// Inserts the pairs of a many-to-many relationship, one after another.
    private func insert(_ link: LinkTable, of ordinals: Range<Int>, on connection: PlainConnection) throws {
        let statement = try connection.kept(link.insertion)
        for (source, target) in link.pairs(ordinals, of: generator) {
            try statement.bind(source, at: 1)
            try statement.bind(target, at: 2)
            try statement.run()
        }
    }

    /// Saves received records in a separate transaction. SQLite gives the new ones their keys.
    func upsert(_ ordinals: [Int], of records: RecordGenerator) throws {
        let key = try table.entity.requireUniqueAttribute()
        try writer.withLock { connection in
            try connection.transaction {
                try technique.upsert(ordinals, of: records, by: key, on: connection)
                let statement = try connection.kept(
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, (SELECT max(Z_PK) FROM \(table.name))) WHERE Z_ENT = ?")
                try statement.bind(Int64(table.number), at: 1)
                try statement.run()
            }
        }
    }

    /// Makes `changes` in `records` and their rows in a separate transaction.
    func update(_ records: inout [Method.Record], _ changes: [RecordChange]) throws {
        try writer.withLock { connection in
            try connection.transaction { try technique.update(&records, changes, on: connection) }
        }
    }

    /// Changes every matching row in one statement.
    func updateAll(_ changes: [RecordChange], where filter: Filter) throws {
        let assignments = SQLAssignments(changes, table: table)
        let list = (assignments.clauses + ["Z_OPT = Z_OPT + 1"]).joined(separator: ", ")
        let sql = "UPDATE \(table.name) SET \(list) WHERE \(filter.sql)"
        try writer.withLock { connection in
            try connection.transaction { try connection.execute(sql, assignments.bindings + filter.bindings) }
        }
    }

    /// Deletes the rows of records in a separate transaction.
    func delete(_ records: [Method.Record]) throws {
        let cascade = table.cascadingDeletions(of: "= $1")
        try writer.withLock { connection in
            try connection.transaction {
                for sql in cascade { try delete(records, by: sql, on: connection) }
                try technique.delete(records, on: connection)
            }
        }
    }

    /// Deletes what belongs to records, one after another.
    private func delete(_ records: [Method.Record], by sql: String, on connection: PlainConnection) throws {
        let statement = try connection.kept(sql)
        for record in records {
            try statement.bind(record.key, at: 1)
            try statement.run()
        }
    }

    /// Deletes every matching row, in one statement if nothing else is deleted with it.
    func deleteAll(where filter: Filter) throws {
        let statements = table.deletions(where: filter.sql)
        try writer.withLock { connection in
            try connection.transaction {
                for (sql, hasCondition) in statements {
                    try connection.execute(sql, hasCondition ? filter.bindings : [])
                }
            }
        }
    }

    /// Does one save of a writer: reads the records to change, and writes everything in one transaction.
    ///
    /// - Returns: The message to the merging side, which holds the records as they were written, so that it reads
    ///   nothing.
    func save(_ save: MergePlan.Save, _ changes: [RecordChange]) throws -> SavedRecords<Method.Record> {
        let inserted = save.inserts.map { Method.Record($0, of: generator) }
        let deleted = save.deletes.map(RecordTable.key)
        let changed = try writer.withLock { connection in
            try connection.transaction {
                try technique.insert(inserted, on: connection)
                try keepLastKey(of: save.inserts, connection)
                var changed = try readAll(save.changes.map(RecordTable.key), connection)
                if !changed.isEmpty { try technique.update(&changed, changes, on: connection) }
                try technique.delete(readAll(deleted, connection), on: connection)
                return changed
            }
        }
        return SavedRecords(written: inserted + changed, deleted: deleted)
    }

    /// Records the largest key in use, after an insertion.
    private func keepLastKey(of ordinals: Range<Int>, _ connection: PlainConnection) throws {
        guard let last = ordinals.last else { return }
        let statement = try connection.kept("UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, ?) WHERE Z_ENT = ?")
        try statement.bind(RecordTable.key(last), at: 1)
        try statement.bind(Int64(table.number), at: 2)
        try statement.run()
    }

    /// Reads records; a missing one was deleted by another writer.
    private func readAll(_ keys: [Int64], _ connection: PlainConnection) throws -> [Method.Record] {
        let records = try technique.read(keys, on: connection)
        guard records.count == keys.count else {
            throw technique.conflict("one of \(keys.count) records", on: connection)
        }
        return records
    }
}
