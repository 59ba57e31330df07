/// The rows of a store, as a batch deletion changes them in its transaction.
protocol DeletableRows {
    /// Keeps other writers from letting rows refer to those with some keys before the transaction ends.
    mutating func lock(_ keys: [Int64], of entity: Int) throws(StoreError)
    /// Calls `body` with the entity and the key of each row that a relationship of rows with some keys leads to.
    func forEachTarget(
        of relationship: ResolvedRelationship, from keys: [Int64], _ body: (_ entity: Int, _ key: Int64) -> Void
    ) throws(StoreError)
    /// Returns the key of a row whose reference at a position leads to one of the keys; nil if there is none. Rows of
    /// subentities count.
    func referrer(to keys: [Int64], by field: Int, of entity: Int) throws(StoreError) -> Int64?
    /// Lets no such reference lead anywhere any more.
    mutating func clearReferences(to keys: [Int64], by field: Int, of entity: Int) throws(StoreError)
    /// Removes rows of an entity, and their links.
    mutating func remove(_ keys: [Int64], of entity: Int) throws(StoreError)
    /// Returns those of some keys that rows of the hierarchy of an entity have.
    func existing(_ keys: Set<Int64>, around entity: Int) throws(StoreError) -> Set<Int64>
}

/// Deletes rows and follows their delete rules, as Core Data's batch deletion does: cascade and nullify are carried
/// out, deny is refused, and so is a deletion after which a required relationship would lead nowhere. Validation is
/// not.
///
/// The rules are followed level by level, each relationship of a level at once, so that many rows take few statements.
struct BatchDeletion {
    private let model: ManagedObjectModel
    /// The keys of the rows to delete, by the position of their entity, in the order in which they were found.
    private var keys: [[Int64]]
    /// The same as sets, by the position of the root entity.
    private var known: [Set<Int64>]
    /// The rows whose deletion a relationship denies as long as others are there.
    private var denials: [Denial] = []

    private struct Denial {
        let relationship: ResolvedRelationship
        var targets: Set<Int64> = []
    }

    /// Whether the deletion of rows of some entities concerns others. Otherwise a statement is all that it takes.
    static func concernsOthers(_ entities: [Int], of model: ManagedObjectModel) -> Bool {
        entities.contains { entity in
            model.graph.relationships[entity].contains { relationship in
                switch (relationship.kind, relationship.description.deleteRule) {
                case (.manyToMany, _), (_, .cascade), (_, .deny): true
                case (_, .noAction): false
                case (.toMany, .nullify): true
                case (.toOne, .nullify): relationship.isOneToOne(among: model.graph.relationships)
                }
            }
        }
    }

    /// - Parameter found: The rows that the request asks for, all of `entity` unless they name their own.
    init(_ found: FoundKeys, of entity: Int, in model: ManagedObjectModel) {
        self.model = model
        keys = model.entities.map { _ in [] }
        known = keys.map { _ in [] }
        for (index, key) in found.keys.enumerated() {
            insert(key, of: found.entities.isEmpty ? entity : Int(found.entities[index]))
        }
    }

    /// Returns whether the row was not to be deleted yet.
    @discardableResult private mutating func insert(_ key: Int64, of entity: Int) -> Bool {
        guard known[model.hierarchy.roots[entity]].insert(key).inserted else { return false }
        keys[entity].append(key)
        return true
    }

    /// Deletes the rows. The outcome has the deleted rows of all entities, and says of which others may have changed.
    ///
    /// - Throws: `StoreError` with `validationRelationshipDeniedDelete` or `validationMissingMandatoryProperty`.
    mutating func run(on rows: inout some DeletableRows, wantsKeys: Bool) throws(StoreError) -> BatchOutcome {
        try followRules(&rows)
        for (entity, keys) in keys.enumerated() where !keys.isEmpty { try rows.remove(keys, of: entity) }
        try checkDenials(rows)
        let released = try releaseReferrers(&rows)
        return outcome(wantsKeys: wantsKeys, released)
    }

