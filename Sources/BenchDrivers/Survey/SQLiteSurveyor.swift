import BenchHarness
import CSQLite
import Foundation

/// Reads what is in a file of SQLite: the entities of a file in Core Data's layout, the tables of another.
struct SQLiteSurveyor: StoreSurveyor {
    func survey(_ url: URL) throws -> StoreSurvey {
        let connection = try connect(to: url)
        // The file may change meanwhile: all of it is read as it is now.
        try connection.execute("BEGIN")
        guard sqlite3_exec(connection.handle, "PRAGMA schema_version", nil, nil, nil) & 0xFF != SQLITE_NOTADB else {
            throw DriverError(.cannotOpen, "expected a file of SQLite")
        }
        let tables = try StoredTable.all(connection)
        let layout = try CoreDataLayout(connection, tables)
        let sources = layout?.sources ?? tables.map { SurveySource(plain: $0) }
        let entities = try sources.map { try $0.survey(connection) { try destination(of: $0, sources, connection) } }
        let leftOut = try StoredTable.others(connection).map { "the \($0.kind) \($0.name) is left out" }
        return StoreSurvey(entities: entities, remarks: (layout?.remarks ?? []) + leftOut)
    }

    /// Opens a file for reading alone. SQLite would make files beside one with a write-ahead log even then, unless it
    /// is told that nothing changes the file: true if there is neither a log nor a journal.
    private func connect(to url: URL) throws -> PlainConnection {
        let isAtRest = ["-wal", "-journal"].allSatisfy { suffix in
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.path + suffix)
            return (attributes?[.size] as? Int ?? 0) == 0
        }
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%;"))
        let path = url.path.addingPercentEncoding(withAllowedCharacters: allowed) ?? url.path
        return try PlainConnection(
            name: "file:\(path)?mode=ro\(isAtRest ? "&immutable=1" : "")", flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        )
    }

    /// The entity that a reference leads to: the one that the file names, or that has the reference's name, or the
    /// smallest one that has all its keys.
    private func destination(
        of reference: SurveySource.Reference, _ sources: [SurveySource], _ connection: PlainConnection
    ) throws -> String? {
        if let table = reference.table {
            return sources.first { $0.table.name.lowercased() == table.lowercased() }?.name
        }
        if let named = sources.first(where: { $0.name.uppercased() == reference.name.uppercased() }) {
            return named.name
        }
        var fitting: (name: String, records: Int64)?
        for source in sources {
            let records = try connection.integer("SELECT count(*) FROM \(source.rows)") ?? 0
            guard records > 0, records < fitting?.records ?? .max else { continue }
            let strangers = reference.rows(outside: "SELECT Z_PK FROM \(source.rows)")
            if try connection.integer("SELECT 1 FROM \(strangers) LIMIT 1") == nil { fitting = (source.name, records) }
        }
        return fitting?.name
    }
}
