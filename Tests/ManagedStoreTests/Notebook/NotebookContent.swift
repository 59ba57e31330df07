@testable import ManagedStore

/// A row and the page that it keeps alive.
struct NotebookRow {
    let page: RowPage
    let row: RowPointer

    init(_ source: ObjectIDSource, key: Int64, version: Int32) {
        page = RowPage(writable: source, capacity: 1)
        row = page.appendRow(key: key)
        row.version = version
    }

    var reference: RowReference { RowReference(row) }
}

/// All that a notebook holds.
struct NotebookContent {
    /// By the position of the entity at the root of a hierarchy, and by key.
    var rows: [Int: [Int64: NotebookRow]] = [:]
    /// By the position of the entity at the root of a hierarchy.
    var nextKeys: [Int: Int64] = [:]
    var metadata: [String: StoredValue] = [:]

    mutating func takeKeys(_ count: Int, _ source: ObjectIDSource) -> Int64 {
        let first = nextKeys[source.rootIndex, default: 1]
        nextKeys[source.rootIndex] = first + Int64(count)
        return first
    }

    /// The rows whose version is not the one that a save expects.
    func conflicts(_ changes: ChangeSet, _ sources: [ObjectIDSource]) -> [MergeConflict] {
        zip(sources, changes.entities).flatMap { source, changes in
            (changes.updates.compactMap { origin(of: $0, source) } + changes.deletes).compactMap { expected in
                let stored = rows[source.rootIndex]?[expected.row.key]
                if stored?.row.version == expected.row.version { return nil }
                return MergeConflict(
                    objectID: ManagedObjectID(source: source, key: expected.row.key),
                    oldVersion: Int(expected.row.version), newVersion: stored.map { Int($0.row.version) } ?? 0)
            }
        }
    }

    /// The row that a changed one replaces; nil when it was set to what it was before.
    private func origin(of update: RowReference, _ source: ObjectIDSource) -> RowReference? {
        update.changedOrigin(source.entity.layout)
    }

    mutating func apply(_ changes: ChangeSet, _ sources: [ObjectIDSource]) throws(StoreError) -> PermanentKeys {
        let keys = try PermanentKeys(changes) { takeKeys($0, sources[$1]) }
        for (source, changes) in zip(sources, changes.entities) {
            var next = keys.firstKeys[source.entityIndex]
            for insert in changes.inserts {
                put(insert, source, key: insert.row.key < 0 ? next : insert.row.key, version: 1)
                if insert.row.key < 0 { next += 1 }
            }
            for update in changes.updates where origin(of: update, source) != nil {
                put(update, source, key: update.row.key, version: RowVersion.next(update.row.version))
            }
            for delete in changes.deletes { rows[source.rootIndex]?[delete.row.key] = nil }
        }
        if let metadata = changes.metadata { self.metadata = metadata }
        return keys
    }

    private mutating func put(_ reference: RowReference, _ source: ObjectIDSource, key: Int64, version: Int32) {
        let stored = NotebookRow(source, key: key, version: version)
        stored.page.copyRow(reference, to: stored.row)
        stored.row.version = version
        rows[source.rootIndex, default: [:]][key] = stored
    }
}
