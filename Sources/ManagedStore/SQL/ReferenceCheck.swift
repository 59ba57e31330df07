/// Reads numbers of rows by their keys, in the transaction of a save.
protocol KeyedReader {
    /// Calls `body` with up to three columns of each row of a table whose column `column` has one of the keys; a column
    /// that was not asked for is 0.
    func forEachRow(
        _ columns: [String], of table: String, whose column: String, isIn keys: KeyRuns,
        _ body: (Int64, Int64, Int64) -> Void
    ) throws(StoreError)

    /// Calls `body` with the key and the entity's number of each row of a table that has one of the keys, and sees to
    /// it that no other save deletes the row before this one ends.
    func forEachTarget(
        in table: EntityTable, _ keys: Set<Int64>, _ body: (_ key: Int64, _ entity: Int64) -> Void
    ) throws(StoreError)
}

/// Checks the references of a save against the database, in the save's transaction, after its rows were written.
///
/// One query covers many keys, so that a large save needs few more statements than a small one.
struct ReferenceCheck<Reader: KeyedReader> {
    let tables: [EntityTable]
    let joins: [JoinTable]
    let changes: ChangeSet
    let reader: Reader
    private let model: ManagedObjectModel

    /// Nil for a save that makes or breaks no reference.
    init?(_ schema: SQLSchema, _ changes: ChangeSet, _ reader: Reader) {
        guard let model = schema.tables.first?.source.model, SavedReferences.concern(changes, model) else {
            return nil
        }
        (tables, joins, self.changes, self.reader, self.model) = (schema.tables, schema.joins, changes, reader, model)
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

    /// Returns the numbers of entities in the database.
    private func numbers(_ entities: [Int]) -> Set<Int64> { Set(entities.map { Int64(tables[$0].entityNumber) }) }
}

// MARK: - Where references lead

extension ReferenceCheck {
    /// Returns conflicts for targets that do not exist or are of another entity, except those that this save deletes.
    private func missing(_ targets: SavedReferences.Targets) throws(StoreError) -> [MergeConflict] {
        var found: [Int64] = []
        try reader.forEachTarget(in: tables[targets.entity], targets.keys) { key, entity in
            if fits(entity, targets) { found.append(key) }
        }
        if found.count == targets.keys.count { return [] }
        let (table, gone) = (
            tables[targets.entity], targets.keys.subtracting(found).subtracting(deleted(targets.entity))
        )
        return gone.sorted().map { MergeConflict(target: ManagedObjectID(source: table.source, key: $0)) }
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
        let keys = KeyRuns(claims.keys)
        try reader.forEachRow([column, "Z_PK"], of: table.name, whose: column, isIn: keys) { target, owner, _ in
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
        let table = tables[entity].name
        let columns = ["Z_PK", "Z_ENT", "Z_OPT"]
        try reader.forEachRow(columns, of: table, whose: "Z_PK", isIn: keys) { key, number, version in
            guard let table = tables.first(where: { Int64($0.entityNumber) == number }) else { return }
            conflicts.append(
                MergeConflict(
                    partner: ManagedObjectID(source: table.source, key: key),
                    version: Int(truncatingIfNeeded: version)))
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
            guard let place = place(relationship) else { continue }
            let keys = runs ?? KeyRuns(deletes.lazy.map(\.row.key))
            runs = keys
            referred.formUnion(try owners(among: keys, referredAt: place))
        }
        if referred.isEmpty { return [] }
        return deletes.filter { referred.contains($0.row.key) }.map { row in
            MergeConflict(
                referred: ManagedObjectID(source: tables[entity].source, key: row.row.key),
                version: Int(row.row.version))
        }
    }

    /// Returns those of the deleted rows that have referrers at a place.
    private func owners(
        among keys: KeyRuns, referredAt place: Place
    ) throws(StoreError) -> Set<Int64> {
        var referred = Set<Int64>()
        var linked: [Int64: [Int64]] = [:]
        let columns = [place.column, place.other]
        try reader.forEachRow(columns, of: place.table, whose: place.column, isIn: keys) { key, other, _ in
            switch place.others {
            case .ofEntities(let numbers): if numbers.contains(other) { referred.insert(key) }
            case .linked(_, let excluded): if !excluded.contains(other) { linked[other, default: []].append(key) }
            }
        }
        guard case .linked(let table, _) = place.others, !linked.isEmpty else { return referred }
        // Another program may have left links to rows that are gone.
        try reader.forEachTarget(in: table, Set(linked.keys)) { other, _ in referred.formUnion(linked[other] ?? []) }
        return referred
    }

    /// Where the referrers of deleted rows are.
    private struct Place {
        let table: String
        /// The column with the keys of deleted rows.
        let column: String
        /// The column that tells referrers from other rows.
        let other: String
        let others: Others
    }

    /// The rows that count as referrers.
    private enum Others {
        /// The rows of entities with these numbers.
        case ofEntities(Set<Int64>)
        /// The rows of a table that links lead to, with other keys than these.
        case linked(table: EntityTable, except: Set<Int64>)
    }

    /// Returns where the rows are that a relationship of deleted rows leads to. Nil if only the deleted row itself
    /// refers, or if the links of a deleted row are simply removed.
    private func place(_ relationship: ResolvedRelationship) -> Place? {
        let table = tables[relationship.destination]
        switch relationship.kind {
        case .toMany(let field): return place(table.columns[field], relationship)
        case .toOne:
            guard let inverse = relationship.inverse,
                case .toOne(let field) = model.graph.relationships[relationship.destination][inverse].kind
            else { return nil }
            return place(table.columns[field], relationship)
        case .manyToMany(let join, let isFirst):
            if relationship.description.deleteRule == .nullify { return nil }
            let (own, other) = joins[join].ends(isFirst: isFirst)
            return Place(
                table: joins[join].name, column: own.column, other: other.column,
                others: .linked(table: table, except: deleted(relationship.destination)))
        }
    }

    private func place(_ column: String, _ relationship: ResolvedRelationship) -> Place {
        Place(
            table: tables[relationship.destination].name, column: column, other: "Z_ENT",
            others: .ofEntities(numbers(model.hierarchy.families[relationship.destination])))
    }
}
