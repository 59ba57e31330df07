/// Checks the references of a save against the file, in the save's transaction, after its rows were written.
///
/// One statement covers each run of consecutive keys, so that a large save needs few more statements than a small one.
struct ReferenceCheck {
    let tables: [EntityTable]
    let joins: [JoinTable]
    let changes: ChangeSet
    let connection: Connection
    private let model: ManagedObjectModel

    init?(_ store: SQLiteStore, _ changes: ChangeSet, _ connection: Connection) {
        guard let model = store.sources.first?.model, SavedReferences.concern(changes, model) else { return nil }
        (tables, joins, self.changes, self.connection, self.model) =
            (store.tables, store.joins, changes, connection, model)
    }

    /// - Throws: `StoreError` with `mergeConflict` if a reference leads nowhere or partners disagree; with
    ///   `validationMissingMandatoryProperty` for a required reference to an object that is not saved.
    func run(_ keys: PermanentKeys) throws(StoreError) {
        let references = SavedReferences(changes, model, keys)
        try references.checkRequired(tables.lazy.map(\.source))
        var conflicts: [MergeConflict] = []
        for targets in references.targets { conflicts += try missing(targets) }
        for partners in references.partners {
            conflicts += try disputes(model.graph.partners[partners.end], partners.claims)
        }
        for (entity, changes) in changes.entities.enumerated() where !changes.deletes.isEmpty {
            conflicts += try referred(changes.deletes, entity)
        }
        if !conflicts.isEmpty { throw StoreError.conflict(conflicts) }
    }

    /// Returns the numbers of entities in the file.
    private func numbers(_ entities: [Int]) -> Set<Int64> { Set(entities.map { Int64(tables[$0].entityNumber) }) }

    /// Executes a statement for each run of `keys`.
    private func ask(
        _ sql: String, _ runs: KeyRuns, _ body: (Statement) -> Void
    ) throws(StoreError) {
        for run in runs {
            let statement = try connection.statement(sql)
            statement.bind(1, run.lowerBound)
            statement.bind(2, run.upperBound)
            while try statement.step() { body(statement) }
        }
    }
}

// MARK: - Where references lead

extension ReferenceCheck {
    /// Returns conflicts for targets that do not exist or are of another entity, except those that this save deletes.
    private func missing(_ targets: SavedReferences.Targets) throws(StoreError) -> [MergeConflict] {
        let found = targets.keys.count <= Self.few ? try foundOneByOne(targets) : try foundByRuns(targets)
        if found.count == targets.keys.count { return [] }
        let (table, gone) = (
            tables[targets.entity], targets.keys.subtracting(found).subtracting(deleted(targets.entity))
        )
        return gone.sorted().map { MergeConflict(target: ManagedObjectID(source: table.source, key: $0)) }
    }

    /// Up to this number, targets are looked up one by one, which costs less than sorting them.
    private static let few = 4

    private func foundOneByOne(_ targets: SavedReferences.Targets) throws(StoreError) -> [Int64] {
        let statement = try connection.statement("SELECT Z_ENT FROM \(tables[targets.entity].name) WHERE Z_PK = ?")
        var found: [Int64] = []
        for key in targets.keys {
            statement.bind(1, key)
            while try statement.step() {
                if fits(statement.int64(0), targets) { found.append(key) }
            }
        }
        return found
    }

    private func foundByRuns(_ targets: SavedReferences.Targets) throws(StoreError) -> [Int64] {
        let sql = "SELECT Z_PK, Z_ENT FROM \(tables[targets.entity].name) WHERE Z_PK BETWEEN ? AND ?"
        var found: [Int64] = []
        try ask(sql, KeyRuns(targets.keys)) { statement in
            if fits(statement.int64(1), targets) { found.append(statement.int64(0)) }
        }
        return found
    }

    /// Whether a row of the entity with a number is a valid target.
    private func fits(_ number: Int64, _ targets: SavedReferences.Targets) -> Bool {
        if number == Int64(tables[targets.entity].entityNumber) { return true }
        guard targets.isFamily else { return false }
        return model.hierarchy.families[targets.entity].contains { Int64(tables[$0].entityNumber) == number }
    }

    /// Returns the keys of the rows that the save deletes from an entity's table.
    private func deleted(_ entity: Int) -> Set<Int64> {
        let root = model.hierarchy.roots[entity]
        return Set(model.hierarchy.families[root].lazy.flatMap { changes.entities[$0].deletes.lazy.map(\.row.key) })
    }
}

// MARK: - Partners

