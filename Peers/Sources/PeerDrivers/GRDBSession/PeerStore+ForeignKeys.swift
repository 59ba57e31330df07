import DriverSupport
import GRDB

extension PeerStore {
    /// Gives the tables of several entities the foreign keys that GRDB's documentation asks for: associations find
    /// them, and deletions cascade by them. The baseline driver makes tables without any, as Core Data does.
    func addForeignKeys(_ db: Database) throws {
        for own in table.all where !table.schema.others.isEmpty {
            try add(
                own.entity.toOnes.enumerated().map { place, toOne in
                    let action = toOne.rule == .cascade ? " ON DELETE CASCADE" : " ON DELETE SET NULL"
                    return Self.foreignKey(own.toOneColumn(place), to: toOne.entityName) + action
                }, to: own.name, db)
            for link in own.links {
                let ends = [
                    (link.names.sourceColumn, own.entity.name), (link.names.targetColumn, link.link.spec.entityName),
                ]
                try add(
                    ends.map { Self.foreignKey($0, to: $1) + " ON DELETE CASCADE" }, to: link.names.table, db)
            }
        }
    }

    private static func foreignKey(_ column: String, to entity: String) -> String {
        "FOREIGN KEY (\(column.quotedDatabaseIdentifier)) "
            + "REFERENCES \(CoreDataNames.name(entity).quotedDatabaseIdentifier)"
    }

    /// Makes an empty table anew, since SQLite adds no foreign key to a table.
    private func add(_ foreignKeys: [String], to table: String, _ db: Database) throws {
        guard !foreignKeys.isEmpty, try db.foreignKeys(on: table).isEmpty, try Table(table).all().isEmpty(db) else {
            return
        }
        let statements = try String.fetchAll(
            db,
            sql: "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql NOT NULL ORDER BY type DESC",
            arguments: [table])
        try db.execute(sql: "DROP TABLE \(table.quotedDatabaseIdentifier)")
        // The table comes first, before its indexes.
        for (place, statement) in statements.enumerated() {
            let creation = place == 0 ? "\(statement.dropLast()), \(foreignKeys.joined(separator: ", ")))" : statement
            try db.execute(sql: creation)
        }
    }
}
