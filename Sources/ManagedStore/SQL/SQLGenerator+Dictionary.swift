/// Fetches of dictionaries in SQL.
extension SQLGenerator {
    /// Returns `SELECT 1, 0, ... GROUP BY ... HAVING ... ORDER BY ...`: a key and a version for the decoder, then the
    /// columns, then the columns with the entities of objects.
    func selectDictionaries(_ plan: DictionaryPlan) -> SQLFragment {
        let columns = plan.columns.map(column)
        // A subquery would have the name of its column, which the order would read in place of the row's own.
        let visible = zip(plan.visible, columns).map { $0.path.isEmpty ? $1 : "\($1) AS t0" }
        // Columns that are not returned must not make results distinct.
        let selected = visible + columns[plan.visibleCount...].map { _ in "NULL" }
        let list = (["1", "0"] + selected + entityColumns(plan)).joined(separator: ", ")
        var fragment = SQLFragment(sql: "SELECT \(plan.isDistinct ? "DISTINCT " : "")\(list) FROM \(name(of: table))")
        fragment = fragment + whereClause(plan.rows)
        let groups = plan.groups.flatMap { position in
            [columns[position], entityColumn(plan.columns[position])].compactMap(\.self)
        }
        if !groups.isEmpty { fragment.sql += " GROUP BY \(groups.joined(separator: ", "))" }
        if let having = plan.having {
            let results = SQLGenerator(plan.rows.source, schema, over: columns)
            fragment = fragment + SQLFragment(sql: " HAVING ") + results.condition(having)
        }
        let order = plan.sort.map { sortKey($0, columns[$0.position]) }
        let keys = order + ties(plan, columns, groups).map { dialect.sortKey($0, ascending: true) }
        if !keys.isEmpty { fragment.sql += " ORDER BY \(keys.joined(separator: ", "))" }
        return fragment + dialect.window(limit: plan.limit, offset: plan.offset)
    }

    /// Returns what orders results that are equal in the order that was asked for.
    private func ties(_ plan: DictionaryPlan, _ columns: [String], _ groups: [String]) -> [String] {
        if plan.isDistinct { return Array(columns[..<plan.visibleCount]) }
        if plan.isGrouped { return groups }
        return plan.sort.isEmpty && dialect.scansByKey ? [] : [qualified("Z_PK")]
    }

    private func column(_ column: DictionaryPlan.Column) -> String {
        switch column.term {
        case .field(let position): return self.column(position)
        case .related(let path, let position): return value(at: position, through: path[...])
        case .objectID: return qualified("Z_PK")
        case .aggregate(_, nil): return "COUNT(*)"
        case .aggregate(let function, let position?):
            let operand = self.column(position)
            let kind = NumberSum.Kind(table.source.entity.layout.fields[position].type)
            return switch function {
            case .count: "COUNT(\(operand))"
            case .countDistinct: "COUNT(DISTINCT \(operand))"
            case .min: "MIN(\(operand))"
            case .max: "MAX(\(operand))"
            case .sum: dialect.sum(operand, kind)
            case .average: dialect.average(operand, kind)
            }
        }
    }

    private func entityColumns(_ plan: DictionaryPlan) -> [String] {
        plan.visible.compactMap { entityColumn($0) }
    }

    /// Returns the column with the entity of a column's object; nil if only one entity is possible.
    private func entityColumn(_ column: DictionaryPlan.Column) -> String? {
        switch column.term {
        case .objectID: table.isShared ? qualified("Z_ENT") : nil
        case .field(let position): table.references[position]?.entityColumn.map(qualified)
        case .aggregate, .related: nil
        }
    }

    /// Returns the places of the columns for the decoder.
    func selection(_ plan: DictionaryPlan) -> RowSelection {
        var references: [RowSelection.Reference] = []
        var next = Int32(plan.columns.count + 2)
        for (position, column) in plan.visible.enumerated() where column.type == .objectID {
            let hasColumn = entityColumn(column) != nil
            references.append(reference(column, at: position, entityColumn: hasColumn ? next : nil))
            if hasColumn { next += 1 }
        }
        return RowSelection(
            columns: ["0", "0"] + plan.columns.map(self.column), tableName: table.name,
            shape: RowSelection.Shape(
                source: plan.source, columns: plan.columns.indices.map { Int32($0) + 2 }, references: references))
    }

    private func reference(
        _ column: DictionaryPlan.Column, at position: Int, entityColumn: Int32?
    ) -> RowSelection.Reference {
        var destination = table.source.entityIndex
        if case .field(let field) = column.term { destination = table.references[field]?.destination ?? destination }
        let family = table.source.model.hierarchy.families[destination]
        return RowSelection.Reference(
            field: position, entityColumn: entityColumn, destination: destination,
            entities: Dictionary(
                family.map { (Int64(tables[$0].entityNumber), $0) }, uniquingKeysWith: { first, _ in first }))
    }
}
