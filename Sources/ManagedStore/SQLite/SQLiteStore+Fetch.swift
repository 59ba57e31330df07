import CSQLite
import Foundation

extension SQLiteStore {
    /// Rows in the wanted order: sorted here when all are wanted, by SQLite when a limit lets it keep only the first few.
    func rows(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows {
        let sortsHere = !plan.sort.isEmpty && plan.limit == 0 && plan.offset == 0
        let table = tables[plan.source.entityIndex]
        let fragment = SQLGenerator(table: table).selectRows(plan, ordered: !sortsHere)
        var rows = try read(fragment, control) { statement throws(StoreError) in
            try RowDecoder(table: table, statement: statement).decode(control)
        }
        if sortsHere { rows.order = try RowSorter.order(rows, by: plan.sort, table.source.entity.layout, control) }
        return rows
    }

    func keys(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> [Int64] {
        let fragment = SQLGenerator(table: tables[plan.source.entityIndex]).selectKeys(plan)
        return try read(fragment, control) { statement throws(StoreError) in
            var keys: [Int64] = []
            while try statement.step() {
                keys.append(statement.int64(0))
                if keys.count % RowPage.rows == 0 { try control.found(keys.count) }
            }
            return keys
        }
    }

    func count(_ plan: FetchPlan) throws(StoreError) -> Int {
        let fragment = SQLGenerator(table: tables[plan.source.entityIndex]).selectCount(plan)
        return try read(fragment, FetchControl()) { statement throws(StoreError) in
            try statement.step() ? Int(statement.int64(0)) : 0
        }
    }

    func rows(withKeys keys: [Int64], of entity: Int) throws(StoreError) -> FetchedRows {
        let table = tables[entity]
        var found = FetchedRows()
        // Lists of one length share a statement; the last is filled up with a key that no row has.
        let listLength = keys.count > 1 ? 256 : 1
        let places = repeatElement("?", count: listLength).joined(separator: ", ")
        let columns = (["Z_PK", "Z_OPT"] + table.columns).joined(separator: ", ")
        let sql = "SELECT \(columns) FROM \(table.name) WHERE Z_PK IN (\(places))"
        for start in stride(from: 0, to: keys.count, by: listLength) {
            let bindings = (start..<start + listLength).map {
                StoredValue.integer64($0 < keys.count ? keys[$0] : -1)
            }
            let fragment = SQLFragment(sql: sql, bindings: bindings)
            found.pages += try read(fragment, FetchControl()) { statement throws(StoreError) in
                try RowDecoder(table: table, statement: statement, isLenient: true).decode(FetchControl()).pages
            }
        }
        return found
    }

    /// Runs a query on a reader, interruptible through `control`.
    private func read<Result>(
        _ fragment: SQLFragment, _ control: FetchControl, _ body: (Statement) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try pool.read { connection throws(StoreError) in
            let statement = try connection.statement(fragment.sql)
            defer { statement.reset() }
            for (index, value) in fragment.bindings.enumerated() { statement.bind(Int32(index + 1), value) }
            return try control.interruptible(by: { connection.interrupt() }) { () throws(StoreError) in
                try body(statement)
            }
        }
    }
}
