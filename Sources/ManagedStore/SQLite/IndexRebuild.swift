/// The indexes of references that a large save takes away before it writes rows, and creates anew afterwards, in its
/// transaction.
///
/// Rows come in the order of their keys, and their entries in an index in the order of what they refer to. Once an
/// index outgrows SQLite's cache, an entry out of order reads a page and writes the one that it displaces. Creating an
/// index sorts the entries first and writes each page once. Measured: a million rows that refer to ten thousand others
/// in any order are inserted in a third of the time.
struct IndexRebuild {
    private struct Index {
        let name: String
        let creation: String
    }

    /// Saves with fewer rows need no look at the file.
    private static let leastRows = 1_000
    /// The size of an entry.
    private static let bytesPerEntry = 12.0
    /// Creating an index takes as long for so many rows as writing two entries that miss the cache: in any order, every
    /// second comes before its predecessor. Measured with a million rows, of which a tenth moves.
    private static let rowsPerDescent = 32.0

    private let indexes: [Index]

    /// Takes away the indexes for which it is worthwhile.
    ///
    /// - Parameter cacheSizeKiB: The size of SQLite's cache.
    init(
        for changes: ChangeSet, _ tables: [EntityTable], cacheSizeKiB: Int, on connection: Connection
    ) throws(StoreError) {
        var found: [Index] = []
        // Triggers may need the indexes.
        for table in connection.hasTriggers ? [] : Self.written(changes, tables) {
            let rows = try Self.greatestKey(of: table.name, connection) + Double(table.insertCount)
            let cached = Double(cacheSizeKiB) * 1_024 / (rows * Self.bytesPerEntry)
            if cached >= 1 { continue }
            let wanted = table.disorder(in: changes, tables).filter {
                Double($0.value) * (1 - cached) * Self.rowsPerDescent >= rows
            }
            if !wanted.isEmpty { found += try Self.indexes(of: table.name, on: Set(wanted.keys), connection) }
        }
        for index in found { try connection.dropIndex(index.name) }
        indexes = found
    }

    /// Creates the indexes.
    func finish(on connection: Connection) throws(StoreError) {
        for index in indexes { try connection.run(index.creation) }
    }

    /// Whether an index could not be created, for example because there is no room for the temporary files in which
    /// SQLite sorts, or not be taken away. The save may succeed with the indexes as they are.
    static func isCause(of error: StoreError) -> Bool {
        ["CREATE INDEX", "DROP INDEX"].contains { error.sql?.hasPrefix($0) == true }
    }

    /// At least the number of rows, and the same if none was deleted.
    private static func greatestKey(of table: String, _ connection: Connection) throws(StoreError) -> Double {
        let statement = try connection.statement("SELECT MAX(Z_PK) FROM \(table)")
        defer { statement.reset() }
        return try statement.step() ? Double(max(statement.int64(0), 0)) : 0
    }

    /// Returns the indexes of a table that begin with one of `columns`, but for those of constraints and of some rows
    /// alone. None if the file has statistics about its indexes, which would go with them, or a trigger by now.
    private static func indexes(
        of table: String, on columns: Set<String>, _ connection: Connection
    ) throws(StoreError) -> [Index] {
        let statement = try connection.statement(
            """
            SELECT m.name, m.sql, upper(c.name) FROM sqlite_master m JOIN pragma_index_info(m.name) c \
            WHERE m.type = 'index' AND upper(m.tbl_name) = upper(?) AND c.seqno = 0 \
            AND m.sql LIKE 'CREATE INDEX%' AND m.sql NOT LIKE '% WHERE %' \
            AND NOT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'trigger' OR name = 'sqlite_stat1') ORDER BY m.name
            """)
        defer { statement.reset() }
        statement.bind(1, .string(table))
        var indexes: [Index] = []
        while try statement.step() {
            if !columns.contains(statement.string(2)) { continue }
            indexes.append(Index(name: statement.string(0), creation: statement.string(1)))
        }
        return indexes
    }
}

// MARK: - Order

extension IndexRebuild {
    /// A table to which a save writes many rows, with the entities of those.
    private struct Table {
        let name: String
        var entities: [Int] = []
        var insertCount = 0

        /// Returns the number of entries that come before their predecessors, or leave a place before that of their
        /// predecessors, by the columns of references.
        func disorder(in changes: ChangeSet, _ tables: [EntityTable]) -> [String: Int] {
            var disorder: [String: Int] = [:]
            for entity in entities {
                let rows = changes.entities[entity]
                for position in tables[entity].references.keys {
                    let field = tables[entity].source.entity.layout.fields[position]
                    var (arriving, leaving) = (ReferenceOrder(), ReferenceOrder())
                    for row in rows.inserts { arriving.append(field.reference(in: row.row)) }
                    for row in rows.deletes { leaving.append(field.reference(in: row.row)) }
                    for row in rows.updates {
                        guard let origin = row.origin, !RowPage.areEqual(origin, row, field) else { continue }
                        leaving.append(field.reference(in: origin.row))
                        arriving.append(field.reference(in: row.row))
                    }
                    disorder[tables[entity].columns[position].uppercased(), default: 0] +=
                        arriving.descents + leaving.descents
                }
            }
            return disorder
        }
    }

    /// What rows refer to, one after another.
    private struct ReferenceOrder {
        private var last = Int64.min
        private(set) var descents = 0

        mutating func append(_ reference: ObjectReference?) {
            // Entries of rows without a reference lie side by side.
            guard let key = reference?.key else { return }
            // The keys of new objects count down. Their permanent keys follow those of all others, and count up.
            let place = key < 0 ? 1 << 62 &- key : key
            if place < last { descents += 1 }
            last = place
        }
    }

    private static func written(_ changes: ChangeSet, _ tables: [EntityTable]) -> [Table] {
        var written: [Table] = []
        for entity in changes.entities.indices
        where changes.entities[entity].count >= leastRows && !tables[entity].references.isEmpty {
            let name = tables[entity].name
            let index = written.firstIndex { $0.name == name } ?? written.endIndex
            if index == written.endIndex { written.append(Table(name: name)) }
            written[index].entities.append(entity)
            written[index].insertCount += changes.entities[entity].inserts.count
        }
        return written
    }
}
