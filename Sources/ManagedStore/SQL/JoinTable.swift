/// The table of a many-to-many relationship, with a row for each pair.
struct JoinTable: Sendable {
    /// One end of the relationship.
    struct End: Sendable {
        /// The column with the keys of this end's objects.
        let column: String
        /// The column with the order of the other end's objects; nil if they are unordered.
        let orderColumn: String?
        /// The position of the entity that declares this end.
        let entity: Int
    }

    let name: String
    /// The end that gives the table its name.
    let first: End
    let second: End

    /// Returns the join tables of a model. `tables` are those of its entities; `existing` describes an existing
    /// database.
    static func all(
        _ model: ManagedObjectModel, _ tables: [EntityTable], existing: (any ExistingTables)? = nil
    ) -> [JoinTable] {
        model.graph.joins.compactMap { end in
            guard let position = end.inverse else { return nil }
            let inverse = model.graph.relationships[end.destination][position]
            let own = JoinTable(end, inverse, tables)
            return existing.flatMap { own.found(in: $0, end, inverse, tables) } ?? own
        }
    }

    /// Returns the table as the database has it. It may be named after the other end, or have numbers after duplicate
    /// names.
    private func found(
        in existing: any ExistingTables, _ end: ResolvedRelationship, _ inverse: ResolvedRelationship,
        _ tables: [EntityTable]
    ) -> JoinTable? {
        let (own, other) = (tables[end.declaring].entityNumber, tables[inverse.declaring].entityNumber)
        let names = ["Z_\(own)\(end.name.uppercased())", "Z_\(other)\(inverse.name.uppercased())"]
        // Core Data alone numbers names that another table has.
        let candidates = existing.tableNames
            .filter { key in names.contains { existing.isCoreDatas ? key.isNumbered($0) : key == $0 } }
            .sorted { ($0 != name ? 1 : 0, $0) < ($1 != name ? 1 : 0, $1) }
        return candidates.lazy.compactMap { found(in: existing, table: $0, inverse.name.uppercased(), own) }.first
    }

    private func found(
        in existing: any ExistingTables, table: String, _ inverseName: String, _ own: Int
    ) -> JoinTable? {
        let columns = (existing.columns(of: table) ?? [:]).keys.sorted()
        guard let second = columns.first(where: { $0.isNumbered(self.second.column) }),
            let first = columns.first(where: {
                $0 != second && ($0 == Self.reflexive || $0.isNumbered("Z_\(own)\(inverseName)"))
            })
        else { return nil }
        func end(_ end: End, _ column: String, orderedBy other: String) -> End {
            End(
                column: column, orderColumn: end.orderColumn.map { _ in Self.orderColumn(of: other) },
                entity: end.entity)
        }
        return JoinTable(
            name: table, first: end(self.first, first, orderedBy: second),
            second: end(self.second, second, orderedBy: first)
        )
    }

    private init(name: String, first: End, second: End) {
        (self.name, self.first, self.second) = (name, first, second)
    }

    /// Makes a table with Core Data's names: the table is named after one end, each column after the relationship that
    /// leads to its objects.
    private init(_ end: ResolvedRelationship, _ inverse: ResolvedRelationship, _ tables: [EntityTable]) {
        let numbers = (own: tables[end.declaring].entityNumber, other: tables[inverse.declaring].entityNumber)
        name = "Z_\(numbers.own)\(end.name.uppercased())"
        let toOther = "\(numbers.other)\(end.name.uppercased())"
        let toOwn = "\(numbers.own)\(inverse.name.uppercased())"
        first = End(
            column: toOwn == toOther ? Self.reflexive : "Z_\(toOwn)",
            orderColumn: end.isOrdered ? Self.orderColumn(of: "Z_\(toOther)") : nil, entity: end.declaring)
        second = End(
            column: "Z_\(toOther)",
            orderColumn: inverse.isOrdered && toOwn != toOther ? Self.orderColumn(of: "Z_\(toOwn)") : nil,
            entity: inverse.declaring)
    }

    /// The first column of a relationship that is its own inverse.
    static let reflexive = "REFLEXIVE"

    /// Returns the number in `Z_4TAGS`, the name of a table or of a column with keys; nil for a name without one, such
    /// as `Z_PRIMARYKEY` and `Z_FOK_4NOTES`.
    static func entityNumber(in name: String) -> Int? {
        name.hasPrefix("Z_") ? Int(name.dropFirst(2).prefix(while: \.isNumber)) : nil
    }

    /// Returns the column with the order of the objects whose keys a column has.
    static func orderColumn(of column: String) -> String { "Z_FOK_\(column.dropFirst(2))" }

    var columns: [String] {
        [first.column, second.column] + [first.orderColumn, second.orderColumn].compactMap { $0 }
    }

    /// Returns this end and the other one, for the first or the second end.
    func ends(isFirst: Bool) -> (own: End, other: End) { isFirst ? (first, second) : (second, first) }
}
