import Foundation

/// Fetches with one connection. What the server cannot say exactly is tested, sorted and computed on decoded rows.
struct PostgreSQLFetch {
    let store: PostgreSQLStore
    let connection: PostgreSQLConnection
    let control: FetchControl

    private var dialect: PostgreSQLDialect { store.dialect }

    /// A plan for the server, and what is left to do.
    struct Task {
        var plan: FetchPlan
        /// What the rows must meet besides.
        var rest: ResolvedPredicate?
        /// Whether limit, offset and order are left.
        var isArrangedHere = false
    }

    private func generator(_ plan: FetchPlan) -> SQLGenerator { SQLGenerator(plan.source, store.schema) }

    /// Divides a plan into what the server does and what is left.
    private func task(_ plan: FetchPlan) throws(StoreError) -> Task {
        var plan = plan
        if let predicate = plan.predicate { plan.predicate = try said(predicate, plan.source) }
        return try task(said: plan)
    }

    /// Divides a plan with a condition that ``said(_:_:)`` returned.
    func task(said plan: FetchPlan) throws(StoreError) -> Task {
        let generator = generator(plan)
        var task = Task(plan: plan)
        let division = generator.divided(plan.predicate)
        task.plan.predicate = division.said
        if let rest = division.rest { task.rest = try local(rest, plan.source) }
        let isWindow = plan.limit > 0 || plan.offset > 0
        let isArrangedThere =
            task.rest == nil && generator.says(plan.sort)
            && (plan.sort.isEmpty || isWindow || plan.sortFollowsRelationships)
        task.isArrangedHere = !isArrangedThere && (isWindow || !plan.sort.isEmpty)
        if task.isArrangedHere { (task.plan.sort, task.plan.limit, task.plan.offset) = ([], 0, 0) }
        return task
    }
}

// MARK: - Rows

extension PostgreSQLFetch {
    /// Results of at most so many rows are read in one piece, by a prepared statement.
    private static let fewRows = 1_000

    func rows(_ plan: FetchPlan) throws(StoreError) -> FetchedRows { try rows(try task(plan), plan) }

    private func rows(_ task: Task, _ plan: FetchPlan) throws(StoreError) -> FetchedRows {
        if task.isArrangedHere, plan.sortFollowsRelationships { try connection.beginSnapshot() }
        var rows = try rows(task.plan, meeting: task.rest)
        // The server returns rows in any order unless it is asked for one.
        if plan.sort.isEmpty { rows.order = try RowSorter.order(rows, by: [], plan.source.entity.layout, control) }
        guard task.isArrangedHere else { return rows }
        var order: [UInt32]
        if let keyOrder = rows.order, plan.sort.isEmpty {
            order = keyOrder
        } else {
            order = try RowSorter.order(rows, plan, try navigator(plan.sort.map(\.path), rows), control)
        }
        if plan.offset > 0 { order.removeFirst(min(plan.offset, order.count)) }
        if plan.limit > 0 { order = Array(order.prefix(plan.limit)) }
        rows.order = order
        return rows
    }

    /// Reads the rows of a plan that the server can carry out, and leaves out those that do not meet `rest`.
    private func rows(_ plan: FetchPlan, meeting rest: ResolvedPredicate?) throws(StoreError) -> FetchedRows {
        let selection = store.selections[plan]
        let fragment = generator(plan).selectRows(plan, selection, ordered: true)
        let rows: FetchedRows
        if plan.limit > 0, plan.limit <= Self.fewRows {
            rows = try self.rows(fragment, selection)
        } else {
            rows = try stream(fragment, selection)
        }
        return try rest.map { rest throws(StoreError) in try matching(rows, rest, plan) } ?? rows
    }

    /// Returns copies of the rows that meet a condition.
    private func matching(
        _ rows: FetchedRows, _ rest: ResolvedPredicate, _ plan: FetchPlan
    ) throws(StoreError) -> FetchedRows {
        let layout = plan.source.entity.layout
        var builder = FetchedRowsBuilder()
        for row in rows.references() where rest.matches(row, layout) {
            let page = builder.page(for: store.sources[row.entityIndex])
            page.copyRow(row, to: builder.appended(to: page, key: row.row.key))
        }
        try rest.checkPatterns()
        return builder.finish()
    }

