/// Batch requests.
extension InMemoryContents {
    /// Removes rows.
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
            for old in before { tables[root].rows[old.row.key] = old }
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
        let new = store(old.reference, key: old.row.key, version: version, old.page.entityIndex)
        for (position, expression) in plan.assignments {
            let field = plan.layout.fields[position]
            let value = expression.evaluate(old.reference, plan.layout).stored(as: field.type)
            new.page.setValue(value, of: field, of: new.row)
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
