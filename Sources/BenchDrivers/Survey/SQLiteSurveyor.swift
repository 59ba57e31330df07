import BenchHarness
import Foundation

/// Reads what is in a file of SQLite: the entities of a file in Core Data's layout, the tables of another.
struct SQLiteSurveyor: StoreSurveyor {
    func survey(_ url: URL) throws -> StoreSurvey {
        let connection = try ForeignFile(url).connect()
        // The file may change meanwhile: all of it is read as it is now.
        try connection.execute("BEGIN")
        let tables = try StoredTable.all(connection)
        let layout = try CoreDataLayout(connection, tables)
        let sources = layout?.sources ?? tables.filter { $0.pairColumns == nil }.map { SurveySource(plain: $0) }
        let survey = { (source: SurveySource) in
            try source.survey(connection) { try destination(of: $0, named: nil, sources, connection) }
        }
        let entities = try sources.map(survey)
        let pairs = layout?.pairs ?? tables.compactMap { SurveyPairs(plain: $0, sources) }
        let links = try pairs.map { pairs in
            try pairs.survey(connection, entities) {
                try destination(of: $0.column, named: $0.entity, sources, connection)
            }
        }
        let leftOut = try StoredTable.others(connection).map { "the \($0.kind) \($0.name) is left out" }
        return StoreSurvey(
            entities: entities, families: try layout?.families.map(survey) ?? [], links: links,
            remarks: (layout?.remarks ?? []) + tables.flatMap { remarks(about: $0, pairs) } + leftOut)
    }

    /// A table of pairs has an index of both columns in every store, and needs no remark.
    private func remarks(about table: StoredTable, _ pairs: [SurveyPairs]) -> [String] {
        if pairs.contains(where: { $0.table == table.name }) { return table.remarks }
        return table.remarks
            + table.wideIndexes.map { "the index \($0) of \(table.name) is left out: it has several columns" }
    }

    /// The entity that a reference leads to: the one that the file names, or that has the reference's name, or the
    /// smallest one that has all its keys.
    ///
    /// - Parameter named: The entity whose records, or those of its children, the file says it leads to.
    private func destination(
        of reference: SurveySource.Reference, named: String?, _ sources: [SurveySource], _ connection: PlainConnection
    ) throws -> String? {
        if let table = reference.table {
            return sources.first { $0.table.name.lowercased() == table.lowercased() }?.name
        }
        let name = (named ?? reference.name).uppercased()
        var candidates = sources
        if let source = sources.first(where: { $0.name.uppercased() == name }) {
            guard try named != nil && !hasAllKeys(of: reference, source, connection) else { return source.name }
            // A parent may have no records of its own; those of its children are in the same table.
            candidates = sources.filter { $0.table.name == source.table.name }
        }
        let records = try candidates.map { ($0, try connection.integer("SELECT count(*) FROM \($0.rows)") ?? 0) }
        return try records.filter { $0.1 > 0 }.sorted { $0.1 < $1.1 }
            .first { try hasAllKeys(of: reference, $0.0, connection) }?.0.name
    }

    private func hasAllKeys(
        of reference: SurveySource.Reference, _ source: SurveySource, _ connection: PlainConnection
    ) throws -> Bool {
        let strangers = reference.rows(outside: "SELECT Z_PK FROM \(source.rows)")
        return try connection.integer("SELECT 1 FROM \(strangers) LIMIT 1") == nil
    }
}
