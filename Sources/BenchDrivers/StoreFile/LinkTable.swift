import BenchHarness
import DriverSupport

/// The table of a many-to-many relationship, with a row for each pair, in the layout of Core Data's files.
struct LinkTable: Sendable {
    /// The relationship.
    let link: LinkSpec
    /// The place of the relationship among the links of the entity that declares it.
    let place: Int
    /// The name of the entity that declares it.
    let source: String
    /// The name of the table.
    let name: String
    /// The column with the keys of the records that lead to others.
    let sourceColumn: String
    /// The column with the keys of the records that these lead to.
    let targetColumn: String
    /// The column with the places of these in their order; nil if they are in none.
    let orderColumn: String?
    private let isSourceFirst: Bool
    private let dialect: RecordDialect

    /// - Parameters:
    ///   - link: The relationship.
    ///   - source: The table of the entity that declares it.
    init(_ link: Schema.Link, of source: RecordTable) {
        (self.link, place, self.source, dialect) = (link.spec, link.place, source.entity.name, source.dialect)
        let names = CoreDataNames.Pairs(link, in: source.schema)
        isSourceFirst = names.isSourceFirst
        name = dialect.identifier(names.table)
        sourceColumn = dialect.identifier(names.sourceColumn)
        targetColumn = dialect.identifier(names.targetColumn)
        orderColumn = link.spec.isOrdered ? dialect.identifier(names.orderColumn) : nil
    }

    /// The statements that create the table, and the index for the opposite direction.
    var creations: [String] {
        let (first, second) = isSourceFirst ? (sourceColumn, targetColumn) : (targetColumn, sourceColumn)
        let type = dialect.keyType
        // A server finds a name by itself.
        let index = dialect == .sqlite ? RecordTable.index(on: second, of: name) + " " : ""
        let order = orderColumn.map { "\($0) \(type), " } ?? ""
        return [
            "CREATE TABLE \(name) ( \(first) \(type), \(second) \(type), \(order)PRIMARY KEY (\(first), \(second)) )",
            "CREATE INDEX \(index)ON \(name) (\(second), \(first))",
        ]
    }

    /// The columns of a ``Pair``.
    var columns: [String] { [sourceColumn, targetColumn] + [orderColumn].compactMap(\.self) }

    /// The statement that inserts a pair.
    var insertion: String {
        let parameters = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(parameters))"
    }

    /// The statement that selects all pairs.
    var selection: String { "SELECT \(sourceColumn), \(targetColumn) FROM \(name)" }

    /// Returns the statement by which the record whose key is its parameter leads to another, or no longer.
    func statement(_ change: LinkChange, isForward: Bool) -> String {
        let (own, other) = isForward ? (sourceColumn, targetColumn) : (targetColumn, sourceColumn)
        if !change.links { return "DELETE FROM \(name) WHERE \(own) = $1 AND \(other) = \(change.number)" }
        // A scenario changes an order from the end that keeps it.
        guard let orderColumn else {
            return "INSERT INTO \(name) (\(own), \(other)) VALUES ($1, \(change.number)) ON CONFLICT DO NOTHING"
        }
        return """
            INSERT INTO \(name) (\(own), \(other), \(orderColumn)) \
            SELECT CAST($1 AS \(dialect.keyType)), \(change.number), COALESCE(max(\(orderColumn)), 0) + 1 \
            FROM \(name) WHERE \(own) = $1 ON CONFLICT DO NOTHING
            """
    }

    /// The keys of two records that the relationship joins, and the place of the second in the order of the first; nil
    /// if it keeps none.
    struct Pair {
        let source: Int64, target: Int64, place: Int64?
    }

    /// Returns the pairs that records with `ordinals` begin.
    func pairs(_ ordinals: Range<Int>, of records: RecordGenerator) -> [Pair] {
        ordinals.flatMap { ordinal in
            records.links(place, ordinal).enumerated().map { position, target in
                let place = orderColumn == nil ? nil : Int64(position + 1)
                return Pair(source: RecordTable.key(ordinal), target: target, place: place)
            }
        }
    }
}

extension RecordTable {
    /// The tables of the many-to-many relationships that the entity declares.
    var links: [LinkTable] {
        schema.links.filter { $0.source == schema.focus }.map { LinkTable($0, of: self) }
    }

    /// Returns what a relationship to many leads to; nil for another relationship.
    func members(by relationship: String) -> MemberTable? {
        guard let toMany = schema.relationship(relationship) else { return nil }
        let other = table(of: toMany.destination)
        switch toMany.place {
        case .number: return nil
        case .inverse(let place):
            let order = toMany.isOrdered ? other.orderColumn(of: other.entity.toOnes[place]) : nil
            return MemberTable(
                table: other, pairs: other.name, own: other.toOneColumn(place), key: other.key, order: order)
        case .pairs(let link, let isForward):
            let table = (isForward ? self : other).links[link.place]
            let columns = [table.sourceColumn, table.targetColumn]
            return MemberTable(
                table: other, pairs: table.name, own: columns[isForward ? 0 : 1], key: columns[isForward ? 1 : 0],
                order: isForward ? table.orderColumn : nil)
        }
    }

    /// Returns the condition that a relationship leads to a row which meets a condition.
    ///
    /// - Parameters:
    ///   - isNegated: Whether it must not be NULL where a relationship leads nowhere.
    ///   - inner: Returns that condition on a table.
    func condition(
        thatAny relationship: String, isNegated: Bool, _ inner: (RecordTable) throws -> String
    ) throws -> String {
        if let place = entity.toOnes.firstIndex(where: { $0.relationship == relationship }) {
            let (target, column) = (target(place), toOneColumn(place))
            let found = "\(column) IN (SELECT \(target.key) FROM \(target.name) WHERE \(try inner(target)))"
            return isNegated && entity.attributes[entity.toOneAttributes.lowerBound + place].hasNulls
                ? "(\(column) IS NOT NULL AND \(found))" : found
        }
        guard let members = members(by: relationship) else {
            throw DriverError(.invalidRequest, "\(entity.name) has no relationship \(relationship)")
        }
        let (table, condition) = (members.table, try inner(members.table))
        let rows =
            members.isDirect
            ? condition : "\(members.key) IN (SELECT \(table.key) FROM \(table.name) WHERE \(condition))"
        // A NULL among the keys would leave unknown whether another is one of them.
        let isKnown = isNegated && members.mayLeadNowhere ? " AND \(members.own) IS NOT NULL" : ""
        return "\(key) IN (SELECT \(members.own) FROM \(members.pairs) WHERE \(rows)\(isKnown))"
    }

    /// Returns the statements that make changes of many-to-many relationships of the record whose key is their
    /// parameter.
    func statements(_ changes: [LinkChange]) throws -> [String] {
        try changes.map { change in
            guard case .pairs(let link, let isForward)? = schema.relationship(change.relationship)?.place else {
                throw DriverError(
                    .invalidRequest, "\(entity.name) has no many-to-many relationship \(change.relationship)")
            }
            return table(of: link.source).links[link.place].statement(change, isForward: isForward)
        }
    }

    /// The tables of all many-to-many relationships of the file.
    var allLinks: [LinkTable] { links + otherTables.flatMap(\.links) }
}
