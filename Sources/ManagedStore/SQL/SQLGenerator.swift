/// Returns the share of a table's rows that meet a condition, from 0 to 1; nil if it is not known.
typealias RowSample = (ResolvedPredicate, EntityTable) -> Double?

/// Translates requests for one entity, and those that inherit from it, to SQL.
struct SQLGenerator {
    let schema: SQLSchema
    private let entityIndex: Int
    /// The name of the table in a query about related rows; nil in the outermost query.
    let alias: String?
    /// The names of the queries in the `WITH` clause.
    let names: QueryNames
    /// Tells which share of a table's rows meets a condition, where the database itself has no statistics.
    let share: RowSample?
    /// The expressions of a result, which replace the table's columns. Rows of a result have no keys.
    let expressions: [String]?

    init(
        _ source: ObjectIDSource, _ schema: SQLSchema, alias: String? = nil, names: QueryNames = QueryNames(),
        share: RowSample? = nil, over expressions: [String]? = nil
    ) {
        self.schema = schema
        self.alias = alias
        self.names = names
        self.share = share
        self.expressions = expressions
        entityIndex = source.entityIndex
    }

    var table: EntityTable { schema.tables[entityIndex] }
    /// The tables of all entities of the model.
    var tables: [EntityTable] { schema.tables }
    var dialect: any SQLDialect { schema.dialect }

    /// Returns the column of a field as conditions write it.
    func column(_ position: Int) -> String { expressions?[position] ?? qualified(table.columns[position]) }

    func qualified(_ column: String) -> String {
        alias.map { "\($0).\(dialect.identifier(column))" } ?? dialect.identifier(column)
    }

    /// Returns a table's name as a statement writes it.
    func name(of table: EntityTable) -> String { dialect.identifier(table.name) }

    private var key: String { dialect.identifier("Z_PK") }

    /// Returns `SELECT Z_PK, Z_OPT, ...` for whole rows, in the form for the decoder.
    func selectRows(_ plan: FetchPlan, _ selection: RowSelection, ordered: Bool) -> SQLFragment {
        select(selection.columnList, plan, ordered: ordered, readsRows: true)
    }

    /// Returns `SELECT Z_PK`, with several entities `SELECT Z_PK, Z_ENT`.
    func selectKeys(_ plan: FetchPlan) -> SQLFragment {
        select(plan.entities.count > 1 ? "\(key), \(dialect.identifier("Z_ENT"))" : key, plan, ordered: true)
    }

    /// Returns `SELECT COUNT(*)` of the rows within limit and offset.
    func selectCount(_ plan: FetchPlan) -> SQLFragment {
        if plan.limit == 0, plan.offset == 0 { return select("COUNT(*)", plan, ordered: false) }
        return SQLFragment(sql: "SELECT COUNT(*) FROM (") + select("1", plan, ordered: false) + SQLFragment(sql: ") r")
    }

    private func select(
        _ columns: String, _ plan: FetchPlan, ordered: Bool, readsRows: Bool = false
    ) -> SQLFragment {
        var fragment =
            SQLFragment(sql: "SELECT \(columns) FROM \(name(of: table))") + whereClause(plan, readsRows: readsRows)
        if ordered, !plan.sort.isEmpty {
            // The key breaks ties, as it does in a scan, so that every way of sorting gives the same result.
            let keys = plan.sort.map { sort in
                sortKey(
                    sort, value(at: sort.position, through: sort.path[...]), isNeverMissing: isNeverMissing(sort, plan))
            }
            fragment.sql += " ORDER BY \(keys.joined(separator: ", ")), \(key)"
        }
        guard plan.limit > 0 || plan.offset > 0 else { return fragment }
        // Which rows are within the window must not be left to chance.
        if plan.sort.isEmpty, !dialect.scansByKey { fragment.sql += " ORDER BY \(key)" }
        fragment.append(dialect.window(limit: plan.limit, offset: plan.offset))
        return fragment
    }

    /// Returns an expression that orders rows by `sort`.
    func sortKey(_ sort: ResolvedSort, _ expression: String, isNeverMissing: Bool = false) -> String {
        let folded = sort.options.isEmpty ? expression : dialect.folded(expression, sort.options)
        return dialect.sortKey(folded, ascending: sort.ascending, isNeverMissing: isNeverMissing)
    }

    /// Whether every row that a plan finds has a value to order by.
    private func isNeverMissing(_ sort: ResolvedSort, _ plan: FetchPlan) -> Bool {
        guard sort.path.isEmpty else { return false }
        return plan.predicate?.needsValue(at: sort.position) == true
            || schema.completeColumns.contains(table.path(of: sort.position))
    }

