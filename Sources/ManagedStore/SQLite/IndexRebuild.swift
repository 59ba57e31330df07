/// The indexes that a large save takes away before it writes rows, and creates anew afterwards, in its transaction.
///
/// Rows come in the order of their keys, and their entries in an index in any order. Once an index outgrows SQLite's
/// cache, each entry reads a page and writes the one that it displaces. Creating an index sorts the entries first and
/// writes each page once. Measured: a million rows that refer to ten thousand others are inserted in a third of the
/// time.
struct IndexRebuild {
    private struct Index {
        let name: String
        let creation: String
    }

    /// Fewer changes to an index need no look at the file.
    private static let leastEntries = 1_000
    /// The size of an entry of a reference. Other entries are larger.
    private static let bytesPerEntry = 12.0
    /// Creating an index takes about as long for so many rows as an entry does that misses the cache.
    private static let rowsPerMiss = 8.0

    private let indexes: [Index]

    /// Takes away the indexes to which `changes` make so many changes that it is worthwhile.
    ///
    /// - Parameter cacheSizeKiB: The size of SQLite's cache.
    init(
        for changes: ChangeSet, _ tables: [EntityTable], cacheSizeKiB: Int, on connection: Connection
    ) throws(StoreError) {
        var indexes: [Index] = []
        // Triggers may need the indexes.
        let entries = connection.hasTriggers ? [:] : Self.entries(of: changes, tables)
        for (table, count) in entries.sorted(by: { $0.key < $1.key }) {
            let rows = try Self.greatestKey(of: table, connection) + count.new
            if Self.isWorthwhile(count.all, rows: rows, cacheSizeKiB) {
                indexes += try Self.indexes(of: table, connection)
            }
        }
        for index in indexes {
            try connection.execute("DROP INDEX \"\(index.name.replacing("\"", with: "\"\""))\"")
        }
        self.indexes = indexes
    }

    /// Creates the indexes.
    func finish(on connection: Connection) throws(StoreError) {
        for index in indexes { try connection.execute(index.creation) }
    }

    /// Whether an index could not be created, for example because there is no room for the temporary files in which
    /// SQLite sorts. The save may succeed without.
    static func isCause(of error: StoreError) -> Bool { error.sql?.hasPrefix("CREATE INDEX") == true }

    private static func isWorthwhile(_ entries: Int, rows: Int, _ cacheSizeKiB: Int) -> Bool {
        let (size, cache) = (Double(rows) * bytesPerEntry, Double(cacheSizeKiB) * 1_024)
        return size > cache && Double(entries) * (1 - cache / size) * rowsPerMiss >= Double(rows)
    }

    /// At least the number of rows, and the same if none was deleted.
    private static func greatestKey(of table: String, _ connection: Connection) throws(StoreError) -> Int {
        let statement = try connection.statement("SELECT MAX(Z_PK) FROM \(table)")
        defer { statement.reset() }
        return try statement.step() ? Int(max(statement.int64(0), 0)) : 0
    }

    /// Returns the indexes of a table in the file, but for those of constraints. None if the file has statistics about
    /// its indexes, which would go with them.
    private static func indexes(of table: String, _ connection: Connection) throws(StoreError) -> [Index] {
        let statement = try connection.statement(
            """
            SELECT name, sql FROM sqlite_master WHERE type = 'index' AND upper(tbl_name) = upper(?) \
            AND sql LIKE 'CREATE INDEX%' AND NOT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat1') \
            ORDER BY name
            """)
        defer { statement.reset() }
        statement.bind(1, .string(table))
        var indexes: [Index] = []
        while try statement.step() { indexes.append(Index(name: statement.string(0), creation: statement.string(1))) }
        return indexes
    }
}

// MARK: - Counting

extension IndexRebuild {
    /// How many entries of an index change.
    private struct Entries {
        var all = 0
        /// Those of new rows.
        var new = 0
    }

    /// Returns the changes to each index of a table, for the tables that have indexes and many changes.
    private static func entries(of changes: ChangeSet, _ tables: [EntityTable]) -> [String: Entries] {
        var entries: [String: Entries] = [:]
        for (entity, rows) in changes.entities.enumerated()
        where rows.inserts.count + rows.updates.count + rows.deletes.count >= leastEntries {
            let table = tables[entity]
            let fields = table.source.entity.layout.fields.enumerated().filter { table.isIndexed($0.offset) }
                .map(\.element)
            if fields.isEmpty { continue }
            let moved = rows.updates.count { isMoved($0, fields) }
            let all = rows.inserts.count + rows.deletes.count + 2 * moved
            entries[table.name, default: Entries()].all += all
            entries[table.name, default: Entries()].new += rows.inserts.count
        }
        return entries
    }

    /// Whether a changed row gives up its entry in an index for another one.
    private static func isMoved(_ row: RowReference, _ fields: [RowField]) -> Bool {
        guard let origin = row.page._withUnsafeGuaranteedRef({ $0.origin(of: row.row) }) else { return false }
        return fields.contains { !RowPage.areEqual(origin, row, $0) }
    }
}
