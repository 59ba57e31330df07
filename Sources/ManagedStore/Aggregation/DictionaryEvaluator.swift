import Foundation

/// Executes a fetch of dictionaries on rows in memory; the counterpart of the SQL.
struct DictionaryEvaluator {
    let plan: DictionaryPlan
    let control: FetchControl
    let navigator: any RowNavigator

    /// Returns the rows of the result for the store's rows.
    ///
    /// - Throws: `StoreError` with `cancelled`; with `invalidRequest` for a regular expression that takes too many
    ///   steps.
    func evaluate(_ rows: FetchedRows) throws(StoreError) -> FetchedRows {
        var result = try plan.isGrouped ? groups(rows) : copies(rows)
        var order = try sorted(result)
        let layout = plan.source.entity.layout
        if let having = plan.having {
            order.removeAll { !having.matches(result.reference($0), layout) }
            try having.checkPatterns()
        }
        if plan.isDistinct { order = withoutRepeats(order, result) }
        if plan.offset > 0 { order.removeFirst(min(plan.offset, order.count)) }
        if plan.limit > 0 { order = Array(order.prefix(plan.limit)) }
        result.order = order
        return result
    }

    /// Sorts by the requested order; orders equal rows as the SQL does.
    private func sorted(_ rows: FetchedRows) throws(StoreError) -> [UInt32] {
        let keys = plan.sort + (plan.isDistinct ? visibleSorts : [])
        if keys.isEmpty { return rows.naturalOrder() }
        return try RowSorter.order(rows, by: keys, plan.source.entity.layout, control)
    }

    private var visibleSorts: [ResolvedSort] {
        (0..<plan.visibleCount).map { ResolvedSort(position: $0, ascending: true) }
    }

    /// Removes repeated rows. Equal rows are neighbours, since the order covers every fetched property.
    private func withoutRepeats(_ order: [UInt32], _ rows: FetchedRows) -> [UInt32] {
        let keys = visibleSorts.map { SortKey($0, plan.source.entity.layout) }
        var kept: [UInt32] = []
        for index in order {
            if let last = kept.last, RowSorter.compare(rows.reference(last), rows.reference(index), keys) == 0 {
                continue
            }
            kept.append(index)
        }
        return kept
    }

    /// Returns a row of the result for each row, with its key.
    private func copies(_ rows: FetchedRows) throws(StoreError) -> FetchedRows {
        var builder = FetchedRowsBuilder()
        for row in rows.references() { append([row], key: row.row.key, to: &builder) }
        return builder.finish()
    }

    /// Returns a row for each group, in the order of the grouping keys. Without grouping keys, returns one row for all
    /// rows, even if there are none.
    private func groups(_ rows: FetchedRows) throws(StoreError) -> FetchedRows {
        var builder = FetchedRowsBuilder()
        guard !plan.groups.isEmpty else {
            append(rows.references(), key: 0, to: &builder)
            return builder.finish()
        }
        var sorting = plan.rows
        sorting.sort = plan.groups.compactMap { plan.columns[$0].ascending }
        let keys = sorting.sort.map { (path: $0.path, key: sorting.key($0)) }
        let sorted = try RowSorter.order(rows, sorting, navigator, control).map { rows.reference($0) }
        var (start, key) = (0, Int64(0))
        while start < sorted.count {
            let first = sorted[start]
            let end =
                sorted[start...].firstIndex { row in !keys.allSatisfy { areEqual(first, row, $0, $1) } }
                ?? sorted.count
            append(Array(sorted[start..<end]), key: key, to: &builder)
            (start, key) = (end, key + 1)
        }
        return builder.finish()
    }

    /// Whether two rows have the same value of a key at the end of a path.
    private func areEqual(
        _ left: RowReference, _ right: RowReference, _ path: [ResolvedRelationship], _ key: SortKey
    ) -> Bool {
        if path.isEmpty { return RowSorter.compare(left, right, key) == 0 }
        return navigator.withRow(from: left, through: path[...]) { left in
            navigator.withRow(from: right, through: path[...]) { right in key.compare(left, right) == 0 }
        }
    }