extension ReferenceCheck {
    /// Returns conflicts for the rows whose partner by one end of a one-to-one relationship differs from the expected
    /// one.
    private func disputes(_ end: ResolvedRelationship, _ claims: [Int64: Int64]) throws(StoreError) -> [MergeConflict] {
        guard case .toOne(let field) = end.kind else { return [] }
        let table = tables[end.declaring]
        let column = table.columns[field]
        var (missing, wrong) = (claims.filter { $0.value != 0 }, Set<Int64>())
        let sql = "SELECT \(column), Z_PK FROM \(table.name) WHERE \(column) BETWEEN ? AND ?"
        try ask(sql, KeyRuns(claims.keys)) { statement in
            let (target, owner) = (statement.int64(0), statement.int64(1))
            if claims[target] == owner {
                missing[target] = nil
            } else {
                wrong.insert(owner)
            }
        }
        let disputed = wrong.union(missing.values)
        return disputed.isEmpty ? [] : try conflicts(KeyRuns(disputed), end.declaring)
    }

    private func conflicts(_ keys: KeyRuns, _ entity: Int) throws(StoreError) -> [MergeConflict] {
        var conflicts: [MergeConflict] = []
        try ask("SELECT Z_PK, Z_ENT, Z_OPT FROM \(tables[entity].name) WHERE Z_PK BETWEEN ? AND ?", keys) { statement in
            guard let table = tables.first(where: { Int64($0.entityNumber) == statement.int64(1) }) else { return }
            conflicts.append(
                MergeConflict(
                    partner: ManagedObjectID(source: table.source, key: statement.int64(0)),
                    version: Int(truncatingIfNeeded: statement.int64(2))))
        }
        return conflicts
    }
}

// MARK: - Who refers to what is deleted

extension ReferenceCheck {
    /// Returns conflicts for deleted rows that still have referrers, by relationships whose delete rule forbids that.
    private func referred(
        _ deletes: ContiguousArray<RowReference>, _ entity: Int
    ) throws(StoreError) -> [MergeConflict] {
        var (runs, referred) = (KeyRuns?.none, Set<Int64>())
        for relationship in model.graph.relationships[entity] where relationship.description.deleteRule != .noAction {
            guard let (sql, others) = query(relationship) else { continue }
            let keys = runs ?? KeyRuns(deletes.lazy.map(\.row.key))
            runs = keys
            try ask(sql, keys) { statement in
                if others.includes(statement.int64(1)) { referred.insert(statement.int64(0)) }
            }
        }
        if referred.isEmpty { return [] }
        return deletes.filter { referred.contains($0.row.key) }.map { row in
            MergeConflict(
                referred: ManagedObjectID(source: tables[entity].source, key: row.row.key),
                version: Int(row.row.version))
        }
    }

    /// The rows of a query's result that count as referrers.
    private enum Others {
        /// The rows of entities with these numbers.
        case ofEntities(Set<Int64>)
        /// The rows with other keys than these.
        case except(Set<Int64>)

        func includes(_ value: Int64) -> Bool {
            switch self {
            case .ofEntities(let numbers): numbers.contains(value)
            case .except(let keys): !keys.contains(value)
            }
        }
    }

    /// Returns a query for the keys of deleted rows that a relationship leads back to, and for their referrers. Nil if
    /// only the deleted row itself refers, or if the links of a deleted row are simply removed.
    private func query(_ relationship: ResolvedRelationship) -> (sql: String, others: Others)? {
        let table = tables[relationship.destination]
        switch relationship.kind {
        case .toMany(let field): return query(table.columns[field], relationship)
        case .toOne:
            guard let inverse = relationship.inverse,
                case .toOne(let field) = model.graph.relationships[relationship.destination][inverse].kind
            else { return nil }
            return query(table.columns[field], relationship)
        case .manyToMany(let join, let isFirst):
            if relationship.description.deleteRule == .nullify { return nil }
            let (own, other) = joins[join].ends(isFirst: isFirst)
            return (
                "SELECT \(own.column), \(other.column) FROM \(joins[join].name) WHERE \(own.column) BETWEEN ? AND ?",
                .except(deleted(relationship.destination))
            )
        }
    }

    private func query(_ column: String, _ relationship: ResolvedRelationship) -> (sql: String, others: Others) {
        let table = tables[relationship.destination].name
        return (
            "SELECT \(column), Z_ENT FROM \(table) WHERE \(column) BETWEEN ? AND ?",
            .ofEntities(numbers(model.hierarchy.families[relationship.destination]))
        )
    }
}
