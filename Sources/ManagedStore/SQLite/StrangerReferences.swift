/// Finds references that the model does not know, in a file that Core Data wrote. Core Data gives the column of a
/// relationship an index with the name `ZBOOK_ZAUTHOR_INDEX`. A second column, `Z6_AUTHOR`, holds the number of the
/// related entity if that has subentities. The columns of a join table start with the number of the entity whose keys
/// they hold.
struct StrangerReferences {
    private let file: FileSchema
    private let tables: [EntityTable]
    private let joins: [JoinTable]
    /// The columns with the index of a relationship, by table.
    private var indexed: [String: Set<String>] = [:]

    init(_ fit: SchemaFit, _ connection: Connection) throws(StoreError) {
        (file, tables, joins) = (fit.file, fit.tables, fit.joins)
        let rows = try connection.statement(
            "SELECT upper(tbl_name), upper(name) FROM sqlite_master WHERE type = 'index' AND name LIKE 'Z%!_INDEX' ESCAPE '!'"
        )
        while try rows.step() {
            let (table, name) = (rows.string(0), rows.string(1))
            guard name.hasPrefix(table + "_") else { continue }
            indexed[table, default: []].insert(String(name.dropFirst(table.count + 1).dropLast("_INDEX".count)))
        }
    }

    /// Returns the columns that may lead to rows of the entity of `target`.
    func references(to target: EntityTable) -> [StrangerReference] {
        file.tables.keys.sorted().flatMap { table -> [StrangerReference] in
            table.hasPrefix("Z_") ? inJoin(table, target) : unknown(in: table, target) + unseen(in: table, target)
        }
    }

    /// Returns the columns that no entity of the model has.
    private func unknown(in table: String, _ target: EntityTable) -> [StrangerReference] {
        let columns = file.tables[table, default: [:]]
        let known = Set(tables.lazy.filter { $0.name == table }.flatMap(\.columns))
        return columns.keys.sorted().compactMap { column in
            guard column.first == "Z", column.dropFirst().first?.isLetter == true, !known.contains(column) else {
                return nil
            }
            if let (number, entityColumn) = entityColumn(of: column, columns) {
                guard ancestors(of: target.entityNumber).contains(number) else { return nil }
                return StrangerReference(
                    table: table, column: column, condition: "\(entityColumn) = \(target.entityNumber)", isGuess: false)
            }
            let isLeaf = !file.entities.contains { $0.superNumber == target.entityNumber }
            guard isLeaf, indexed[table]?.contains(column) == true, columns[column]?.type.contains("INT") == true else {
                return nil
            }
            return StrangerReference(table: table, column: column, condition: nil, isGuess: true)
        }
    }

    /// Returns `Z6_AUTHOR` for `ZAUTHOR`, and its number.
    private func entityColumn(of column: String, _ columns: [String: ExistingColumn]) -> (Int, String)? {
        let name = "_" + column.dropFirst()
        for other in columns.keys where other.hasSuffix(name) {
            if let number = Int(other.dropFirst().dropLast(name.count)) { return (number, other) }
        }
        return nil
    }

    /// Returns the columns of the model's relationships, for rows of entities that the model does not have.
    private func unseen(in name: String, _ target: EntityTable) -> [StrangerReference] {
        let sharing = tables.filter { $0.name == name && $0.hasStrangers }
        let numbers = sharing.map { String($0.entityNumber) }.joined(separator: ", ")
        var columns = Set<String>()
        for table in sharing {
            let hierarchy = table.source.model.hierarchy
            for (field, reference) in table.references
            where hierarchy.families[reference.destination].contains(target.source.entityIndex) {
                columns.insert(table.columns[field])
            }
        }
        return columns.sorted().map {
            StrangerReference(table: name, column: $0, condition: "Z_ENT NOT IN (\(numbers))", isGuess: false)
        }
    }

    private func inJoin(_ table: String, _ target: EntityTable) -> [StrangerReference] {
        guard !joins.contains(where: { $0.name == table }), let own = JoinTable.entityNumber(in: table) else {
            return []
        }
        let known = ancestors(of: target.entityNumber)
        return file.tables[table, default: [:]].keys.sorted().compactMap { column in
            guard let number = column == JoinTable.reflexive ? own : JoinTable.entityNumber(in: column),
                known.contains(number)
            else { return nil }
            return StrangerReference(table: table, column: column, condition: nil, isGuess: false)
        }
    }

    /// Returns the entity and its superentities.
    private func ancestors(of number: Int) -> Set<Int> {
        var (found, next): (Set<Int>, Int) = ([], number)
        while next != 0, found.insert(next).inserted {
            next = file.entities.first { $0.number == next }?.superNumber ?? 0
        }
        return found
    }
}
