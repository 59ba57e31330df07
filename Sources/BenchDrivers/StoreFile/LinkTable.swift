import BenchHarness

/// The table of a many-to-many relationship, with a row for each pair, in the layout of Core Data's files.
struct LinkTable: Sendable {
    /// The relationship.
    let link: LinkSpec
    /// The place of the relationship among the links of the entity that declares it.
    let place: Int
    /// The name of the entity that declares it.
    let source: String
    /// `Z_1TAGS`: the table is named after the end whose entity has the lower number.
    let name: String
    /// The column with the keys of the records that lead to others.
    let sourceColumn: String
    /// The column with the keys of the records that these lead to.
    let targetColumn: String
    private let isSourceFirst: Bool

    /// - Parameters:
    ///   - place: The place of the relationship in `source`.
    ///   - number: The number of the entity that declares the relationship.
    ///   - target: The number of the entity that it leads to.
    init(_ place: Int, of source: EntitySpec, _ link: LinkSpec, number: Int, target: Int) {
        (self.link, self.place, self.source) = (link, place, source.name)
        isSourceFirst = number < target
        name = RecordTable.quoted(
            isSourceFirst
                ? "Z_\(number)\(link.relationship.uppercased())" : "Z_\(target)\(link.inverse.uppercased())")
        // Each column is named after the relationship that leads to its records.
        sourceColumn = RecordTable.quoted("Z_\(number)\(link.inverse.uppercased())")
        targetColumn = RecordTable.quoted("Z_\(target)\(link.relationship.uppercased())")
    }

    /// The statements that create the table, and the index for the opposite direction.
    var creations: [String] {
        let (first, second) = isSourceFirst ? (sourceColumn, targetColumn) : (targetColumn, sourceColumn)
        let index = RecordTable.index(on: second, of: name)
        return [
            "CREATE TABLE \(name) ( \(first) INTEGER, \(second) INTEGER, PRIMARY KEY (\(first), \(second)) )",
            "CREATE INDEX \(index) ON \(name) (\(second), \(first))",
        ]
    }

    /// The statement that inserts a pair.
    var insertion: String { "INSERT INTO \(name) (\(sourceColumn), \(targetColumn)) VALUES (?, ?)" }
}

extension RecordTable {
    /// The tables of the many-to-many relationships that the entity declares.
    var links: [LinkTable] {
        let names = ([entity] + others).map(\.name).sorted()
        return (entity.links ?? []).enumerated().map { place, link in
            let target = (names.firstIndex(of: link.entityName) ?? 0) + 1
            return LinkTable(place, of: entity, link, number: number, target: target)
        }
    }

    /// Returns what a relationship to many leads to; nil for another relationship.
    func members(by relationship: String) -> MemberTable? {
        for other in otherTables {
            for (place, toOne) in other.entity.toOnes.enumerated()
            where toOne.entityName == entity.name && toOne.inverse == relationship {
                return MemberTable(
                    table: other, pairs: other.name, own: other.toOneColumn(place), key: "Z_PK",
                    order: toOne.isOrdered ? RecordTable.orderColumn(of: toOne) : nil)
            }
        }
        for link in allLinks {
            let isForward = link.source == entity.name && link.link.relationship == relationship
            let isBack = link.link.entityName == entity.name && link.link.inverse == relationship
            let name = isForward ? link.link.entityName : link.source
            guard isForward || isBack, let other = otherTables.first(where: { $0.entity.name == name }) else {
                continue
            }
            let columns = [link.sourceColumn, link.targetColumn]
            return MemberTable(
                table: other, pairs: link.name, own: columns[isForward ? 0 : 1], key: columns[isForward ? 1 : 0])
        }
        return nil
    }

    /// The tables of all many-to-many relationships of the file.
    var allLinks: [LinkTable] { links + otherTables.flatMap(\.links) }
}
