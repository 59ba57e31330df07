import CSQLite
import Foundation

/// Batch updates and deletes: a statement each, in a transaction of its own.
extension SQLiteStore {
    func update(_ plan: BatchUpdatePlan) throws(StoreError) -> BatchOutcome {
        guard let table = tables.first(where: { $0.source.entity === plan.entity }) else {
            throw StoreError.unknownEntity(plan.entity.name, known: tables.map(\.source.entity.name))
        }
        return try pool.write { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                try Self.update(plan, table, connection)
            }
        }
    }

    private static func update(
        _ plan: BatchUpdatePlan, _ table: EntityTable, _ connection: Connection
    ) throws(StoreError) -> BatchOutcome {
        let generator = SQLGenerator(table: table)
        var outcome = BatchOutcome(count: 0)
        if plan.wantsKeys {
            // Before the update, which may change what the condition says. `RETURNING` takes longer than both together.
            let matching = FetchPlan(source: table.source, predicate: plan.predicate)
            outcome.keys = try keys(generator.selectKeys(matching), connection)
        }
        try bound(generator.update(plan), connection).run()
        outcome.count = connection.changes
        connection.countRows(outcome.count)
        outcome.keys.sort()
        return outcome
    }

    func delete(_ plan: FetchPlan, wantsKeys: Bool) throws(StoreError) -> BatchOutcome {
        let generator = SQLGenerator(table: tables[plan.source.entityIndex])
        return try pool.write { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                var outcome = BatchOutcome(count: 0)
                if wantsKeys { outcome.keys = try Self.keys(generator.selectKeys(plan), connection) }
                try Self.bound(generator.delete(plan), connection).run()
                outcome.count = connection.changes
                connection.countRows(outcome.count)
                outcome.keys.sort()
                return outcome
            }
        }
    }

    private static func keys(_ select: SQLFragment, _ connection: Connection) throws(StoreError) -> [Int64] {
        var keys: [Int64] = []
        let statement = try bound(select, connection)
        while try statement.step() { keys.append(statement.int64(0)) }
        return keys
    }

    private static func bound(_ fragment: SQLFragment, _ connection: Connection) throws(StoreError) -> Statement {
        let statement = try connection.statement(fragment.sql)
        for (index, value) in fragment.bindings.enumerated() { statement.bind(Int32(index + 1), value) }
        return statement
    }
}
