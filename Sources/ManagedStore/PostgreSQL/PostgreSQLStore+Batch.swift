import Foundation

/// Batch updates and deletions, each in its own transaction.
extension PostgreSQLStore {
    func update(_ plan: BatchUpdatePlan) throws(StoreError) -> BatchOutcome {
        let generator = SQLGenerator(plan.rows.source, schema)
        return try change { fetch throws(StoreError) in
            guard generator.says(plan) else { return try computeHere(plan, fetch) }
            var outcome = BatchOutcome(count: 0)
            if plan.wantsKeys { outcome.keys = try fetch.keys(plan.rows) }
            outcome.count = try fetch.connection.query(generator.update(plan), dialect).affected
            return outcome
        }
    }

    func delete(_ plan: FetchPlan, wantsKeys: Bool) throws(StoreError) -> BatchOutcome {
        if BatchDeletion.concernsOthers(plan.entities, of: plan.source.model) {
            return try deleteFollowingRules(plan, wantsKeys: wantsKeys)
        }
        let generator = SQLGenerator(plan.source, schema)
        return try change { fetch throws(StoreError) in
            var (plan, outcome) = (plan, BatchOutcome(count: 0))
            let isSaid = (plan.predicate.map(generator.says) ?? true) && generator.says(plan.sort)
            if wantsKeys || !isSaid { outcome.keys = try fetch.keys(plan).sorted() }
            if !isSaid {
                plan = FetchPlan(
                    source: plan.source, includesSubentities: plan.includesSubentities,
                    predicate: .keys(outcome.keys.keys))
            }
            outcome.count = try fetch.connection.query(generator.delete(plan), dialect).affected
            if !wantsKeys { outcome.keys = FoundKeys() }
            return outcome
        }
    }

    private func deleteFollowingRules(_ plan: FetchPlan, wantsKeys: Bool) throws(StoreError) -> BatchOutcome {
        // Each statement sees what others let refer to the rows before these were locked.
        try change(dialect.abilities.contains(.rowLocks) ? .readCommitted : .repeatableRead) {
            fetch throws(StoreError) in
            let database = PostgreSQLKeyedReader(connection: fetch.connection, dialect: dialect)
            var found = try fetch.keys(plan).sorted()
            if plan.predicate != nil {
                // Before the lock, others may have changed what the condition asks for.
                try database.lock(KeyRuns(found.keys), in: tables[plan.source.entityIndex].name)
                found = try fetch.keys(plan.among(found.keys)).sorted()
            }
            var deletion = BatchDeletion(found, of: plan.source.entityIndex, in: plan.source.model)
            var rows = SQLDeletableRows(schema: schema, database: database)
            return try deletion.run(on: &rows, wantsKeys: wantsKeys)
        }
    }

    private func change(
        _ level: IsolationLevel = .repeatableRead, _ body: (PostgreSQLFetch) throws(StoreError) -> BatchOutcome
    ) throws(StoreError) -> BatchOutcome {
        // Keys that are read first must be those of the rows that are changed.
        try pool.transaction(level) { connection throws(StoreError) in
            let outcome = try body(PostgreSQLFetch(store: self, connection: connection, control: .uncontrolled))
            connection.countRows(outcome.count)
            if outcome.count > 0 { try tell(nil, connection) }
            return outcome
        }
    }

    /// Reads the rows, computes their new values, and writes these: the server has other rules for numbers that
    /// exceed their range.
    private func computeHere(_ plan: BatchUpdatePlan, _ fetch: PostgreSQLFetch) throws(StoreError) -> BatchOutcome {
        let rows = try fetch.rows(plan.rows)
        let source = plan.rows.source
        var writer = PostgreSQLWriter(
            tables[source.entityIndex], fetch.connection, dialect, PermanentKeys(), schema.numbers)
        try withExtendedLifetime(rows) { () throws(StoreError) in
            var left = rows.references()[...]
            while !left.isEmpty {
                let page = RowPage(writable: source, capacity: min(left.count, RowPage.rows))
                let computed = left.prefix(page.capacity).map { plan.computed($0, on: page) }
                try withExtendedLifetime(page) { () throws(StoreError) in
                    try writer.overwrite(computed, plan.assignments.map(\.position))
                }
                left = left.dropFirst(computed.count)
            }
        }
        guard !writer.hasMismatch else {
            throw StoreError.postgreSQL(
                "40001", "rows changed while a batch update computed them", store: fetch.connection.address.name,
                sql: nil)
        }
        var outcome = BatchOutcome(count: rows.count)
        if plan.wantsKeys { outcome.keys = fetch.keys(of: rows, plan.rows) }
        return outcome
    }
}

extension FetchPlan {
    /// Returns the plan for those of the rows with some keys that meet the condition.
    fileprivate func among(_ keys: [Int64]) -> FetchPlan {
        let keys = ResolvedPredicate.keys(keys)
        return FetchPlan(
            source: source, includesSubentities: includesSubentities,
            predicate: predicate.map { .and([keys, $0]) } ?? keys)
    }
}

extension BatchUpdatePlan {
    /// Appends a row with the key and the version of another one, and with the new values that the plan gives it.
    fileprivate func computed(_ old: RowReference, on page: RowPage) -> RowReference {
        let row = page.appendRow(key: old.row.key)
        row.version = old.row.version
        for (position, expression) in assignments {
            let field = layout.fields[position]
            page.setValue(expression.evaluate(old, layout).stored(as: field.type), of: field, of: row)
        }
        return RowReference(row)
    }
}
