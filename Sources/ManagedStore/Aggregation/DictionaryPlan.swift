import Foundation

/// A fetch of dictionaries, resolved against an entity, as stores execute it.
///
/// The result consists of rows of a temporary entity with an attribute for each column. Conditions, orders, pages and
/// sorting thus work as with any other rows.
struct DictionaryPlan: Sendable {
    enum Term: Sendable {
        /// The field of a row at a position.
        case field(Int)
        /// The attribute at a position of the row at the end of to-one relationships.
        case related([ResolvedRelationship], Int)
        case objectID
        case aggregate(FetchExpression.Function, Int?)

        /// Whether both are the same property, which may be that of a related row.
        func isSameProperty(as other: Term) -> Bool {
            switch (self, other) {
            case (.field(let left), .field(let right)): left == right
            case (.related(let path, let left), .related(let otherPath, let right)):
                left == right && path.elementsEqual(otherPath, by: ===)
            default: false
            }
        }
    }

    struct Column: Sendable {
        let name: String
        let term: Term
        /// The attribute type of the column in rows of the result.
        let type: AttributeType
    }

    /// The rows to read, without an order and a limit.
    let rows: FetchPlan
    /// The returned columns, followed by those that only the groups, the order or `having` use.
    let columns: [Column]
    let visibleCount: Int
    /// The positions of the columns that group the rows.
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

    /// Whether a row of the result can stand for several of the store's rows.
    var isGrouped: Bool { !groups.isEmpty || visible.contains(where: \.isAggregate) }

    /// The layout of the store's rows.
    var layout: RowLayout { rows.source.entity.layout }

    /// Returns the dictionaries for rows of the result.
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

    /// Whether a column is a sum of integers. A decimal holds it: a 64-bit integer if it fits, otherwise a double.
    private func isSumOfIntegers(_ column: Column) -> Bool {
        guard case .aggregate(.sum, let position?) = column.term else { return false }
        return layout.fields[position].type.isInteger
    }
}

extension DictionaryPlan.Column {
    /// The to-one relationships that lead to the value; empty for a value of the row itself.
    var path: [ResolvedRelationship] {
        if case .related(let path, _) = term { path } else { [] }
    }

    var isAggregate: Bool {
        if case .aggregate = term { true } else { false }
    }
}
