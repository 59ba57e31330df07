/// Batch requests.
extension InMemoryContents {
    /// Removes rows that no others refer to.
    mutating func remove(_ rows: [StoredRow]) {
        for stored in rows { remove(stored.row.key, stored.page.entityIndex) }
    }

    /// Updates all rows that `plan` asks for, or none. Returns the replaced rows.
    ///
    /// - Throws: `StoreError` with `constraintConflict` if the update breaks a uniqueness constraint.
    mutating func update(_ plan: BatchUpdatePlan) throws(StoreError) -> [StoredRow] {
        let before = try matching(plan.rows)
        for old in before { replace(old, plan) }
        let root = plan.rows.source.rootIndex
        if let constraint = brokenConstraint(of: plan.rows.source) {
            for old in before { tables[root].put(old) }
            throw StoreError(
                .constraintConflict,
                "the batch update gives several \(constraint.entityName) objects the same "
                    + "\(constraint.attributes.joined(separator: ", ")), which must be unique; nothing was updated")
        }
        for old in before { uniqueValues.remove(old.reference) }
        for old in before {
            if let new = tables[root].rows[old.row.key] { uniqueValues.insert(new.reference) }
        }
        return before
    }

    private mutating func replace(_ old: StoredRow, _ plan: BatchUpdatePlan) {
        let version = RowVersion.next(old.row.version)
        store(old.reference, key: old.row.key, version: version, old.page.entityIndex) { new in
            for (position, expression) in plan.assignments {
                let field = plan.layout.fields[position]
                let value = expression.evaluate(old.reference, plan.layout).stored(as: field.type)
                new.page.setValue(value, of: field, of: new.row)
            }
        }
    }

    /// Returns a uniqueness constraint that rows in the hierarchy of an entity break.
    private func brokenConstraint(of source: ObjectIDSource) -> UniquenessConstraint? {
        let family = sources.filter { $0.rootIndex == source.rootIndex }
        for source in family {
            for constraint in source.entity.ownUniqueness {
                let entities = source.model.hierarchy.families[source.entityIndex]
                var seen = Set<ConstraintKey>()
                for row in rows(around: source.entityIndex) where entities.contains(row.page.entityIndex) {
                    if let key = constraint.key(of: row.reference), !seen.insert(key).inserted { return constraint }
                }
            }
        }
        return nil
    }
}

extension InMemoryContents: DeletableRows {
    /// The contents have one writer at a time.
    func lock(_ keys: [Int64], of entity: Int) {}

    mutating func remove(_ keys: [Int64], of entity: Int) {
        for key in keys { remove(key, entity) }
        relationships.unlink(Set(keys), of: entity)
    }

    func forEachTarget(
        of relationship: ResolvedRelationship, from keys: [Int64], _ body: (_ entity: Int, _ key: Int64) -> Void
    ) {
        guard case .toOne(let position) = relationship.kind else {
            let pairs = pairs(relationship, of: RelatedOwners(keys, areAll: false))
            return members(pairs, relationship).forEach { body($0.page.entityIndex, $0.row.key) }
        }
        let field = sources[relationship.entity].entity.layout.fields[position]
        for key in keys {
            guard let owner = row(key, around: relationship.entity), let target = field.reference(in: owner.row),
                let found = row(target.key, around: relationship.destination)
            else { continue }
            body(found.page.entityIndex, found.row.key)
        }
    }

    func referrer(to keys: [Int64], by field: Int, of entity: Int) -> Int64? {
        referrers(to: keys, by: field, of: entity).map(\.row.key).min()
    }

    mutating func clearReferences(to keys: [Int64], by field: Int, of entity: Int) {
        let reference = sources[entity].entity.layout.fields[field]
        for old in referrers(to: keys, by: field, of: entity) {
            let version = RowVersion.next(old.row.version)
            store(old.reference, key: old.row.key, version: version, old.page.entityIndex) { new in
                reference.setReference(nil, of: new.row)
            }
        }
    }

    private func referrers(to keys: [Int64], by field: Int, of entity: Int) -> [StoredRow] {
        keys.flatMap { referrers(to: $0, by: field, of: entity) }
    }

    func existing(_ keys: Set<Int64>, around entity: Int) -> Set<Int64> {
        keys.filter { row($0, around: entity) != nil }
    }
}
