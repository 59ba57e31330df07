import BenchHarness
import CSQLite
import ManagedStore

/// A table of a file, as its schema describes it.
struct StoredTable {
    struct Column {
        let name: String
        /// The type in its declaration, in capitals; empty if it has none.
        let declared: String
    }

    let name: String
    let columns: [Column]
    /// The names of the indexes of one column each, by their column.
    private(set) var indexes: [String: [String]] = [:]
    /// The columns that a unique index of their own has, or that are the key.
    private(set) var uniqueColumns: Set<String> = []
    /// The tables to which columns refer.
    private(set) var foreignKeys: [String: String] = [:]
    /// The columns whose rows go with those that they refer to.
    private(set) var cascading: Set<String> = []
    /// What of the table is in neither of these, a line each.
    private(set) var remarks: [String] = []
    /// The names of the indexes of several columns.
    private(set) var wideIndexes: [String] = []
    /// The columns of the key.
    private let keys: Set<String>

    /// The two columns of a table that does nothing but to join rows of two others, as many-to-many relationships do.
    /// No scenario can say that records of one table are joined with each other, so such rows are records of their own.
    var pairColumns: (String, String)? {
        let references = columns.map(\.name).filter { foreignKeys[$0] != nil }
        guard references.count == 2, Set(references.map { foreignKeys[$0]?.lowercased() }).count == 2,
            columns.allSatisfy({ foreignKeys[$0.name] != nil || keys.contains($0.name) })
        else { return nil }
        return (references[0], references[1])
    }

    /// The tables that hold rows themselves.
    static func all(_ connection: PlainConnection) throws -> [StoredTable] {
        try list(connection).filter { $0.kind == "table" && !$0.name.lowercased().hasPrefix("sqlite_") }
            .map { try StoredTable($0.name, connection) }
    }

    /// The columns that triggers write, as `ZBOOK.ZPAGESCOUNT`.
    static func columnsOfTriggers(_ connection: PlainConnection) throws -> Set<String> {
        let rows = try connection.prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger'")
        var found: Set<String> = []
        while try rows.step() {
            for match in rows.string(0).matches(of: /UPDATE (\w+) SET (\w+) =/) {
                found.insert("\(match.output.1).\(match.output.2)")
            }
        }
        return found
    }

    /// What is in the schema besides.
    static func others(_ connection: PlainConnection) throws -> [(name: String, kind: String)] {
        try list(connection).filter { $0.kind == "view" || $0.kind == "virtual" }
            .map { ($0.name, $0.kind == "virtual" ? "virtual table" : "view") }
    }

    private static func list(_ connection: PlainConnection) throws -> [(name: String, kind: String)] {
        let rows = try connection.prepare(
            "SELECT name, type FROM pragma_table_list WHERE schema = 'main' ORDER BY name")
        var found: [(String, String)] = []
        while try rows.step() { found.append((rows.string(0), rows.string(1))) }
        return found
    }

    private init(_ name: String, _ connection: PlainConnection) throws {
        self.name = name
        var columns: [Column] = []
        var keys: [String] = []
        // What is computed from other columns is no value of its own.
        let rows = try connection.prepare("SELECT name, type, pk, hidden FROM pragma_table_xinfo(?)")
        try rows.bind(name, at: 1)
        while try rows.step() {
            guard rows.int64(3) == 0 else {
                remarks.append("the column \(name).\(rows.string(0)) is left out: it is computed from others")
                continue
            }
            columns.append(Column(name: rows.string(0), declared: rows.string(1).uppercased()))
            if rows.int64(2) > 0 { keys.append(rows.string(0)) }
        }
        self.columns = columns
        self.keys = Set(keys)
        if keys.count == 1 { uniqueColumns.insert(keys[0]) }
        try readIndexes(connection)
        try readForeignKeys(connection)
    }

    private mutating func readIndexes(_ connection: PlainConnection) throws {
        let rows = try connection.prepare(
            """
            SELECT list.name, list."unique" AND NOT list.partial, max(info.name), count(info.name), count(*), list.partial
            FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info
            WHERE list.origin <> 'pk' OR info.seqno = 0 GROUP BY list.name
            """)
        try rows.bind(name, at: 1)
        while try rows.step() {
            let index = rows.string(0)
            // An index of an expression has no column.
            if rows.int64(3) < rows.int64(4) {
                remarks.append("the index \(index) of \(name) is left out: it holds what is computed from columns")
            } else if rows.int64(4) > 1 {
                wideIndexes.append(index)
            } else {
                if rows.bool(5) {
                    remarks.append("the index \(index) of \(name) holds a part of the rows; here it holds all")
                }
                indexes[rows.string(2), default: []].append(index)
                if rows.bool(1) { uniqueColumns.insert(rows.string(2)) }
            }
        }
    }

    private mutating func readForeignKeys(_ connection: PlainConnection) throws {
        let rows = try connection.prepare(
            #"""
            SELECT max("from"), max("table"), max(on_delete), count(*), group_concat("from", ', ')
            FROM pragma_foreign_key_list(?) GROUP BY id
            """#)
        try rows.bind(name, at: 1)
        while try rows.step() {
            let (column, table) = (rows.string(0), rows.string(1))
            guard rows.int64(3) == 1 else {
                remarks.append(
                    "the relationship of \(name) to \(table) by the columns \(rows.string(4)) is left out: only one by a "
                        + "single column can be told")
                continue
            }
            foreignKeys[column] = table
            if rows.string(2).uppercased() == "CASCADE" { cascading.insert(column) }
        }
    }
}

extension String {
    /// The name in quotes, as SQL takes any name.
    var quotedForSQL: String { "\"" + replacing("\"" as Unicode.Scalar, with: "\"\"") + "\"" }
}
