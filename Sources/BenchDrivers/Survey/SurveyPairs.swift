import BenchHarness

/// The table of a many-to-many relationship, with a row for each pair.
struct SurveyPairs {
    /// A column with the keys of the records at one end.
    struct End {
        let column: SurveySource.Reference
        /// The entity of these records, as the file says; it may be a parent of theirs.
        let entity: String?
    }

    let table: String
    let first: End
    let second: End
    /// The columns of the table.
    private let columns: [String]

    /// Nil for a table of another kind. `Z_1TAGS` joins the entity 1 with another: each of its columns has the number
    /// of an entity, and the name of the relationship that leads to its records.
    init?(coreData table: StoredTable, _ entities: [Int64: String], _ model: ModelNames) {
        guard table.name.wholeMatch(of: /Z_[0-9]+.+/) != nil else { return nil }
        let ends = table.columns.compactMap { column -> End? in
            guard let match = column.name.wholeMatch(of: /Z_([0-9]+)(.+)/) else { return nil }
            let entity = Int64(match.output.1).flatMap { entities[$0] }
            let name = String(match.output.2)
            return Self.end(of: table, column.name, named: model.name(of: name) ?? name.lowercased(), entity)
        }
        // A relationship that is its own inverse has one such column.
        guard let first = ends.first, let second = ends.dropFirst().first ?? ends.first else { return nil }
        (self.table, self.first, self.second, columns) = (table.name, first, second, table.columns.map(\.name))
    }

    /// Nil for a table that does not only join two others.
    init?(plain table: StoredTable, _ sources: [SurveySource]) {
        guard let columns = table.pairColumns else { return nil }
        func end(_ column: String) -> End {
            let target = table.foreignKeys[column]?.lowercased()
            let entity = sources.first { $0.table.name.lowercased() == target }?.name
            return Self.end(of: table, column, named: entity ?? column, entity)
        }
        (self.table, first, second) = (table.name, end(columns.0), end(columns.1))
        self.columns = table.columns.map(\.name)
    }

    private static func end(of table: StoredTable, _ column: String, named name: String, _ entity: String?) -> End {
        let from = SurveySource.rows(of: table, nil)
        let reference = SurveySource.Reference(
            name: name, column: column, table: table.foreignKeys[column], from: from)
        return End(column: reference, entity: entity)
    }

    /// Counts the pairs; `destination` tells which entity has the records at an end.
    func survey(
        _ connection: PlainConnection, _ entities: [SurveyedEntity], destination: (End) throws -> String?
    ) throws -> SurveyedLink {
        let pairs = try connection.integer("SELECT count(*) FROM \(table.quotedForSQL)") ?? 0
        var ends = try [first, second].map { try survey($0, connection, entities, destination) }
        ends[0].isOrdered = keepsOrder(of: second)
        ends[1].isOrdered = keepsOrder(of: first)
        return SurveyedLink(ends[0], ends[1], pairs: Int(pairs))
    }

    /// Whether the records that lead to those of an end keep them in order: `Z_FOK_2TAGS` has the places of `Z_2TAGS`.
    private func keepsOrder(of end: End) -> Bool {
        columns.contains("Z_FOK_\(end.column.column.dropFirst(2))")
    }

    private func survey(
        _ end: End, _ connection: PlainConnection, _ entities: [SurveyedEntity], _ destination: (End) throws -> String?
    ) throws -> SurveyedLink.End {
        let entity = try destination(end) ?? end.entity ?? ""
        let groups = "(SELECT count(*) AS n FROM \(table.quotedForSQL) GROUP BY \(end.column.column.quotedForSQL))"
        let related = try connection.integer("SELECT count(*) FROM \(groups)") ?? 0
        let fewest = try connection.integer("SELECT min(n) FROM \(groups)") ?? 0
        let most = try connection.integer("SELECT max(n) FROM \(groups)") ?? 0
        let isEveryRelated = entities.first { $0.name == entity }.map { $0.records <= related } ?? false
        return SurveyedLink.End(
            entity: entity, relationship: end.column.name, fewest: isEveryRelated ? Int(fewest) : 0, most: Int(most))
    }
}
