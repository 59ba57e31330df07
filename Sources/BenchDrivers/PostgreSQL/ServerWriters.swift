import BenchHarness
import DriverSupport
import Locking

/// The writers of a merge, each with a connection of its own.
final class ServerWriters<Method: ServerTechnique>: Sendable {
    private let technique: Method
    private let store: ServerStore
    private let generator: RecordGenerator
    /// The connections that no writer uses.
    private let idle = Locked([ServerConnection]())

    init(_ technique: Method, _ store: ServerStore, _ records: RecordGenerator) {
        (self.technique, self.store, generator) = (technique, store, records)
    }

    /// The connections, while no writer runs.
    var connections: [ServerConnection] { idle.value }

    /// Opens connections for `count` writers.
    func connect(_ count: Int) throws {
        let connections = try (0..<count).map { _ in try store.connect() }
        idle.withLock { $0 = connections }
    }

    /// Does one save of a writer: reads the records to change, and writes everything in one transaction.
    ///
    /// - Returns: The message to the merging side, which holds the records as they were written, so that it reads
    ///   nothing.
    func save(_ save: MergePlan.Save, _ changes: [RecordChange]) throws -> SavedRecords<Method.Record> {
        let connection = try idle.withLock { $0.popLast() } ?? store.connect()
        defer { idle.withLock { $0.append(connection) } }
        let inserted = save.inserts.map { Method.Record($0, of: generator) }
        let deleted = save.deletes.map(RecordTable.key)
        let changed = try connection.transaction {
            try technique.insert(inserted, on: connection)
            var changed = try readAll(save.changes.map(RecordTable.key), connection)
            if !changed.isEmpty { try technique.update(&changed, changes, on: connection) }
            try technique.delete(readAll(deleted, connection), on: connection)
            return changed
        }
        return SavedRecords(written: inserted + changed, deleted: deleted)
    }

    /// Reads records; a missing one was deleted by another writer.
    private func readAll(_ keys: [Int64], _ connection: ServerConnection) throws -> [Method.Record] {
        let records = try technique.read(keys, on: connection)
        guard records.count == keys.count else {
            throw technique.conflict("one of \(keys.count) records", on: connection)
        }
        return records
    }
}
