import BenchHarness
import Dispatch
import Foundation
import GRDB

/// Writers that save at once through one pool, each on a thread of its own, and a queue that merges every save of which
/// a transaction observer tells.
///
/// Unchecked because the mirror belongs to the queue, and nothing else changes.
final class MergeRun<Method: GRDBTechnique>: @unchecked Sendable {
    private let session: GRDBSession<Method>.Parts
    private let plan: MergePlan
    private let changes: [RecordChange]
    private let mirror: RecordMirror<Method>
    private let mergeQueue: DispatchQueue
    private let monitor: PhaseMonitor
    private let unfinished = DispatchGroup()
    private let failure = FirstFailure()

    init(
        _ session: GRDBSession<Method>.Parts, _ plan: MergePlan, mirror: RecordMirror<Method>,
        mergeQueue: DispatchQueue, monitor: PhaseMonitor
    ) throws {
        self.session = session
        self.plan = plan
        self.mirror = mirror
        self.mergeQueue = mergeQueue
        self.monitor = monitor
        changes = try RecordChange.resolve(plan.set, in: session.table)
    }

    /// Returns when every save was merged, or throws the first failure.
    func run() throws {
        let observer = SaveObserver(session.table.name, didSave: merge)
        session.pool.add(transactionObserver: observer)
        plan.startWriters(in: unfinished, until: failure, save: perform)
        unfinished.wait()
        session.pool.remove(transactionObserver: observer)
        try failure.rethrow()
    }

    /// Reads what it is going to change, and writes everything in one transaction.
    private func perform(_ save: MergePlan.Save) throws {
        try monitor.operation {
            try session.pool.write { db in
                try session.insert(save.inserts, in: db)
                var changed = try session.readAll(save.changes, in: db)
                try session.method.update(&changed, changes, in: db)
                try session.method.delete(session.readAll(save.deletes, in: db), in: db)
            }
        }
    }

    /// Called within a write, so that its writer is not finished yet.
    private func merge(_ keys: SavedKeys) {
        mergeQueue.async(group: unfinished) { [self] in
            failure.attempt { try mirror.merge(keys) }
        }
    }
}

/// The records that the main side holds and brings up to date when it is told what was saved.
///
/// Unchecked because one queue at a time uses it: it is filled before the writers start, then belongs to the merging
/// queue until the last of them is merged.
final class RecordMirror<Method: GRDBTechnique>: FetchedRecords, @unchecked Sendable {
    private let session: GRDBSession<Method>.Parts
    private var records: [Int64: Method.Record] = [:]

    init(_ session: GRDBSession<Method>.Parts) { self.session = session }

    var count: Int { records.count }

    /// Reads the records with `keys` and holds them.
    func load(_ keys: [Int64]) throws {
        let read = try session.pool.read { try session.method.read(keys, in: $0) }
        for record in read { records[record.id] = record }
    }

    /// Takes in what a save did.
    func merge(_ saved: SavedKeys) throws {
        try load(saved.written)
        for key in saved.deleted { records[key] = nil }
    }

    func digest(into digester: inout RecordDigester) {
        for key in records.keys.sorted() {
            records[key]?.digest(into: &digester, entity: session.table.entity)
            digester.endRecord()
        }
    }
}
