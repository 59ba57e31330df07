import TestSupport

/// Changes what tables a file has and what they do, by one or a few statements.
enum SchemaDamage: CaseIterable {
    case trigger
    case view
    case column
    case index
    case definition
    case setting
    case table
    case statistics

    static func perform(on connection: RawConnection, _ random: inout SeededGenerator) {
        let tables = connection.stringsIfAny(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        guard !tables.isEmpty else { return }
        let table = random.pick(tables)
        let columns = connection.stringsIfAny("SELECT name FROM pragma_table_info('\(table)')")
        guard !columns.isEmpty else { return }
        let column = random.pick(columns)
        let name = "fuzz\(Int.random(in: 0..<1_000_000, using: &random))"
        switch random.pick(allCases + [.trigger, .trigger]) {
        case .trigger: connection.attempt(trigger(name, table, column, random.pick(tables), &random))
        case .view: connection.attempt(view(name, table, columns, column, &random))
        case .column: connection.attempt(change(column, of: table, name, &random))
        case .index: changeIndex(on: connection, table, column, name, &random)
        case .definition: redefine(connection, table, column, &random)
        case .setting: connection.attempt(random.pick(settings))
        case .table: connection.attempt(random.pick(tableChanges(table, name)))
        case .statistics:
            connection.attempt("ANALYZE")
            connection.attempt(
                "UPDATE sqlite_stat1 SET stat = \(random.pick(["'0 0 0'", "'9e9 1'", "'x'", "'1'", "NULL", "zeroblob(9)"]))"
            )
        }
    }

    private static func trigger(
        _ name: String, _ table: String, _ column: String, _ other: String, _ random: inout SeededGenerator
    ) -> String {
        let value = HostileValue.draw(for: column, of: table, &random)
        let body = random.pick([
            "SELECT RAISE(IGNORE)", "SELECT RAISE(ABORT, 'no')", "SELECT RAISE(FAIL, 'no')",
            "SELECT RAISE(ROLLBACK, 'no')",
            "DELETE FROM [\(table)]", "DELETE FROM [\(other)]", "UPDATE [\(table)] SET [\(column)] = \(value)",
            "UPDATE [\(table)] SET Z_OPT = Z_OPT + 1", "UPDATE [\(table)] SET Z_PK = Z_PK + 1000",
            "UPDATE [\(other)] SET Z_ENT = 3", "INSERT INTO [\(other)] DEFAULT VALUES",
            "INSERT INTO [\(table)] SELECT * FROM [\(table)]", "UPDATE Z_PRIMARYKEY SET Z_MAX = \(value)",
            "DELETE FROM Z_METADATA", "SELECT randomblob(400000000)", "SELECT zeroblob(900000000) || 'x'",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) INSERT INTO [\(other)] SELECT i FROM n",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
            "SELECT count(*) FROM [\(table)] a, [\(table)] b, [\(table)] c, [\(table)] d, [\(table)] e, [\(table)] f",
            "SELECT load_extension('x')", "SELECT no_such_function(1)", "UPDATE [\(other)] SET no_such_column = 1",
        ])
        let moment = random.pick(["BEFORE", "AFTER"])
        let event = random.pick(["INSERT", "UPDATE", "DELETE", "UPDATE OF [\(column)]"])
        return "CREATE TRIGGER \(name) \(moment) \(event) ON [\(table)] BEGIN \(body); END"
    }

    private static func view(
        _ name: String, _ table: String, _ columns: [String], _ column: String, _ random: inout SeededGenerator
    ) -> String {
        let value = HostileValue.draw(for: column, of: name, &random)
        let replaced = columns.map { $0 == column ? "\(value) AS [\($0)]" : "[\($0)]" }.joined(separator: ", ")
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        let body = random.pick([
            "SELECT * FROM \(name)", "SELECT \(replaced) FROM \(name)", "\(endless) SELECT \(name).* FROM n, \(name)",
            "SELECT * FROM [\(table)]", "SELECT 1",
        ])
        return "ALTER TABLE [\(table)] RENAME TO \(name); CREATE VIEW [\(table)] AS \(body); "
            + "CREATE TRIGGER \(name)_i INSTEAD OF \(random.pick(["INSERT", "UPDATE", "DELETE"])) ON [\(table)] BEGIN SELECT 1; END"
    }

