/// Changes rows by their keys, in a transaction.
protocol KeyedWriter: KeyedReader {
    /// Locks the rows of a table that have some keys against references of others, where others can write at all.
    func lock(_ keys: KeyRuns, in table: String) throws(StoreError)
    /// Executes a statement, which ends before its `WHERE`, for the rows whose column `column` has one of the keys, and
    /// that meet another condition if there is one.
    func write(
        _ sql: String, whose column: String, isIn keys: KeyRuns, and condition: String?
    ) throws(StoreError)
}

/// The rows of a database, as a batch deletion changes them.
struct SQLDeletableRows<Database: KeyedWriter>: DeletableRows {
    let schema: SQLSchema
    let database: Database

    private var dialect: any SQLDialect { schema.dialect }
    private var tables: [EntityTable] { schema.tables }

    func lock(_ keys: [Int64], of entity: Int) throws(StoreError) {
        try database.lock(KeyRuns(keys), in: tables[entity].name)
    }

    func remove(_ keys: [Int64], of entity: Int) throws(StoreError) {
        let runs = KeyRuns(keys)
        let table = dialect.identifier(tables[entity].name)
        try database.write("DELETE FROM \(table)", whose: "Z_PK", isIn: runs, and: nil)
        for join in schema.joins {
            for end in [join.first, join.second] where family(of: end.entity).contains(entity) {
                let pairs = dialect.identifier(join.name)
                try database.write("DELETE FROM \(pairs)", whose: end.column, isIn: runs, and: nil)
            }
        }
    }

    func forEachTarget(
        of relationship: ResolvedRelationship, from keys: [Int64], _ body: (_ entity: Int, _ key: Int64) -> Void
    ) throws(StoreError) {
        let (runs, table) = (KeyRuns(keys), tables[relationship.entity])
        switch relationship.kind {
        case .toOne(let field):
            try forEachTarget(named: table.columns[field], in: table.name, whose: "Z_PK", runs, relationship, body)
        case .toMany(let field):
            try forEachReferrer(to: runs, by: field, of: relationship.destination, body)
        case .manyToMany(let join, let isFirst):
            let (own, other) = schema.joins[join].ends(isFirst: isFirst)
            try forEachTarget(
                named: other.column, in: schema.joins[join].name, whose: own.column, runs, relationship, body)
        }
    }

    /// Calls `body` with each row that a column leads to.
    private func forEachTarget(
        named column: String, in table: String, whose owner: String, _ keys: KeyRuns,
        _ relationship: ResolvedRelationship, _ body: (_ entity: Int, _ key: Int64) -> Void
    ) throws(StoreError) {
        var targets = Set<Int64>()
        // A column without a value reads as 0, which no row has for its key.
        try database.forEachRow([column], of: table, whose: owner, isIn: keys) { key, _, _ in targets.insert(key) }
        let entities = entitiesByNumber(relationship.destination)
        try database.forEachTarget(in: tables[relationship.destination], targets) { key, number in
            if let entity = entities[number] { body(entity, key) }
        }
    }

    private func forEachReferrer(
        to keys: KeyRuns, by field: Int, of entity: Int, _ body: (_ entity: Int, _ key: Int64) -> Void
    ) throws(StoreError) {
        let (table, entities) = (tables[entity], entitiesByNumber(entity))
        try database.forEachRow(
            ["Z_PK", "Z_ENT"], of: table.name, whose: table.columns[field], isIn: keys
        ) { key, number, _ in
            if let entity = entities[number] { body(entity, key) }
        }
    }

    func referrer(to keys: [Int64], by field: Int, of entity: Int) throws(StoreError) -> Int64? {
        var found: Int64?
        try forEachReferrer(to: KeyRuns(keys), by: field, of: entity) { found = min(found ?? $1, $1) }
        return found
    }

    func clearReferences(to keys: [Int64], by field: Int, of entity: Int) throws(StoreError) {
        let table = tables[entity]
        let cleared = [table.columns[field], table.references[field]?.entityColumn].compactMap { $0 }
            .map { "\(dialect.identifier($0)) = NULL" }
        let version = "\(dialect.identifier("Z_OPT")) = \(table.nextVersion(dialect))"
        let numbers = family(of: entity).map { String(tables[$0].entityNumber) }
        try database.write(
            "UPDATE \(dialect.identifier(table.name)) SET \((cleared + [version]).joined(separator: ", "))",
            whose: table.columns[field], isIn: KeyRuns(keys),
            and: table.isShared ? "\(dialect.identifier("Z_ENT")) IN (\(numbers.joined(separator: ", ")))" : nil)
    }

    func existing(_ keys: Set<Int64>, around entity: Int) throws(StoreError) -> Set<Int64> {
        var found = Set<Int64>()
        try database.forEachTarget(in: tables[entity], keys) { key, _ in found.insert(key) }
        return found
    }

    private func family(of entity: Int) -> [Int] { tables[entity].source.model.hierarchy.families[entity] }

    /// The entities of a family by their numbers.
    private func entitiesByNumber(_ entity: Int) -> [Int64: Int] {
        Dictionary(
            family(of: entity).map { (Int64(tables[$0].entityNumber), $0) }, uniquingKeysWith: { first, _ in first })
    }
}