    private func outcome(wantsKeys: Bool, _ released: Set<Int>) -> BatchOutcome {
        var outcome = BatchOutcome(count: 0, sideEffects: SideEffects(entities: released))
        for (entity, keys) in keys.enumerated() where !keys.isEmpty {
            outcome.count += keys.count
            outcome.sideEffects.entities.insert(entity)
            if wantsKeys { for key in keys.sorted() { outcome.keys.append(key, of: entity) } }
        }
        return outcome
    }

    /// Adds what is deleted along with the rows.
    private mutating func followRules(_ rows: inout some DeletableRows) throws(StoreError) {
        var next = keys
        while next.contains(where: { !$0.isEmpty }) {
            let level = next
            next = level.map { _ in [] }
            for (entity, keys) in level.enumerated() where !keys.isEmpty {
                try rows.lock(keys, of: entity)
                for relationship in model.graph.relationships[entity] {
                    switch relationship.description.deleteRule {
                    case .cascade:
                        var targets: [(Int, Int64)] = []
                        try rows.forEachTarget(of: relationship, from: keys) { targets.append(($0, $1)) }
                        for (entity, key) in targets where insert(key, of: entity) { next[entity].append(key) }
                    case .deny:
                        // What holds them is deleted before they are looked for.
                        var denial = Denial(relationship: relationship)
                        try rows.forEachTarget(of: relationship, from: keys) { denial.targets.insert($1) }
                        if !denial.targets.isEmpty { denials.append(denial) }
                    case .nullify, .noAction: continue
                    }
                }
            }
        }
    }

    private func checkDenials(_ rows: some DeletableRows) throws(StoreError) {
        for denial in denials {
            let relationship = denial.relationship
            guard let key = try rows.existing(denial.targets, around: relationship.destination).min() else { continue }
            let holder = "\(relationship.description.destinationEntityName) \(key)"
            throw refusal(
                .validationRelationshipDeniedDelete, relationship,
                "has the delete rule deny, and \(holder) is there; delete \(holder) first")
        }
    }

    /// Clears the references of other rows to the deleted ones. Returns the positions of these rows' entities.
    private func releaseReferrers(_ rows: inout some DeletableRows) throws(StoreError) -> Set<Int> {
        var changed = Set<Int>()
        for (entity, keys) in keys.enumerated() where !keys.isEmpty {
            for relationship in model.graph.relationships[entity]
            where relationship.description.deleteRule == .nullify {
                guard let back = referring(relationship) else { continue }
                let (field, destination) = (back.field, relationship.destination)
                if !back.inverse.description.isOptional {
                    guard let key = try rows.referrer(to: keys, by: field, of: destination) else { continue }
                    let referrer = "\(relationship.description.destinationEntityName) \(key)"
                    throw refusal(
                        .validationMissingMandatoryProperty, relationship,
                        "would leave the required \(back.inverse.name) of \(referrer) without an object; delete "
                            + "\(referrer) first, or let the rule cascade")
                }
                try rows.clearReferences(to: keys, by: field, of: destination)
                changed.formUnion(model.hierarchy.families[destination])
            }
        }
        return changed
    }

    /// Returns the inverse of a relationship if the related rows hold it, and the position of its field.
    private func referring(_ relationship: ResolvedRelationship) -> (inverse: ResolvedRelationship, field: Int)? {
        guard let position = relationship.inverse else { return nil }
        let inverse = model.graph.relationships[relationship.destination][position]
        guard case .toOne(let field) = inverse.kind else { return nil }
        return (inverse, field)
    }

    private func refusal(
        _ code: StoreError.Code, _ relationship: ResolvedRelationship, _ reason: String
    ) -> StoreError {
        StoreError(
            code,
            "the batch delete was refused, and nothing was deleted: "
                + "\(model.entities[relationship.entity].name).\(relationship.name) \(reason)", key: relationship.name)
    }
}
