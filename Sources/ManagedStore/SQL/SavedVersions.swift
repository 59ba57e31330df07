/// The versions of the rows that a save changes or deletes, next to those in the database.
struct SavedVersions<Reader: KeyedReader> {
    let schema: SQLSchema
    let reader: Reader

    /// Returns the rows of a save that another writer has changed or deleted. Call it after the transaction was rolled
    /// back.
    func conflicts(_ changes: ChangeSet) throws(StoreError) -> [MergeConflict] {
        var conflicts: [MergeConflict] = []
        for (table, changes) in zip(schema.tables, changes.entities) {
            let layout = table.source.entity.layout
            let known = changes.updates.compactMap { $0.changedOrigin(layout) } + changes.deletes
            var versions: [Int64: Int64] = [:]
            try reader.forEachRow(
                ["Z_PK", "Z_OPT"], of: table.name, whose: "Z_PK", isIn: KeyRuns(known.lazy.map(\.row.key))
            ) { key, version, _ in versions[key] = version }
            for old in known where versions[old.row.key] != Int64(old.row.version) {
                conflicts.append(
                    MergeConflict(
                        objectID: ManagedObjectID(source: table.source, key: old.row.key),
                        oldVersion: Int(old.row.version), newVersion: Int(versions[old.row.key] ?? 0)))
            }
        }
        return conflicts
    }
}
