import TestSupport

/// Gives rows values that no store writes, by one statement.
enum CellDamage {
    static func perform(on connection: RawConnection, _ random: inout SeededGenerator) {
        let tables = connection.stringsIfAny("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        guard !tables.isEmpty else { return }
        // The store's own tables are few among the others, but there is much to be spoilt in them.
        let own = tables.filter { $0.hasPrefix("Z_") && $0.contains { $0.isNumber } == false }
        let table = random.pick(own.isEmpty || !random.oneIn(3) ? tables : own)
        let columns = connection.stringsIfAny("SELECT name FROM pragma_table_info('\(table)')")
        guard !columns.isEmpty else { return }
        connection.attempt(statement(table, columns, &random))
    }

    private static func statement(
        _ table: String, _ columns: [String], _ random: inout SeededGenerator
    ) -> String {
        // Keys, entities and versions are what everything else rests on.
        let special = columns.filter { $0.hasPrefix("Z_") }
        let column = random.pick(special.isEmpty || random.oneIn(2) ? columns : special)
        let value = HostileValue.draw(for: column, of: table, &random)
        let rows = rows(&random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return "DELETE FROM [\(table)] WHERE \(rows)"
        case 1:
            let values = columns.map { $0 == column ? value : "[\($0)]" }.joined(separator: ", ")
            return
                "INSERT OR \(random.pick(["IGNORE", "REPLACE"])) INTO [\(table)] SELECT \(values) FROM [\(table)] WHERE \(rows)"
        case 2:
            let values = columns.map { HostileValue.draw(for: $0, of: table, &random) }.joined(separator: ", ")
            return "INSERT OR REPLACE INTO [\(table)] VALUES (\(values))"
        case 3:
            // References in a circle, and into other tables.
            let other = random.pick(["ZASSET", "ZHOLDER", "ZTAG", "ZCOVER", table])
            return "UPDATE OR IGNORE [\(table)] SET [\(column)] = (SELECT Z_PK FROM [\(other)] ORDER BY Z_PK * 31 % 13 "
                + "LIMIT 1 OFFSET \(Int.random(in: 0..<6, using: &random))) WHERE \(rows)"
        default:
            return "UPDATE OR \(random.pick(["IGNORE", "REPLACE"])) [\(table)] SET [\(column)] = \(value) WHERE \(rows)"
        }
    }

    private static func rows(_ random: inout SeededGenerator) -> String {
        let number = Int.random(in: 0..<16, using: &random)
        return random.pick([
            "1", "rowid = \(number)", "rowid = \(number)", "rowid % 5 = \(number % 5)", "rowid > \(number)",
        ])
    }
}
