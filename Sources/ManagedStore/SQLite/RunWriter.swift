import Foundation

/// Updates and deletes rows, and checks that each still has the version with which it was read.
///
/// Consecutive keys with the same change from the same version share one statement over their range. This is possible
/// because the store sees the whole save at once. The number of changed rows must equal the number in the run. If it
/// does not, the writer records the run as a mismatch, and the save must not continue.
final class RunWriter {
    private let entity: Int
    private let schema: SQLSchema
    private let connection: Connection
    private let layout: RowLayout
    /// The fields that triggers maintain, among those that share the last bit of a mask and are therefore written
    /// together.
    private let unwritten: [Int]
    private var keys: PermanentKeys?
    /// The runs in which at least one row did not have its expected version.
    private(set) var mismatches: [Mismatch] = []

    init(entity: Int, _ schema: SQLSchema, _ connection: Connection) {
        (self.entity, self.schema, self.connection) = (entity, schema, connection)
        layout = schema.tables[entity].source.entity.layout
        unwritten = schema.tables[entity].derived.filter { $0 >= 63 }
    }

    private var table: EntityTable { schema.tables[entity] }

    /// Keys of which at least one did not have the expected version.
    struct Mismatch {
        let keys: ClosedRange<Int64>
        let version: Int32
    }

    /// Rows with consecutive keys and the same change.
    private struct Run {
        var first: RowReference
        /// The expected version of the rows in the store.
        var version: Int32
        /// The changed attributes, one bit each; attributes from the 64th on share the last bit. No bits mean a
        /// deletion.
        var mask: UInt64
        var count = 1

        var lastKey: Int64 { first.row.key + Int64(count - 1) }
        /// The key after the last. After the greatest possible key, it is one that no row has.
        var nextKey: Int64 { lastKey &+ 1 }
    }

    /// Writes the changed fields of `rows`; `keys` are the keys of new rows in the same save.
    func update(_ rows: ContiguousArray<RowReference>, _ keys: PermanentKeys) throws(StoreError) {
        self.keys = keys
        var run: Run?
        for row in sortedByKey(rows) {
            guard let next = changedRow(row) else { continue }
            if var current = run {
                if extends(current, next) {
                    current.count += 1
                    run = current
                    continue
                }
                try write(current)
            }
            run = next
        }
        if let run { try write(run) }
    }

    /// Deletes `rows`.
    func delete(_ rows: ContiguousArray<RowReference>) throws(StoreError) {
        var run: Run?
        for row in sortedByKey(rows) {
            if var current = run {
                if row.row.key == current.nextKey, row.row.version == current.version {
                    current.count += 1
                    run = current
                    continue
                }
                try write(current)
            }
            run = Run(first: row, version: row.row.version, mask: 0)
        }
        if let run { try write(run) }
    }

    private func sortedByKey(_ rows: ContiguousArray<RowReference>) -> ContiguousArray<RowReference> {
        if zip(rows, rows.dropFirst()).allSatisfy({ $0.row.key < $1.row.key }) { return rows }
        var sorted = rows
        sorted.sort { $0.row.key < $1.row.key }
        return sorted
    }

    /// Returns the row as a run of one; nil if it was set back to its previous values.
    private func changedRow(_ row: RowReference) -> Run? {
        guard let origin = row.origin else { return nil }
        let mask = RowPage.differences(origin, row, layout)
        return mask == 0 ? nil : Run(first: row, version: origin.row.version, mask: mask)
    }

    private func extends(_ run: Run, _ next: Run) -> Bool {
        next.first.row.key == run.nextKey && next.version == run.version && next.mask == run.mask
            && fields(run.mask).allSatisfy {
                RowPage.areEqual(run.first, next.first, layout.fields[$0])
            }
    }

    private func fields(_ mask: UInt64) -> some Sequence<Int> {
        table.columns.indices.lazy.filter { mask & (1 << UInt64(min($0, 63))) != 0 }
    }