    private static func change(
        _ column: String, of table: String, _ name: String, _ random: inout SeededGenerator
    ) -> String {
        let value = HostileValue.draw(for: column, of: table, &random)
        return random.pick([
            "ALTER TABLE [\(table)] DROP COLUMN [\(column)]",
            "ALTER TABLE [\(table)] RENAME COLUMN [\(column)] TO \(name)",
            "ALTER TABLE [\(table)] RENAME COLUMN [\(column)] TO [\(column.lowercased())]",
            "ALTER TABLE [\(table)] ADD COLUMN \(name) GENERATED ALWAYS AS (\(value)) VIRTUAL",
            "ALTER TABLE [\(table)] ADD COLUMN \(name) NOT NULL DEFAULT 1",
            "ALTER TABLE [\(table)] ADD COLUMN \(name) REFERENCES nowhere(x) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED",
            "ALTER TABLE [\(table)] ADD COLUMN \(name) CHECK (\(name) > 1) DEFAULT 2",
            "ALTER TABLE [\(table)] DROP COLUMN [\(column)]; "
                + "ALTER TABLE [\(table)] ADD COLUMN [\(column)] AS (\(random.pick(HostileValue.extremes + HostileValue.texts)))",
            "ALTER TABLE [\(table)] DROP COLUMN [\(column)]; ALTER TABLE [\(table)] ADD COLUMN [\(column)] VARCHAR COLLATE NOCASE",
        ])
    }

    private static func changeIndex(
        on connection: RawConnection, _ table: String, _ column: String, _ name: String, _ random: inout SeededGenerator
    ) {
        let indexes = connection.stringsIfAny(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL ORDER BY name")
        if !indexes.isEmpty, random.oneIn(2) { return connection.attempt("DROP INDEX [\(random.pick(indexes))]") }
        connection.attempt(
            random.pick([
                "CREATE UNIQUE INDEX \(name) ON [\(table)]([\(column)])",
                "CREATE INDEX \(name) ON [\(table)]([\(column)] COLLATE NOCASE DESC)",
                "CREATE INDEX \(name) ON [\(table)](zeroblob(100000) || [\(column)])",
                "CREATE INDEX \(name) ON [\(table)]([\(column)]) WHERE [\(column)] > 3",
                "CREATE UNIQUE INDEX Z_Tag_UNIQUE_name ON [\(table)]([\(column)])",
                "CREATE INDEX \(name) ON [\(table)](CASE WHEN [\(column)] THEN abs(-9223372036854775808) ELSE 1 END)",
            ]))
    }

    /// Changes the text from which SQLite knows a table, which SQLite forbids.
    private static func redefine(
        _ connection: RawConnection, _ table: String, _ column: String, _ random: inout SeededGenerator
    ) {
        let change = random.pick([
            "replace(sql, 'VARCHAR', 'BLOB')", "replace(sql, 'INTEGER', 'TEXT')",
            "replace(sql, 'VARCHAR', 'VARCHAR COLLATE NOCASE')",
            "replace(sql, 'PRIMARY KEY', '')", "replace(sql, 'PRIMARY KEY', 'PRIMARY KEY DESC')",
            "substr(sql, 1, length(sql) - 1) || ', CHECK (0))'",
            "substr(sql, 1, length(sql) - 1) || ', CHECK ([\(column)] NOT NULL))'",
            "substr(sql, 1, length(sql) - 1) || ') STRICT'",
            "substr(sql, 1, length(sql) - 1) || ') WITHOUT ROWID'",
            "substr(sql, 1, length(sql) - 1) || ', UNIQUE ([\(column)]))'",
            "'CREATE TABLE [\(table)] (a)'", "NULL", "'x'", "sql || ';;'", "replace(sql, ')', ' NOT NULL)')",
        ])
        let rootPage = random.oneIn(4) ? ", rootpage = \(Int.random(in: 0..<40, using: &random))" : ""
        connection.attempt(
            "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = \(change)\(rootPage) WHERE name = '\(table)'")
    }

    private static let settings = [
        "PRAGMA user_version = -1", "PRAGMA application_id = 7", "PRAGMA auto_vacuum = 1; VACUUM",
        "PRAGMA auto_vacuum = 2; VACUUM",
        "PRAGMA journal_mode = DELETE; PRAGMA page_size = 65536; VACUUM",
        "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM",
        "PRAGMA schema_version = 2147483647", "PRAGMA journal_mode = TRUNCATE",
        "PRAGMA journal_mode = PERSIST; UPDATE Z_METADATA SET Z_VERSION = 1",
        "PRAGMA default_cache_size = -1", "PRAGMA max_page_count = 1",
    ]

    private static func tableChanges(_ table: String, _ name: String) -> [String] {
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
        return [
            "DROP TABLE [\(table)]", "ALTER TABLE [\(table)] RENAME TO \(name)",
            "CREATE TABLE \(name) AS SELECT * FROM [\(table)]",
            "CREATE VIRTUAL TABLE \(name) USING fts5(x)",
            "ALTER TABLE [\(table)] RENAME TO \(name); CREATE VIRTUAL TABLE [\(table)] USING fts5(Z_PK, Z_ENT, Z_OPT)",
            "CREATE TABLE \(name)(a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO \(name) VALUES (9223372036854775807)",
            "\(endless) INSERT OR IGNORE INTO Z_PRIMARYKEY SELECT i, 'E' || i, i + 1, i FROM n",
            "CREATE TABLE Z_77TAGS (Z_77A INTEGER, Z_77B INTEGER, PRIMARY KEY (Z_77A, Z_77B))",
            "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY)", "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
        ]
    }
}
