import CSQLite
import Foundation

extension SQLiteStore {
    /// Returns rows in the requested order. The package sorts all rows of a table; SQLite sorts if a limit lets it keep
    /// only the first few, or if the order depends on other rows.
    func rows(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows {
        try checkExternals(plan)
        let sortsHere =
            !plan.sort.isEmpty && plan.limit == 0 && plan.offset == 0 && !plan.sortFollowsRelationships
        let parts = plan.sort.isEmpty || sortsHere ? ValueLookup.parts(of: plan) : nil
        let lookup = parts == nil ? lookup(plan, ordered: !sortsHere) : nil
        let isBrief = lookup?.isBrief == true && control.isUnobserved
        var rows = try pool.read(briefly: isBrief) { connection throws(StoreError) in
            guard let parts else { return try self.rows(plan, lookup, ordered: !sortsHere, control, on: connection) }
            return try connection.snapshot { () throws(StoreError) in try self.rows(parts, control, on: connection) }
        }
        guard sortsHere else { return rows }
        let order = try RowSorter.order(rows, by: plan.sort, plan.source.entity.layout, control)
        try rows.arrange(by: order, control)
        return rows
    }

    /// Reads the rows of a plan whose keys are too many for one lookup, part by part.
    private func rows(
        _ parts: [FetchPlan], _ control: FetchControl, on connection: Connection
    ) throws(StoreError) -> FetchedRows {
        var rows = FetchedRows()
        for part in parts {
            let lookup = lookup(part, ordered: false)
            rows.append(try self.rows(part, lookup, ordered: false, control, after: rows.count, on: connection))
        }
        return rows
    }

    /// Reads the rows of `plan`, after those of earlier statements of the same fetch.
    private func rows(
        _ plan: FetchPlan, _ lookup: ValueLookup?, ordered: Bool, _ control: FetchControl, after found: Int = 0,
        on connection: Connection
    ) throws(StoreError) -> FetchedRows {
        let selection = selections[plan]
        let statement = try statement(plan, lookup, selection, ordered: ordered, on: connection)
        return try read(statement, control, on: connection) { statement throws(StoreError) in
            try RowDecoder(
                selection: selection, statement: statement, externalData: externalData,
                isScan: lookup == nil && isScan(plan, ordered: ordered), rowsMax: lookup?.briefCount, foundBefore: found
            ).decode(control)
        }
    }

    /// Returns the lookup that finds the rows of `plan`; nil if a query does.
    private func lookup(_ plan: FetchPlan, ordered: Bool) -> ValueLookup? {
        plan.sort.isEmpty || !ordered ? ValueLookup(plan, in: tables[plan.source.entityIndex]) : nil
    }

    /// Returns the query for the rows of `plan`, with its values.
    private func statement(
        _ plan: FetchPlan, _ lookup: ValueLookup?, _ selection: RowSelection, ordered: Bool, on connection: Connection
    ) throws(StoreError) -> Statement {
        if let lookup { return try lookup.statement(plan, selection, schema, on: connection) }
        let query = generator(plan, on: connection).selectRows(plan, selection, ordered: ordered)
        return try statement(query, on: connection)
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
        let entities = entitiesByNumber(plan)
        let found = try pool.read { connection throws(StoreError) in
            let query = generator(plan, on: connection).selectKeys(plan)
            return try read(query, control, on: connection) { statement throws(StoreError) in
                try Self.keys(statement, entities, control)
            }
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
        // A row that is refused would leave the statement at work.
        defer { statement.reset() }
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
        return try pool.read { connection throws(StoreError) in
            let generator = generator(plan.rows, on: connection)
            let selection = generator.selection(plan)
            return try read(generator.selectDictionaries(plan), control, on: connection) {
                statement throws(StoreError) in
                try RowDecoder(selection: selection, statement: statement).decode(control)
            }
        }
    }

    func count(_ plan: FetchPlan) throws(StoreError) -> Int {
        try checkExternals(plan)
        return try pool.read { connection throws(StoreError) in
            let query = generator(plan, on: connection).selectCount(plan)
            return try read(query, .uncontrolled, on: connection) { statement throws(StoreError) in
                try statement.step() ? Int(statement.int64(0)) : 0
            }
        }
    }

    func rows(withKeys keys: [Int64], of entity: Int) throws(StoreError) -> FetchedRows {
        var plan = FetchPlan(source: sources[entity], includesSubentities: false)
        let selection = selections[entity]
        let distinct = DistinctKeys.sorted(keys)
        var found = FetchedRows()
        let part = distinct.ends == nil ? ValueLookup.limit : distinct.count
        for start in stride(from: 0, to: distinct.count, by: part) {
            plan.predicate = .keys(Array(distinct[start..<min(start + part, distinct.count)]))
            let lookup = lookup(plan, ordered: false)
            let pages = try pool.read(briefly: lookup?.isBrief == true) { connection throws(StoreError) in
                let statement = try statement(plan, lookup, selection, ordered: false, on: connection)
                return try rows(statement, selection, rowsMax: lookup?.briefCount, on: connection).pages
            }
            if found.pages.isEmpty { found.pages = pages } else { found.pages += pages }
        }
        return found
    }

    /// Executes a query for whole rows that objects, or other rows, refer to.
    func rows(
        _ fragment: SQLFragment, _ selection: RowSelection, on connection: Connection
    ) throws(StoreError) -> FetchedRows {
        try rows(try statement(fragment, on: connection), selection, on: connection)
    }

    private func rows(
        _ statement: Statement, _ selection: RowSelection, rowsMax: Int? = nil, on connection: Connection
    ) throws(StoreError) -> FetchedRows {
        try read(statement, .uncontrolled, on: connection) { statement throws(StoreError) in
            try RowDecoder(
                selection: selection, statement: statement, externalData: externalData, isLenient: true,
                rowsMax: rowsMax
            ).decode(.uncontrolled)
        }
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
        try read(try statement(fragment, on: connection), control, on: connection, body)
    }

    /// Returns the statement of a query, with its values.
    private func statement(_ query: SQLFragment, on connection: Connection) throws(StoreError) -> Statement {
        let query = query.statement(in: SQLiteDialect())
        let statement = try connection.statement(query.sql)
        for (index, value) in query.bindings.enumerated() { statement.bind(Int32(index + 1), value) }
        return statement
    }

    /// Executes a statement of a connection that `control` can interrupt.
    private func read<Result>(
        _ statement: Statement, _ control: FetchControl, on connection: Connection,
        _ body: (Statement) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        defer { statement.reset() }
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
