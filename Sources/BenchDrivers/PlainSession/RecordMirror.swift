import BenchHarness

/// The records that a reader holds and brings up to date when it is told what others saved.
///
/// Unchecked because one queue at a time uses it: it is filled before the writers start, then belongs to the merging
/// queue until the last of them is merged.
final class RecordMirror<Method: Technique>: FetchedRecords, @unchecked Sendable {
    private let technique: Method
    private let connection: PlainConnection
    private var records: [Int64: Method.Record] = [:]

    /// Creates an empty mirror that reads through a connection of its own.
    init(_ technique: Method, on connection: PlainConnection) {
        self.technique = technique
        self.connection = connection
    }

    var count: Int { records.count }

    /// Reads the records with `keys` and holds them.
    func load(_ keys: [Int64]) throws {
        for record in try technique.read(keys, on: connection) { records[record.key] = record }
    }

    /// Takes in what a save did.
    func merge(_ saved: SavedKeys) throws {
        try load(saved.inserted)
        try load(saved.changed)
        for key in saved.deleted { records[key] = nil }
    }

    func digest(into digester: inout RecordDigester) {
        for key in records.keys.sorted() {
            records[key]?.digest(into: &digester)
            digester.endRecord()
        }
    }
}

/// The keys of the records that a save inserted, changed and deleted: all that a reader is told.
struct SavedKeys: Sendable {
    let inserted: [Int64]
    let changed: [Int64]
    let deleted: [Int64]

    init(_ save: MergePlan.Save) {
        inserted = save.inserts.map(RecordTable.key)
        changed = save.changes.map(RecordTable.key)
        deleted = save.deletes.map(RecordTable.key)
    }
}
