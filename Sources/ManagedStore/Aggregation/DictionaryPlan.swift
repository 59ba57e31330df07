import Foundation

/// A fetch of dictionaries whose properties were found in an entity: what stores carry out.
///
/// The result is rows of an entity made for the purpose, with an attribute for each column: conditions, orders, pages
/// and sorting work with them as with any others.
struct DictionaryPlan: Sendable {
    enum Term: Sendable {
        /// The field of a row at a position.
        case field(Int)
        /// The attribute at a position of the row that to-one relationships lead to.
        case related([ResolvedRelationship], Int)
        case objectID
        case aggregate(FetchExpression.Function, Int?)
    }

    struct Column: Sendable {
        let name: String
        let term: Term
        /// The type as which rows of the result keep it.
        let type: AttributeType
    }

    /// Which rows, in no order and without a limit.
    let rows: FetchPlan
    /// First those that are handed back, then those that are only sorted by or asked for in `having`.
    let columns: [Column]
    let visibleCount: Int
    /// The positions of the fields that rows are grouped by.
    let groups: [Int]
    /// A condition on rows of the result.
    var having: ResolvedPredicate?
    let isDistinct: Bool
    /// The order of the result's rows.
    var sort: [ResolvedSort] = []
    let limit: Int
    let offset: Int
    /// The source of the result's rows.
    let source: ObjectIDSource

    var visible: ArraySlice<Column> { columns[..<visibleCount] }

    /// Whether a row of the result stands for several of the store's.
    var isGrouped: Bool { !groups.isEmpty || visible.contains(where: \.isAggregate) }

    /// The layout of the store's rows.
    var layout: RowLayout { rows.source.entity.layout }

    /// The dictionaries that rows of the result stand for.
    func dictionaries(_ found: FetchedRows) -> [[String: StoredValue]] {
        let fields = source.entity.layout.fields
        return found.references().map { row in
            Dictionary(
                zip(visible, fields).map { ($0.name, value($0, $1, row)) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private func value(_ column: Column, _ field: RowField, _ row: RowReference) -> StoredValue {
        if field.isNull(in: row.row) { return .null }
        if let id = field.type == .objectID ? field.reference(in: row.row) : nil {
            return .objectID(rows.source.id(of: id))
        }
        return isSumOfIntegers(column) ? DecimalNumber(field, of: row.row).storedValue : row.value(field)
    }

    /// Kept as a decimal, which is an integer of 64 bits or else a double.
    private func isSumOfIntegers(_ column: Column) -> Bool {
        guard case .aggregate(.sum, let position?) = column.term else { return false }
        return layout.fields[position].type.isInteger
    }
}

extension DictionaryPlan.Column {
    /// The to-one relationships that lead to what has the value; none for the row itself.
    var path: [ResolvedRelationship] {
        if case .related(let path, _) = term { path } else { [] }
    }

    var isAggregate: Bool {
        if case .aggregate = term { true } else { false }
    }
}