    private func append(_ group: [RowReference], key: Int64, to builder: inout FetchedRowsBuilder) {
        let page = builder.page(for: plan.source)
        let row = builder.appended(to: page, key: key)
        // The builder leaves every value to the code that fills a row.
        page.clearValues(of: row)
        for (column, field) in zip(plan.columns, page.layout.fields) {
            page.setNull(field, of: row)
            switch column.term {
            case .field(let position):
                if let first = group.first { page.copy(plan.layout.fields[position], of: first, to: field, of: row) }
            case .related(let path, let position):
                if let first = group.first { copy(path, position, of: first, to: field, row, page) }
            case .objectID:
                if let first = group.first {
                    field.setReference(ObjectReference(entity: first.entityIndex, key: first.row.key), of: row)
                }
            case .aggregate(let function, let position):
                aggregate(function, position.map { plan.layout.fields[$0] }, group, into: field, row, page)
            }
        }
    }

    private func copy(
        _ path: [ResolvedRelationship], _ position: Int, of reference: RowReference, to field: RowField,
        _ row: RowPointer, _ page: RowPage
    ) {
        let source = plan.rows.source.entity(atEndOf: path).layout.fields[position]
        navigator.withRow(from: reference, through: path[...]) { related in
            if let related { page.copy(source, of: related, to: field, of: row) }
        }
    }
}

extension DictionaryPlan.Column {
    /// The order of rows by the column; nil for one that is no property.
    fileprivate var ascending: ResolvedSort? {
        switch term {
        case .field(let position): ResolvedSort(position: position, ascending: true)
        case .related(let path, let position): ResolvedSort(path: path, position: position, ascending: true)
        case .objectID, .aggregate: nil
        }
    }
}

// MARK: - Functions

extension DictionaryEvaluator {
    /// Writes the value of a function over a group to `result`.
    private func aggregate(
        _ function: FetchExpression.Function, _ operand: RowField?, _ group: [RowReference], into result: RowField,
        _ row: RowPointer, _ page: RowPage
    ) {
        guard let operand else { return page.setValue(.integer64(Int64(group.count)), of: result, of: row) }
        let present = group.filter { !operand.isNull(in: $0.row) }
        switch function {
        case .count: page.setValue(.integer64(Int64(present.count)), of: result, of: row)
        case .countDistinct:
            page.setValue(.integer64(Int64(Self.countDistinct(present, operand))), of: result, of: row)
        case .min, .max:
            let key = SortKey(operand, ascending: function == .min)
            let best = present.min { RowSorter.compare($0, $1, [key]) < 0 }
            if let best { page.copy(operand, of: best, to: result, of: row) }
        case .sum: store(Self.total(present, operand).sum, into: result, row)
        case .average: store(Self.total(present, operand).average, into: result, row)
        }
    }

    private static func countDistinct(_ rows: [RowReference], _ field: RowField) -> Int {
        let keys = [SortKey(field, ascending: true)]
        let sorted = rows.sorted { RowSorter.compare($0, $1, keys) < 0 }
        let repeats = zip(sorted, sorted.dropFirst()).count { RowSorter.compare($0, $1, keys) == 0 }
        return sorted.count - repeats
    }

    private static func total(_ rows: [RowReference], _ field: RowField) -> NumberSum {
        var total = NumberSum(NumberSum.Kind(field.type))
        for row in rows {
            switch field.storage {
            case .float, .double: total.add(field.real(in: row.row))
            case .decimal: total.add(DecimalNumber(field, of: row.row))
            case .int16, .int32, .int64: total.add(.whole(field.integer(in: row.row)))
            case .bit, .uuid, .text, .bytes, .reference: break
            }
        }
        return total
    }

    private func store(_ number: DecimalNumber?, into field: RowField, _ row: RowPointer) {
        guard let number else { return }
        field.setNull(false, of: row)
        if field.storage == .decimal {
            number.store(to: field, of: row)
        } else {
            row.storeBytes(of: number.double, toByteOffset: field.offset, as: Double.self)
        }
    }
}
