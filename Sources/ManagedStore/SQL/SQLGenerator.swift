import Foundation

/// Says requests in SQL, for one entity and those that inherit from it.
struct SQLGenerator {
    let table: EntityTable
    /// The tables of all entities of the model.
    let tables: [EntityTable]
    let joins: [JoinTable]
    /// What the table is called within a query about related rows; nil in the query itself.
    let alias: String?
    /// The names of queries that stand before the statement.
    let names: QueryNames

    init(
        _ source: ObjectIDSource, _ tables: [EntityTable], _ joins: [JoinTable], alias: String? = nil,
        names: QueryNames = QueryNames()
    ) {
        self.tables = tables
        self.joins = joins
        self.alias = alias
        self.names = names
        table = tables[source.entityIndex]
    }

    /// The column of a field, as conditions name it.
    func column(_ position: Int) -> String { qualified(table.columns[position]) }

    func qualified(_ column: String) -> String { alias.map { "\($0).\(column)" } ?? column }

    /// `SELECT Z_PK, Z_OPT, ...`: whole rows, for the decoder.
    func selectRows(_ plan: FetchPlan, _ selection: RowSelection, ordered: Bool) -> SQLFragment {
        select(selection.columnList, plan, ordered: ordered)
    }

    /// `SELECT Z_PK`, with several entities `SELECT Z_PK, Z_ENT`.
    func selectKeys(_ plan: FetchPlan) -> SQLFragment {
        select(plan.entities.count > 1 ? "Z_PK, Z_ENT" : "Z_PK", plan, ordered: true)
    }

    /// `SELECT COUNT(*)`, of what is left after limit and offset.
    func selectCount(_ plan: FetchPlan) -> SQLFragment {
        if plan.limit == 0, plan.offset == 0 { return select("COUNT(*)", plan, ordered: false) }
        return SQLFragment(sql: "SELECT COUNT(*) FROM (") + select("1", plan, ordered: false) + SQLFragment(sql: ")")
    }

    private func select(_ columns: String, _ plan: FetchPlan, ordered: Bool) -> SQLFragment {
        var fragment = SQLFragment(sql: "SELECT \(columns) FROM \(table.name)") + whereClause(plan)
        if ordered, !plan.sort.isEmpty {
            // The key settles ties as the order of a scan does, so that every way of sorting gives the same result.
            let keys = plan.sort.map {
                "\($0.options.folded(value(at: $0.position, through: $0.path[...])))\($0.ascending ? "" : " DESC")"
            }
            fragment.sql += " ORDER BY \(keys.joined(separator: ", ")), Z_PK"
        }
        if plan.limit > 0 || plan.offset > 0 {
            fragment.sql += " LIMIT ? OFFSET ?"
            fragment.bindings += [
                .integer64(plan.limit > 0 ? Int64(plan.limit) : -1), .integer64(Int64(plan.offset)),
            ]
        }
        return fragment
    }

    /// `UPDATE ... SET ..., Z_OPT = Z_OPT + 1`.
    func update(_ plan: BatchUpdatePlan) -> SQLFragment {
        var fragment = SQLFragment(sql: "UPDATE \(table.name) SET ")
        for (position, value) in plan.assignments {
            fragment = fragment + SQLFragment(sql: "\(table.columns[position]) = ") + assigned(value, to: position)
            fragment.sql += ", "
        }
        fragment.sql += "Z_OPT = \(table.nextVersion)"
        return fragment + whereClause(plan.rows)
    }

    /// A computed value as a narrower column takes it: integers clamped to its range, doubles rounded to floats.
    private func assigned(_ expression: BatchUpdatePlan.Expression, to position: Int) -> SQLFragment {
        let computed = self.expression(expression)
        if case .constant = expression { return computed }
        switch table.source.entity.attributes[position].attributeType {
        case .integer16: return clamped(computed, Int64(Int16.min)...Int64(Int16.max))
        case .integer32: return clamped(computed, Int64(Int32.min)...Int64(Int32.max))
        case .float: return SQLFragment(sql: "MS_FLOAT(") + computed + SQLFragment(sql: ")")
        default: return computed
        }
    }

