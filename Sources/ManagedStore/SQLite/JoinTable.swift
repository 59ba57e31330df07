/// The table of a many-to-many relationship: a row for each pair.
struct JoinTable: Sendable {
    /// One end of the pair.
    struct End: Sendable {
        /// Holds the keys of this end's objects.
        let column: String
        /// Holds the order in which the other end's objects come, if that is kept.
        let orderColumn: String?
        /// The position of the entity that declares this end.
        let entity: Int
    }

    let name: String
    /// The end that the table is named after.
    let first: End
    let second: End

    /// The join tables of a model. `tables` are those of its entities.
    static func all(_ model: ManagedObjectModel, _ tables: [EntityTable]) -> [JoinTable] {
        model.graph.joins.compactMap { end in
            end.inverse.map { JoinTable(end, model.graph.relationships[end.destination][$0], tables) }
        }
    }

    /// Core Data's names: the table is called after one end, each column after the relationship that leads to what it holds.
    private init(_ end: ResolvedRelationship, _ inverse: ResolvedRelationship, _ tables: [EntityTable]) {
        let numbers = (own: tables[end.declaring].entityNumber, other: tables[inverse.declaring].entityNumber)
        name = "Z_\(numbers.own)\(end.name.uppercased())"
        let toOther = "\(numbers.other)\(end.name.uppercased())"
        let toOwn = "\(numbers.own)\(inverse.name.uppercased())"
        first = End(
            column: toOwn == toOther ? "REFLEXIVE" : "Z_\(toOwn)",
            orderColumn: end.isOrdered ? "Z_FOK_\(toOther)" : nil, entity: end.declaring)
        second = End(
            column: "Z_\(toOther)", orderColumn: inverse.isOrdered && toOwn != toOther ? "Z_FOK_\(toOwn)" : nil,
            entity: inverse.declaring)
    }

    var columns: [String] {
        [first.column, second.column] + [first.orderColumn, second.orderColumn].compactMap { $0 }
    }

    /// `CREATE TABLE Z_1TAGS ( Z_1ITEMS INTEGER, Z_2TAGS INTEGER, PRIMARY KEY (Z_1ITEMS, Z_2TAGS) )`, and the way back.
    var creations: [String] {
        let declared = columns.map { "\($0) INTEGER" }.joined(separator: ", ")
        return [
            "CREATE TABLE \(name) ( \(declared), PRIMARY KEY (\(first.column), \(second.column)) )",
            "CREATE INDEX \(name)_\(second.column)_INDEX ON \(name) (\(second.column), \(first.column))",
        ]
    }

    /// This end and the other, as seen from the first or the second.
    func ends(isFirst: Bool) -> (own: End, other: End) { isFirst ? (first, second) : (second, first) }
}