    /// Returns `UPDATE ... SET ..., Z_OPT = Z_OPT + 1`.
    func update(_ plan: BatchUpdatePlan) -> SQLFragment {
        var fragment = SQLFragment(sql: "UPDATE \(name(of: table)) SET ")
        for (position, value) in plan.assignments {
            fragment = fragment + SQLFragment(sql: "\(column(position)) = ") + assigned(value, to: position)
            fragment.sql += ", "
        }
        fragment.sql += "\(dialect.identifier("Z_OPT")) = \(table.nextVersion(dialect))"
        return fragment + whereClause(plan.rows, readsRows: true)
    }

    /// Returns a computed value for a narrower column: integers clamped to its range, doubles rounded to floats.
    private func assigned(_ expression: BatchUpdatePlan.Expression, to position: Int) -> SQLFragment {
        let computed = self.expression(expression)
        if case .constant = expression { return computed }
        switch table.source.entity.attributes[position].attributeType.number {
        case .integer(let range) where range != Int64.min...Int64.max: return dialect.clamped(computed, to: range)
        case .float: return dialect.rounded(computed)
        default: return computed
        }
    }

    private func expression(_ expression: BatchUpdatePlan.Expression) -> SQLFragment {
        switch expression {
        case .constant(let value): return SQLFragment(sql: "?", bindings: [value])
        case .attribute(let position): return SQLFragment(sql: column(position))
        case .related(let path, let position): return SQLFragment(sql: value(at: position, through: path[...]))
        case .count(let path, let relationship, let condition): return count(path, relationship, meeting: condition)
        case .not(let operand):
            return SQLFragment(sql: "(NOT ") + self.expression(operand) + SQLFragment(sql: ")")
        case .chain(let first, let links): return chain(first, links)
        }
    }

    /// Returns `(a + b) * c - (d - e)`, computed from the left and without redundant parentheses. The dialect writes
    /// the operations on integers, which come first, since few databases clamp results.
    private func chain(
        _ first: BatchUpdatePlan.Expression, _ links: [BatchUpdatePlan.Expression.Link]
    ) -> SQLFragment {
        let whole = links.prefix(while: \.isWhole)
        var text = whole.isEmpty ? operand(first) : expression(first)
        if !whole.isEmpty { text = dialect.computed(text, whole.map { ($0.operation, expression($0.operand)) }) }
        var isSum = false
        for link in links.dropFirst(whole.count) {
            if link.operation == .multiply, isSum { text = SQLFragment(sql: "(") + text + SQLFragment(sql: ")") }
            isSum = link.operation != .multiply
            text = text + SQLFragment(sql: " \(link.operation.rawValue) ") + operand(link.operand)
        }
        return text
    }

    func operand(_ expression: BatchUpdatePlan.Expression) -> SQLFragment {
        guard case .chain = expression else { return self.expression(expression) }
        return SQLFragment(sql: "(") + self.expression(expression) + SQLFragment(sql: ")")
    }

    /// Returns `DELETE FROM ...`; with a limit, for the keys that the fetch would find.
    func delete(_ plan: FetchPlan) -> SQLFragment {
        let delete = SQLFragment(sql: "DELETE FROM \(name(of: table))")
        if plan.limit == 0, plan.offset == 0 { return delete + whereClause(plan, readsRows: true) }
        return delete + SQLFragment(sql: " WHERE \(key) IN (") + select(key, plan, ordered: true)
            + SQLFragment(sql: ")")
    }

    /// - Parameter readsRows: Whether the statement reads or changes the rows that it finds, and not only their keys.
    func whereClause(_ plan: FetchPlan, readsRows: Bool = false) -> SQLFragment {
        var scope = wholeScope
        scope.readsAll = readsRows && plan.limit == 0 && plan.offset == 0
        return switch (entityCondition(plan), plan.predicate) {
        case (nil, nil): SQLFragment(sql: "")
        case (let entity?, nil): SQLFragment(sql: " WHERE \(entity)")
        case (nil, let predicate?): SQLFragment(sql: " WHERE ") + condition(predicate, scope)
        case (let entity?, let predicate?): SQLFragment(sql: " WHERE \(entity) AND ") + condition(predicate, scope)
        }
    }

    /// Returns a condition on the entity for the rows of `plan`; nil if the table has no other rows.
    func entityCondition(_ plan: FetchPlan) -> String? {
        guard table.isShared else { return nil }
        let numbers = plan.entities.map { tables[$0].entityNumber }
        let entity = dialect.identifier("Z_ENT")
        if numbers.count == 1 { return "\(entity) = \(numbers[0])" }
        // If all entities of the table are included, the table is scanned in key order.
        let isWhole = table.source.rootIndex == table.source.entityIndex
        return
            "\(isWhole ? dialect.withoutIndex(entity) : entity) IN (\(numbers.map(String.init).joined(separator: ", ")))"
    }
}
