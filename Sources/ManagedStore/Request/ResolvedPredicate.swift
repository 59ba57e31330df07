import Foundation

/// A predicate with resolved attributes and converted constants, as stores use it.
indirect enum ResolvedPredicate: Sendable {
    /// Always true or always false.
    case constant(Bool)
    /// Compares the attribute at a position with a constant.
    case compare(Int, FetchPredicate.Comparison, StoredValue)
    /// Tests the string attribute at a position; false for a missing value.
    case text(Int, TextTest)
    /// Compares the attribute at a position with several constants.
    case `in`(Int, [StoredValue])
    /// Tests whether the key is one of these, which are in ascending order without duplicates.
    case keys([Int64])
    /// A condition on the row that a to-one relationship leads to, and its value if the relationship leads nowhere.
    case through(ResolvedRelationship, ResolvedPredicate, ifMissing: Bool)
    /// A condition on any, all or none of the rows of a to-many relationship.
    case related(FetchPredicate.Quantifier, ResolvedRelationship, ResolvedPredicate)
    /// A condition on the number of rows of a to-many relationship.
    case count(ResolvedRelationship, FetchPredicate.Comparison, Int)
    /// Compares two values that are computed from the row.
    case values(BatchUpdatePlan.Expression, FetchPredicate.Comparison, BatchUpdatePlan.Expression)
    /// All conditions hold.
    case and([ResolvedPredicate])
    /// Any of the conditions holds.
    case or([ResolvedPredicate])
    /// The condition does not hold.
    case not(ResolvedPredicate)
    /// The outcome of the first step whose condition holds; if there is none, whether the last condition holds. This
    /// form flattens deeply nested conditions, so that code need not recurse into them.
    case decision([Step], otherwise: ResolvedPredicate)

    /// A condition, and the outcome if it holds.
    struct Step: Sendable {
        let condition: ResolvedPredicate
        let result: Bool
    }
}

extension ResolvedPredicate {
    /// Whether it is certain that a row without a value at a position does not meet the condition.
    func needsValue(at position: Int) -> Bool {
        switch self {
        case .compare(let own, let comparison, let value):
            own == position && value != .null && comparison != .notEqual
        case .text(let own, _): own == position
        case .and(let parts): parts.contains { $0.needsValue(at: position) }
        default: false
        }
    }

    /// Whether `row` meets the condition; the counterpart of the SQL in memory.
    ///
    /// `navigator` follows relationships; without one, the condition must not read any.
    func matches(_ row: RowReference, _ layout: RowLayout, _ navigator: (any RowNavigator)? = nil) -> Bool {
        switch self {
        case .constant(let value): return value
        case .keys(let keys): return keys.containsSorted(row.row.key)
        case .and(let parts): return parts.allSatisfy { $0.matches(row, layout, navigator) }
        case .or(let parts): return parts.contains { $0.matches(row, layout, navigator) }
        case .not(let part): return !part.matches(row, layout, navigator)
        case .decision(let steps, let otherwise):
            for step in steps where step.condition.matches(row, layout, navigator) { return step.result }
            return otherwise.matches(row, layout, navigator)
        case .values(let left, let comparison, let right):
            return ValueComparison.holds(
                comparison, left.evaluate(row, layout, navigator), right.evaluate(row, layout, navigator))
        case .through, .related, .count: return matchesRelated(row, navigator)
        case .in(let position, let values):
            return values.contains { ValueComparison.order(row, layout.fields[position], $0) == 0 }
        case .compare(let position, let comparison, let value):
            return ValueComparison.holds(comparison, row, layout.fields[position], value)
        case .text(let position, let test):
            let field = layout.fields[position]
            return !field.isNull(in: row.row) && test.holds(row.bytes(field))
        }
    }
}

/// Compares a row's value with a constant of the same type.
enum ValueComparison {
    static func holds(
        _ comparison: FetchPredicate.Comparison, _ row: RowReference, _ field: RowField, _ value: StoredValue
    ) -> Bool {
        holds(comparison, order(row, field, value), isMissing: value == .null)
    }

    /// Compares two values of types that can be compared.
    static func holds(_ comparison: FetchPredicate.Comparison, _ left: StoredValue, _ right: StoredValue) -> Bool {
        holds(comparison, order(left, right), isMissing: right == .null)
    }

    private static func holds(_ comparison: FetchPredicate.Comparison, _ order: Int?, isMissing: Bool) -> Bool {
        switch comparison {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order.map { $0 < 0 } ?? false
        case .lessOrEqual: !isMissing && order.map { $0 <= 0 } ?? false
        case .greater: order.map { $0 > 0 } ?? false
        case .greaterOrEqual: !isMissing && order.map { $0 >= 0 } ?? false
        }
    }

    /// Compares two values. Returns a negative number, zero or a positive number; nil if exactly one value is missing,
    /// or they are of different kinds.
    private static func order(_ left: StoredValue, _ right: StoredValue) -> Int? {
        switch (left.untyped, right.untyped) {
        case (.nothing, .nothing): return 0
        case (.text(var left), .text(var right)):
            return left.withUTF8 { left in
                right.withUTF8 { UnsafeRawBufferPointer(left).compare(to: UnsafeRawBufferPointer($0)) }
            }
        case (.bytes(let left), .bytes(let right)):
            return left.withUnsafeBytes { left in right.withUnsafeBytes { left.compare(to: $0) } }
        case (.bit(let left), .bit(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
        case (.reference(let left), .reference(let right)): return order(left.key, right.key)
        case (.uuid(let left), .uuid(let right)):
            return withUnsafeBytes(of: left.uuid) { left in
                withUnsafeBytes(of: right.uuid) { left.compare(to: $0) }
            }
        case (.real(let left), .real(let right)): return order(left, right)
        default:
            guard let left = left.exactNumber, let right = right.exactNumber else { return nil }
            return DecimalNumber.order(left, right)
        }
    }

    /// Compares two values. Returns a negative number, zero or a positive number; nil if exactly one value is missing.
    static func order(_ row: RowReference, _ field: RowField, _ value: StoredValue) -> Int? {
        let isNull = field.isNull(in: row.row)
        if case .null = value { return isNull ? 0 : nil }
        if isNull { return nil }
        switch value.untyped {
        case .nothing: return nil
        case .text(var text):
            return text.withUTF8 { row.bytes(field).compare(to: UnsafeRawBufferPointer($0)) }
        case .bytes(let data):
            return data.withUnsafeBytes { row.bytes(field).compare(to: $0) }
        case .bit(let bool):
            return (field.bool(in: row.row) ? 1 : 0) - (bool ? 1 : 0)
        case .integer(let number): return order(field.integer(in: row.row), number)
        case .real(let number): return order(field.real(in: row.row), number)
        case .decimal(let number):
            return DecimalNumber.order(DecimalNumber(field, of: row.row), DecimalNumber(number))
        case .reference(let id): return order(row.row.load(fromByteOffset: field.offset, as: Int64.self), id.key)
        case .uuid(let uuid):
            return withUnsafeBytes(of: uuid.uuid) { bytes in
                row.row.bytes(at: field.offset, count: 16).compare(to: bytes)
            }
        }
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : left == right ? 0 : 1
    }
}

extension StoredValue {
    /// The value of a number of any type; nil for other values.
    fileprivate var exactNumber: DecimalNumber? {
        switch untyped {
        case .integer(let value): .whole(value)
        case .real(let value): .real(value)
        case .decimal(let value): DecimalNumber(value)
        default: nil
        }
    }
}
