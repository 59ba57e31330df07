import Foundation

/// Sorts rows in memory by values of related rows.
extension RowSorter {
    /// Returns the order of `rows` that `plan` asks for.
    ///
    /// First copies the values of related rows next to each other: into rows of a temporary entity with an attribute
    /// for each key.
    ///
    /// - Throws: `StoreError` with `cancelled`.
    static func order(
        _ rows: FetchedRows, _ plan: FetchPlan, _ navigator: some RowNavigator, _ control: FetchControl
    ) throws(StoreError) -> [UInt32] {
        guard plan.sortFollowsRelationships else {
            return try order(rows, by: plan.sort, plan.source.entity.layout, control)
        }
        let source = ObjectIDSource(plan.source, laidOutAs: plan.entityOfKeys)
        let keys = try keys(of: rows, plan, source, navigator, control)
        let sort = plan.sort.enumerated().map {
            ResolvedSort(position: $0, ascending: $1.ascending, options: $1.options)
        }
        let places = rows.order ?? rows.naturalOrder()
        let starts = keys.pages.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        return try order(keys, by: sort, source.entity.layout, control).map { index in
            places[starts[Int(index >> UInt32(RowPage.rowsShift))] + Int(index & UInt32(RowPage.rows - 1))]
        }
    }

    /// Returns a row for each row, with the same order and key, that holds the values to sort by.
    private static func keys(
        of rows: FetchedRows, _ plan: FetchPlan, _ source: ObjectIDSource, _ navigator: some RowNavigator,
        _ control: FetchControl
    ) throws(StoreError) -> FetchedRows {
        let fields = plan.sort.map { plan.key($0).field }
        var builder = FetchedRowsBuilder()
        for reference in rows.references() {
            let page = builder.page(for: source)
            if page.count == 0 { try control.checkCancellation() }
            let row = builder.appended(to: page, key: reference.row.key)
            page.clearValues(of: row)
            for (index, sort) in plan.sort.enumerated() {
                let field = page.layout.fields[index]
                page.setNull(field, of: row)
                navigator.withRow(from: reference, through: sort.path[...]) { related in
                    if let related { page.copy(fields[index], of: related, to: field, of: row) }
                }
            }
        }
        return builder.finish()
    }
}

extension FetchPlan {
    /// A temporary entity with an attribute for each key of the order.
    fileprivate var entityOfKeys: EntityDescription {
        let attributes = sort.enumerated().map { index, sort in
            AttributeDescription("key\(index)", key(sort).field.type, isOptional: true)
        }
        return EntityDescription(name: source.entity.name, attributes: attributes)
    }
}
