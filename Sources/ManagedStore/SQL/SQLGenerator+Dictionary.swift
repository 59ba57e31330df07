import Foundation

/// Fetches of dictionaries, in SQL.
extension SQLGenerator {
    /// `SELECT 1, 0, ... GROUP BY ... HAVING ... ORDER BY ...`: a key and a version for the decoder, then the columns,
    /// then those that hold entities of objects.
    func selectDictionaries(_ plan: DictionaryPlan) -> SQLFragment {
        let columns = plan.columns.map(column)
        // What is not handed back must not tell results apart.
        let selected = columns[..<plan.visibleCount] + columns[plan.visibleCount...].map { _ in "NULL" }
        let list = (["1", "0"] + selected + entityColumns(plan)).joined(separator: ", ")
        var fragment = SQLFragment(sql: "SELECT \(plan.isDistinct ? "DISTINCT " : "")\(list) FROM \(table.name)")
        fragment = fragment + whereClause(plan.rows)
        let groups = plan.groups.map { table.columns[$0] }
        if !groups.isEmpty { fragment.sql += " GROUP BY \(groups.joined(separator: ", "))" }
        if let having = plan.having {
            let results = SQLGenerator(plan.source, over: columns, like: table)
            fragment = fragment + SQLFragment(sql: " HAVING ") + results.condition(having)
        }
        let order = plan.sort.map { "\($0.options.folded(columns[$0.position]))\($0.ascending ? "" : " DESC")" }
        let ties =
            plan.isDistinct
            ? Array(columns[..<plan.visibleCount]) : plan.isGrouped ? groups : order.isEmpty ? [] : ["Z_PK"]
        if !(order + ties).isEmpty { fragment.sql += " ORDER BY \((order + ties).joined(separator: ", "))" }
        if plan.limit > 0 || plan.offset > 0 {
            fragment.sql += " LIMIT ? OFFSET ?"
            fragment.bindings += [
                .integer64(plan.limit > 0 ? Int64(plan.limit) : -1), .integer64(Int64(plan.offset)),
            ]
        }
        return fragment
    }

    private func column(_ column: DictionaryPlan.Column) -> String {
        switch column.term {
        case .field(let position): return table.columns[position]
        case .related(let path, let position): return value(at: position, through: path[...])
        case .objectID: return "Z_PK"
        case .aggregate(_, nil): return "COUNT(*)"
        case .aggregate(let function, let position?):
            let operand = table.columns[position]
            let kind = NumberSum.Kind(table.source.entity.layout.fields[position].type).rawValue
            return switch function {
            case .count: "COUNT(\(operand))"
            case .countDistinct: "COUNT(DISTINCT \(operand))"
            case .min: "MIN(\(operand))"
            case .max: "MAX(\(operand))"
            case .sum: "MS_SUM(\(operand), \(kind))"
            case .average: "MS_AVERAGE(\(operand), \(kind))"
            }
        }
    }

    /// Says conditions on rows of a result, whose columns are expressions.
    private init(_ source: ObjectIDSource, over columns: [String], like table: EntityTable) {
        self.table = EntityTable(
            name: table.name, columns: columns, references: [:], entityNumber: table.entityNumber,
            rootNumber: table.rootNumber, isShared: table.isShared, source: source)
        (tables, joins, alias, names) = ([], [], nil, QueryNames())
    }

    private func entityColumns(_ plan: DictionaryPlan) -> [String] {
        plan.visible.compactMap { entityColumn($0) }
    }

    /// The column that holds the entity of a column's object; nil where it can be one alone.
    private func entityColumn(_ column: DictionaryPlan.Column) -> String? {
        switch column.term {
        case .objectID: table.isShared ? "Z_ENT" : nil
        case .field(let position): table.references[position]?.entityColumn
        case .aggregate, .related: nil
        }
    }

    /// How the decoder finds the columns.
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
