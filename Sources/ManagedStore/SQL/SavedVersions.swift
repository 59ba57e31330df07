/// The versions of the rows that a save changes or deletes, next to those in the database.
struct SavedVersions<Reader: KeyedReader> {
    let schema: SQLSchema
    let reader: Reader

    /// Returns the rows of a save that another writer has changed or deleted. Call it after the transaction was rolled
    /// back.
    func conflicts(_ changes: ChangeSet) throws(StoreError) -> [MergeConflict] {
        var conflicts: [MergeConflict] = []
        for (table, changes) in zip(schema.tables, changes.entities) where !changes.isEmpty {
            let keys = changes.replaced(table.source.entity.layout).map(\.row.key)
            var versions: [Int64: Int32] = [:]
            try reader.forEachRow(["Z_PK", "Z_OPT"], of: table.name, whose: "Z_PK", isIn: KeyRuns(keys)) {
                key, version, _ in
                // Rows have the lower 32 bits; other programs may have written more.
                versions[key] = Int32(truncatingIfNeeded: version)
            }
            conflicts += changes.conflicts(table.source) { versions[$0] }
        }
        return conflicts
    }
}