    /// Reads the rows of a query in one piece.
    func rows(_ fragment: SQLFragment, _ selection: RowSelection) throws(StoreError) -> FetchedRows {
        let result = try connection.query(fragment, dialect)
        var decoder = BinaryRowDecoder(selection, control)
        for row in 0..<result.count { try decoder.append(result[row]) }
        connection.countRows(result.count)
        return try decoder.finish()
    }

    /// Reads the rows of a query as they arrive.
    private func stream(_ fragment: SQLFragment, _ selection: RowSelection) throws(StoreError) -> FetchedRows {
        var decoder = BinaryRowDecoder(selection, control)
        try connection.stream(fragment, dialect, columns: selection.columns.count) { tuple throws(StoreError) in
            try decoder.append(tuple)
        }
        connection.countRows(decoder.count)
        return try decoder.finish()
    }
}

// MARK: - Keys, counts and dictionaries

extension PostgreSQLFetch {
    func keys(_ plan: FetchPlan) throws(StoreError) -> FoundKeys { try keys(try task(plan), plan) }

    func keys(_ task: Task, _ plan: FetchPlan) throws(StoreError) -> FoundKeys {
        guard task.rest == nil, !task.isArrangedHere else { return keys(of: try rows(task, plan), plan) }
        let fragment = generator(plan).selectKeys(task.plan)
        let entities = entitiesByNumber(plan)
        var found = FoundKeys()
        try connection.stream(fragment, dialect, columns: entities.isEmpty ? 1 : 2) { tuple throws(StoreError) in
            if entities.isEmpty {
                found.append(tuple.int64(0))
            } else if let entity = entities[tuple.int64(1)] {
                found.append(tuple.int64(0), of: entity)
            }
            if found.count % RowPage.rows == 0 { try control.found(found.count) }
        }
        connection.countRows(found.count)
        // In no particular order means in that of the keys, as in the other stores.
        return plan.sort.isEmpty ? found.sorted() : found
    }

    func keys(of rows: FetchedRows, _ plan: FetchPlan) -> FoundKeys {
        var found = FoundKeys()
        withExtendedLifetime(rows) {
            for row in rows.references() {
                if plan.entities.count > 1 {
                    found.append(row.row.key, of: row.entityIndex)
                } else {
                    found.append(row.row.key)
                }
            }
        }
        return plan.sort.isEmpty ? found.sorted() : found
    }

    /// Returns the positions of a plan's entities by their numbers; empty if there is only one.
    private func entitiesByNumber(_ plan: FetchPlan) -> [Int64: Int] {
        let entities = plan.entities
        if entities.count == 1 { return [:] }
        return Dictionary(
            entities.map { (Int64(store.tables[$0].entityNumber), $0) }, uniquingKeysWith: { first, _ in first })
    }

    func count(_ plan: FetchPlan) throws(StoreError) -> Int {
        var plan = plan
        plan.sort = []
        let task = try task(plan)
        if task.rest != nil { return try rows(task, plan).count }
        let result = try connection.query(generator(plan).selectCount(task.plan), dialect)
        return Int(result[0].int64(0))
    }

    func dictionaries(_ plan: DictionaryPlan) throws(StoreError) -> FetchedRows {
        let generator = generator(plan.rows)
        if generator.says(plan), plan.columns.allSatisfy({ offers($0, plan) }) {
            let selection = generator.selection(plan)
            return try rows(generator.selectDictionaries(plan), selection)
        }
        if plan.columns.contains(where: { !$0.path.isEmpty }) { try connection.beginSnapshot() }
        let found = try rows(plan.rows)
        let navigator = try navigator(plan.columns.map(\.path), found)
        return try withExtendedLifetime(found) { () throws(StoreError) in
            try DictionaryEvaluator(plan: plan, control: control, navigator: navigator).evaluate(found)
        }
    }

    /// Whether the server has the function of a column for values of its type: none for the extremes of truth values
    /// and bytes.
    private func offers(_ column: DictionaryPlan.Column, _ plan: DictionaryPlan) -> Bool {
        switch column.term {
        case .aggregate(.min, let position?), .aggregate(.max, let position?):
            ![.boolean, .blob].contains(plan.layout.fields[position].type.column)
        default: true
        }
    }
}