    private func clamped(_ value: SQLFragment, _ range: ClosedRange<Int64>) -> SQLFragment {
        SQLFragment(sql: "MAX(\(range.lowerBound), MIN(\(range.upperBound), ") + value + SQLFragment(sql: "))")
    }

    private func expression(_ expression: BatchUpdatePlan.Expression) -> SQLFragment {
        switch expression {
        case .constant(let value): return SQLFragment(sql: "?", bindings: [value])
        case .attribute(let position): return SQLFragment(sql: table.columns[position])
        case .not(let operand):
            return SQLFragment(sql: "(NOT ") + self.expression(operand) + SQLFragment(sql: ")")
        case .chain(let first, let links): return chain(first, links)
        }
    }

    /// `(a + b) * c - (d - e)`: from the left as it is computed, without parentheses where there need be none. What is
    /// computed with whole numbers comes first, and is left to a function, some operations at a time: it takes no more
    /// arguments.
    private func chain(
        _ first: BatchUpdatePlan.Expression, _ links: [BatchUpdatePlan.Expression.Link]
    ) -> SQLFragment {
        let whole = links.prefix(while: \.isWhole)
        var text = whole.isEmpty ? operand(first) : expression(first)
        for start in stride(from: 0, to: whole.count, by: SQLFunctions.operationsAtOnce) {
            text = SQLFragment(sql: "MS_COMPUTE(") + text
            for link in whole.dropFirst(start).prefix(SQLFunctions.operationsAtOnce) {
                text = text + SQLFragment(sql: ", '\(link.operation.rawValue)', ") + expression(link.operand)
            }
            text = text + SQLFragment(sql: ")")
        }
        var isSum = false
        for link in links.dropFirst(whole.count) {
            if link.operation == .multiply, isSum { text = SQLFragment(sql: "(") + text + SQLFragment(sql: ")") }
            isSum = link.operation != .multiply
            text = text + SQLFragment(sql: " \(link.operation.rawValue) ") + operand(link.operand)
        }
        return text
    }

    private func operand(_ expression: BatchUpdatePlan.Expression) -> SQLFragment {
        guard case .chain = expression else { return self.expression(expression) }
        return SQLFragment(sql: "(") + self.expression(expression) + SQLFragment(sql: ")")
    }

    /// `DELETE FROM ...`; with a limit, of those keys that the fetch would find.
    func delete(_ plan: FetchPlan) -> SQLFragment {
        let delete = SQLFragment(sql: "DELETE FROM \(table.name)")
        if plan.limit == 0, plan.offset == 0 { return delete + whereClause(plan) }
        return delete + SQLFragment(sql: " WHERE Z_PK IN (") + select("Z_PK", plan, ordered: true)
            + SQLFragment(sql: ")")
    }

    func whereClause(_ plan: FetchPlan) -> SQLFragment {
        switch (entityCondition(plan), plan.predicate) {
        case (nil, nil): SQLFragment(sql: "")
        case (let entity?, nil): SQLFragment(sql: " WHERE \(entity)")
        case (nil, let predicate?): SQLFragment(sql: " WHERE ") + condition(predicate)
        case (let entity?, let predicate?): SQLFragment(sql: " WHERE \(entity) AND ") + condition(predicate)
        }
    }

    /// Which rows are of the entities that `plan` asks for; nil when all in the table are.
    private func entityCondition(_ plan: FetchPlan) -> String? {
        guard table.isShared else { return nil }
        let numbers = plan.entities.map { tables[$0].entityNumber }
        if numbers.count == 1 { return "Z_ENT = \(numbers[0])" }
        // With all entities that there are the table is scanned in the order of its keys, which `+` makes sure of.
        let isWhole = table.source.rootIndex == table.source.entityIndex
        return "\(isWhole ? "+" : "")Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))"
    }
}
