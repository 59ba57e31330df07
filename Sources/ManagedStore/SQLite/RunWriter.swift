import Foundation

/// Updates and deletes rows, and checks that each still has the version with which it was read.
///
/// Consecutive keys with the same change from the same version share one statement over their range. This is possible
/// because the store sees the whole save at once. The number of changed rows must equal the number in the run. If it
/// does not, the writer notes the mismatch, and the save must not continue.
final class RunWriter {
    private let schema: SQLSchema
    private let connection: Connection
    private let layout: RowLayout
    private let table: EntityTable
    /// The fields that triggers maintain, among those that share the last bit of a mask and are therefore written
    /// together.
    private let unwritten: [Int]
    private var keys: PermanentKeys?
    /// The statements of the last runs of one row and of several. The next runs mostly make the same change: to look
    /// the statement up for each of many scattered rows takes a sixteenth of the time of a save.
    private var last: (single: Change?, range: Change?)
    /// Whether a row did not have its expected version.
    private(set) var hasMismatch = false

    init(entity: Int, _ schema: SQLSchema, _ connection: Connection) {
        (self.schema, self.connection, table) = (schema, connection, schema.tables[entity])
        layout = table.source.entity.layout
        unwritten = table.derived.filter { $0 >= 63 }
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

    /// A statement that writes runs of one kind, and the fields whose values it takes.
    private final class Change {
        let mask: UInt64
        let isLenient: Bool
        let statement: Statement
        let fields: [WrittenField]

        init(_ mask: UInt64, isLenient: Bool, _ statement: Statement, _ fields: [WrittenField]) {
            (self.mask, self.isLenient, self.statement, self.fields) = (mask, isLenient, statement, fields)
        }
    }

    /// A field whose value a statement takes.
    struct WrittenField {
        let field: RowField
        /// Whether the value may lie in a separate file.
        let isExternal: Bool
        let isReference: Bool
        /// Whether the entity of a related object is written as well.
        let hasEntity: Bool
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
        if changed != run.count { hasMismatch = true }
    }

    /// Writes a run. Returns the number of rows that had the version.
    ///
    /// - Parameter isLenient: Whether the stored versions may have any form, since other programs may have written
    ///   them.
    private func write(_ run: Run, isLenient: Bool) throws(StoreError) -> Int {
        let change = try change(run.mask, isRange: run.count > 1, isLenient: isLenient)
        let statement = change.statement
        var parameter: Int32 = 1
        for field in change.fields { bind(field, of: run.first, to: statement, &parameter) }
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

    /// Returns the statement for runs of a kind. It can be bound and executed at once.
    private func change(_ mask: UInt64, isRange: Bool, isLenient: Bool) throws(StoreError) -> Change {
        let known = isRange ? last.range : last.single
        if let known, known.mask == mask, known.isLenient == isLenient { return known }
        let statement = try connection.statement(
            .change(entity: table.entityNumber, mask: mask, isRange: isRange, isLenient: isLenient)
        ) { text(mask, isRange: isRange, isLenient: isLenient) }
        let written = statement.writtenFields ?? writtenFields(mask)
        statement.writtenFields = written
        let change = Change(mask, isLenient: isLenient, statement, written)
        if isRange { last.range = change } else { last.single = change }
        return change
    }

    private func writtenFields(_ mask: UInt64) -> [WrittenField] {
        fields(mask).filter { !unwritten.contains($0) }.map { position in
            WrittenField(
                field: layout.fields[position], isExternal: table.externals.contains(position),
                isReference: table.references[position] != nil,
                hasEntity: table.references[position]?.entityColumn != nil)
        }
    }

    private func bind(
        _ written: WrittenField, of row: RowReference, to statement: Statement, _ parameter: inout Int32
    ) {
        if written.isReference, let keys {
            statement.bind(parameter, written.field, of: row, keys)
            parameter += 1
            if !written.hasEntity { return }
            statement.bindEntity(parameter, written.field, of: row, keys, schema.numbers)
        } else if written.isExternal {
            statement.bindExternal(parameter, written.field, of: row)
        } else {
            statement.bind(parameter, written.field, of: row)
        }
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
}
