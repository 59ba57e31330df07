import CSQLite
import Foundation

/// Batch updates and deletions, each in its own transaction: with one statement, unless delete rules concern others.
extension SQLiteStore {
    func update(_ plan: BatchUpdatePlan) throws(StoreError) -> BatchOutcome {
        try checkAssignments(plan)
        let generator = SQLGenerator(plan.rows.source, schema)
        let table = tables[plan.rows.source.entityIndex]
        let columns = Set(plan.assignments.map { table.columns[$0.position] })
        return try change(
            plan.rows, by: generator.update(plan), generator, wantsKeys: plan.wantsKeys, assigning: columns)
    }

    func delete(_ plan: FetchPlan, wantsKeys: Bool) throws(StoreError) -> BatchOutcome {
        let generator = SQLGenerator(plan.source, schema)
        if BatchDeletion.concernsOthers(plan.entities, of: plan.source.model) {
            return try deleteFollowingRules(plan, generator, wantsKeys: wantsKeys)
        }
        return try change(plan, by: generator.delete(plan), generator, wantsKeys: wantsKeys)
    }

    private func deleteFollowingRules(
        _ plan: FetchPlan, _ generator: SQLGenerator, wantsKeys: Bool
    ) throws(StoreError) -> BatchOutcome {
        try checkExternals(plan)
        let entities = entitiesByNumber(plan)
        return try pool.write { connection throws(StoreError) in
            connection.reports.removeAll()
            var outcome = try connection.transaction { () throws(StoreError) in
                let select = try Self.bound(generator.selectKeys(plan), connection)
                let found = try Self.keys(select, entities, .uncontrolled).sorted()
                var deletion = BatchDeletion(found, of: plan.source.entityIndex, in: plan.source.model)
                var rows = SQLDeletableRows(schema: schema, database: connection)
                return try deletion.run(on: &rows, wantsKeys: wantsKeys)
            }
            outcome.sideEffects.merge(sideEffects(connection))
            return outcome
        }
    }

    private func change(
        _ plan: FetchPlan, by fragment: SQLFragment, _ generator: SQLGenerator, wantsKeys: Bool,
        assigning columns: Set<String> = []
    ) throws(StoreError) -> BatchOutcome {
        try checkExternals(plan)
        let entities = entitiesByNumber(plan)
        return try pool.write { connection throws(StoreError) in
            connection.reports.removeAll()
            var outcome = try transaction(on: connection, assigning: columns) { () throws(StoreError) in
                var outcome = BatchOutcome(count: 0)
                if wantsKeys {
                    // Selected before the change, after which the condition may not hold. `RETURNING` takes longer than
                    // both statements together.
                    let select = try Self.bound(generator.selectKeys(plan), connection)
                    outcome.keys = try Self.keys(select, entities, .uncontrolled).sorted()
                }
                try Self.bound(fragment, connection).run()
                outcome.count = connection.changes
                connection.countRows(outcome.count)
                return outcome
            }
            outcome.sideEffects = sideEffects(connection)
            return outcome
        }
    }

    /// Runs a change, once more without the constraints of the columns that it assigns if it violates one: SQLite
    /// checks them row by row, and rows that take the values of others violate them only until all are written.
    private func transaction(
        on connection: Connection, assigning columns: Set<String>, _ body: () throws(StoreError) -> BatchOutcome
    ) throws(StoreError) -> BatchOutcome {
        do throws(StoreError) {
            return try connection.transaction(body)
        } catch {
            guard error.code == .constraintConflict else { throw error }
            do throws(StoreError) {
                return try connection.transaction { () throws(StoreError) in
                    try deferringConstraints(on: connection, of: columns, body)
                }
            } catch let second {
                throw second.code == .constraintConflict ? error : second
            }
        }
    }

    private static func bound(_ fragment: SQLFragment, _ connection: Connection) throws(StoreError) -> Statement {
        let fragment = fragment.statement(in: SQLiteDialect())
        let statement = try connection.statement(fragment.sql)
        for (index, value) in fragment.bindings.enumerated() { statement.bind(Int32(index + 1), value) }
        return statement
    }
}