    private func write(_ run: Run) throws(StoreError) {
        let isPlain = RowVersion.isPlain(run.version)
        var changed = try write(run, isLenient: !isPlain)
        // The remaining rows may have the same version in another form.
        if changed != run.count, isPlain { changed += try write(run, isLenient: true) }
        if changed != run.count {
            mismatches.append(Mismatch(keys: run.first.row.key...run.lastKey, version: run.version))
        }
    }

    /// Writes a run. Returns the number of rows that had the version.
    ///
    /// - Parameter isLenient: Whether the stored versions may have any form, since other programs may have written
    ///   them.
    private func write(_ run: Run, isLenient: Bool) throws(StoreError) -> Int {
        let (mask, isRange) = (run.mask, run.count > 1)
        let statement = try connection.statement(
            .change(entity: table.entityNumber, mask: mask, isRange: isRange, isLenient: isLenient)
        ) { text(mask, isRange: isRange, isLenient: isLenient) }
        var parameter: Int32 = 1
        for position in fields(run.mask) where !unwritten.contains(position) {
            bind(position, of: run.first, to: statement, &parameter)
        }
        if isLenient, run.mask != 0 {
            statement.bind(parameter, Int64(RowVersion.next(run.version)))
            parameter += 1
        }
        statement.bind(parameter, isLenient ? Int64(UInt32(bitPattern: run.version)) : Int64(run.version))
        statement.bind(parameter + 1, run.first.row.key)
        if run.count > 1 { statement.bind(parameter + 2, run.lastKey) }
        try statement.run()
        return connection.changes
    }

    private func bind(_ position: Int, of row: RowReference, to statement: Statement, _ parameter: inout Int32) {
        let field = layout.fields[position]
        guard let reference = table.references[position], let keys else {
            if table.externals.contains(position) {
                statement.bindExternal(parameter, field, of: row)
            } else {
                statement.bind(parameter, field, of: row)
            }
            parameter += 1
            return
        }
        statement.bind(parameter, field, of: row, keys)
        parameter += 1
        guard reference.entityColumn != nil else { return }
        statement.bindEntity(parameter, field, of: row, keys, schema.numbers)
        parameter += 1
    }

    /// Returns the columns that hold a field.
    private func columns(_ position: Int) -> [String] {
        [table.columns[position], table.references[position]?.entityColumn].compactMap { $0 }
    }

    private func text(_ mask: UInt64, isRange: Bool, isLenient: Bool) -> String {
        let version = isLenient ? RowVersion.column : "Z_OPT"
        let next = isLenient ? "?" : "Z_OPT + 1"
        let condition = "WHERE \(version) = ? AND " + (isRange ? "Z_PK BETWEEN ? AND ?" : "Z_PK = ?")
        let assignments = fields(mask).filter { !unwritten.contains($0) }.flatMap(columns).map { "\($0) = ?, " }
            .joined()
        let change =
            mask == 0
            ? "DELETE FROM \(table.name)" : "UPDATE \(table.name) SET \(assignments)Z_OPT = \(next)"
        return "\(change) \(condition)"
    }

    /// Returns the rows of the mismatched runs that differ from the expectation. Call it after the transaction was
    /// rolled back.
    func conflicts() throws(StoreError) -> [MergeConflict] {
        var conflicts: [MergeConflict] = []
        for mismatch in mismatches {
            let versions = try versions(mismatch.keys)
            for key in mismatch.keys where versions[key] != mismatch.version {
                conflicts.append(
                    MergeConflict(
                        objectID: ManagedObjectID(source: table.source, key: key), oldVersion: Int(mismatch.version),
                        newVersion: Int(versions[key] ?? 0)))
            }
        }
        return conflicts
    }

    private func versions(_ keys: ClosedRange<Int64>) throws(StoreError) -> [Int64: Int32] {
        let statement = try connection.statement(
            "SELECT Z_PK, Z_OPT FROM \(table.name) WHERE Z_PK BETWEEN ? AND ?")
        statement.bind(1, keys.lowerBound)
        statement.bind(2, keys.upperBound)
        var versions: [Int64: Int32] = [:]
        while try statement.step() { versions[statement.int64(0)] = Int32(truncatingIfNeeded: statement.int64(1)) }
        return versions
    }
}
