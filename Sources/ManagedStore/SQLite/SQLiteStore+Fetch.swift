import CSQLite
import Foundation

extension SQLiteStore {
    /// Returns rows in the requested order. The package sorts all rows of a table; SQLite sorts if a limit lets it keep
    /// only the first few, or if the order depends on other rows.
    func rows(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows {
        try checkExternals(plan)
        let sortsHere =
            !plan.sort.isEmpty && plan.limit == 0 && plan.offset == 0 && !plan.sortFollowsRelationships
        let generator = SQLGenerator(plan.source, schema)
        let selection = selections[plan]
        var rows = try read(generator.selectRows(plan, selection, ordered: !sortsHere), control) {
            statement throws(StoreError) in
            try RowDecoder(
                selection: selection, statement: statement, externalData: externalData,
                isScan: isScan(plan, ordered: !sortsHere)
            ).decode(control)
        }
        guard sortsHere else { return rows }
        let order = try RowSorter.order(rows, by: plan.sort, plan.source.entity.layout, control)
        try rows.arrange(by: order, control)
        return rows
    }

    /// Whether SQLite answers a query for rows by scanning a whole table in key order.
    private func isScan(_ plan: FetchPlan, ordered: Bool) -> Bool {
        let isWholeTable =
            !tables[plan.source.entityIndex].isShared
            || plan.source.entityIndex == plan.source.rootIndex && plan.entities.count > 1
        return isWholeTable && plan.predicate == nil && (!ordered || plan.sort.isEmpty)
    }

    func keys(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FoundKeys {
        try checkExternals(plan)
        let (fragment, entities) = (SQLGenerator(plan.source, schema).selectKeys(plan), entitiesByNumber(plan))
        let found = try read(fragment, control) { statement throws(StoreError) in
            try Self.keys(statement, entities, control)
        }
        // An index may hold all that SQLite needs for keys, and gives them in its own order. The rows of neighbouring
        // keys are read and changed together, so in no particular order means in that of the keys.
        return plan.sort.isEmpty ? found.sorted() : found
    }

    /// Returns the positions of a plan's entities by their numbers; empty if there is only one.
    func entitiesByNumber(_ plan: FetchPlan) -> [Int64: Int] {
        let entities = plan.entities
        if entities.count == 1 { return [:] }
        return Dictionary(
            entities.map { (Int64(tables[$0].entityNumber), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Reads all rows of a query for keys.
    static func keys(
        _ statement: Statement, _ entities: [Int64: Int], _ control: FetchControl
    ) throws(StoreError) -> FoundKeys {
        var found = FoundKeys()
        while try statement.step() {
            let key = try statement.key(in: "of keys")
            if entities.isEmpty {
                found.append(key)
            } else if let entity = entities[statement.int64(1)] {
                found.append(key, of: entity)
            }
            if found.count % RowPage.rows == 0 { try control.found(found.count) }
        }
        statement.didRead(found.count)
        return found
    }

    func dictionaries(_ plan: DictionaryPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows {
        try checkExternals(plan)
        let generator = SQLGenerator(plan.rows.source, schema)
        let selection = generator.selection(plan)
        return try read(generator.selectDictionaries(plan), control) { statement throws(StoreError) in
            try RowDecoder(selection: selection, statement: statement).decode(control)
        }
    }

    func count(_ plan: FetchPlan) throws(StoreError) -> Int {
        try checkExternals(plan)
        let fragment = SQLGenerator(plan.source, schema).selectCount(plan)
        return try read(fragment, FetchControl()) { statement throws(StoreError) in
            try statement.step() ? Int(statement.int64(0)) : 0
        }
    }

    func rows(withKeys keys: [Int64], of entity: Int) throws(StoreError) -> FetchedRows {
        let table = tables[entity]
        var found = FetchedRows()
        let selection = selections[entity]
        let ofEntity = table.isShared ? " AND t.Z_ENT = \(table.entityNumber)" : ""
        for keys in sources(of: keys, in: table) {
            let fragment =
                SQLFragment(sql: "SELECT \(selection.aliasedList) ") + keys + SQLFragment(sql: ofEntity)
            found.pages += try pool.read { connection throws(StoreError) in
                try rows(fragment, selection, on: connection).pages
            }
        }
        return found
    }

    /// Executes a query for whole rows that objects, or other rows, refer to.
    func rows(
        _ fragment: SQLFragment, _ selection: RowSelection, on connection: Connection
    ) throws(StoreError) -> FetchedRows {
        try read(fragment, FetchControl(), on: connection) { statement throws(StoreError) in
            try RowDecoder(
                selection: selection, statement: statement, externalData: externalData, isLenient: true
            ).decode(FetchControl())
        }
    }

    /// Returns the ends of queries for the rows with some keys. Neighbours are one range, which SQLite reads in one go.
    private func sources(of keys: [Int64], in table: EntityTable) -> [SQLFragment] {
        guard let (first, last) = keys.ends else {
            let keys = DistinctKeys.sorted(keys)
            return stride(from: 0, to: keys.count, by: ValueLookup.limit).map { start in
                let part = keys[start..<min(start + ValueLookup.limit, keys.count)]
                return ValueLookup("t.Z_PK", isOneOf: Array(part)).rows(of: table.name)
            }
        }
        return [SQLFragment(sql: "FROM \(table.name) t WHERE ") + KeyLists.condition("t.Z_PK", in: first...last)]
    }

    /// Executes a query on a reader that `control` can interrupt.
    func read<Result>(
        _ fragment: SQLFragment, _ control: FetchControl, _ body: (Statement) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try pool.read { connection throws(StoreError) in try read(fragment, control, on: connection, body) }
    }

    /// Executes a query on a connection that `control` can interrupt.
    func read<Result>(
        _ fragment: SQLFragment, _ control: FetchControl, on connection: Connection,
        _ body: (Statement) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let fragment = fragment.statement(in: SQLiteDialect())
        let statement = try connection.statement(fragment.sql)
        defer { statement.reset() }
        for (index, value) in fragment.bindings.enumerated() { statement.bind(Int32(index + 1), value) }
        return try control.interruptible(by: { connection.interrupt() }) { () throws(StoreError) in
            try body(statement)
        }
    }

    /// Calls `body` with a reader on which several statements see the same state of the file, or one by itself.
    func readSnapshot<Result>(
        of several: Bool, _ body: (Connection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try pool.read { connection throws(StoreError) in
            guard several else { return try body(connection) }
            return try connection.snapshot { () throws(StoreError) in try body(connection) }
        }
    }
}
