import BenchHarness

/// Tables of records on a server.
extension RecordTable {
    /// The statements that create every table of the schema.
    var serverDefinition: [String] { all.flatMap(\.serverCreations) + allLinks.flatMap(\.creations) }

    /// The statements that create the table and its indexes.
    private var serverCreations: [String] {
        let orders = orderColumns.map { "\($0) bigint" }
        let declarations =
            orders + storedAttributes.map { columns[$0] + " " + ServerType(entity.attributes[$0].type).declaration }
        let table =
            "CREATE TABLE \(name) (\"Z_PK\" bigint PRIMARY KEY, \"Z_ENT\" bigint, \"Z_OPT\" bigint, "
            + declarations.joined(separator: ", ") + ")"
        let indexes = indexedAttributes.map { position in
            let kind = entity.attributes[position].isUnique ? "UNIQUE INDEX" : "INDEX"
            return "CREATE \(kind) ON \(name) (\(columns[position]) NULLS FIRST)"
        }
        return [table] + indexes
    }

    /// The longest name of a column or table that a server keeps whole, in bytes.
    private static let nameLimit = 63

    /// Returns why a server cannot keep the records of the entities of a scenario, or what a phase gives them; nil if
    /// it can.
    static func serverProblem(of schema: Schema, in phase: Phase) -> String? {
        if let attribute = phase.attributeSetToZeroByte {
            return "a text of PostgreSQL has no zero byte, and \(attribute) gets one"
        }
        let table = RecordTable(schema, dialect: .postgreSQL)
        let names = table.all.flatMap(\.names) + table.allLinks.flatMap(\.names)
        return names.first { length($0.identifier) > nameLimit }.map {
            "the server cuts names after \(nameLimit) bytes, and \($0.identifier), its name of \($0.word), has "
                + "\(length($0.identifier)); shorten \($0.word)"
        }
    }

    /// The length of an identifier without its quotes, in bytes.
    private static func length(_ identifier: String) -> Int { identifier.utf8.count - 2 }

    /// The identifiers of the table and its columns, with the words of the scenario that they are made of.
    private var names: [(word: String, identifier: String)] {
        let orders = entity.toOnes.filter(\.isOrdered).map { ($0.relationship, orderColumn(of: $0)) }
        return [(entity.name, name)] + zip(entity.attributes.map(\.name), columns) + orders
    }
}

extension LinkTable {
    /// The identifiers of the table and its columns, with the words of the scenario that they are made of.
    fileprivate var names: [(word: String, identifier: String)] {
        [(link.relationship, orderColumn ?? targetColumn), (link.inverse, sourceColumn)]
    }
}
