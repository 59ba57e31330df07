import Foundation

extension BatchUpdatePlan.Expression {
    /// Computes the value from the old values of `row` by SQLite's rules: an operation on nil is nil, and a decimal
    /// beyond 64 bits becomes a double. Clamps integers.
    ///
    /// `navigator` follows relationships; without one, the expression must not read any.
    func evaluate(
        _ row: RowReference, _ layout: RowLayout, _ navigator: (any RowNavigator)? = nil
    ) -> StoredValue {
        switch self {
        case .constant(let value): return value
        case .attribute(let position): return row.value(layout.fields[position])
        case .related(let path, let position):
            return Self.withRow(from: row, through: path, navigator) { row, layout in
                row.value(layout.fields[position])
            }
        case .count(let path, let relationship, let condition):
            return Self.withRow(from: row, through: path, navigator) { row, _ in
                Self.count(relationship, of: row, condition, navigator)
            }
        case .not(let operand):
            guard case .boolean(let value) = operand.evaluate(row, layout, navigator) else { return .null }
            return .boolean(!value)
        case .chain(let first, let links):
            let result = links.reduce(first.evaluate(row, layout, navigator)) { left, link in
                link.apply(left, link.operand.evaluate(row, layout, navigator))
            }
            // As a database has it.
            return result.isNaN ? .null : result
        }
    }

    /// Returns what `body` makes of the row at the end of a path; null if one of its steps leads nowhere.
    private static func withRow(
        from row: RowReference, through path: [ResolvedRelationship], _ navigator: (any RowNavigator)?,
        _ body: (RowReference, RowLayout) -> StoredValue
    ) -> StoredValue {
        guard let navigator else { fatalError("an expression on related rows needs a navigator to find them") }
        let model = row.page._withUnsafeGuaranteedRef { $0.source.model }
        return navigator.withRow(from: row, through: path[...]) { row in
            guard let row else { return .null }
            return body(row, model.entities[path.last?.destination ?? row.entityIndex].layout)
        }
    }

    private static func count(
        _ relationship: ResolvedRelationship, of row: RowReference, _ condition: ResolvedPredicate?,
        _ navigator: (any RowNavigator)?
    ) -> StoredValue {
        let layout = row.page._withUnsafeGuaranteedRef { $0.source.model.entities[relationship.destination].layout }
        return navigator?.withRelated(row, relationship) { rows in
            .integer64(Int64(rows.count { condition?.matches($0, layout, navigator) ?? true }))
        } ?? .null
    }

    /// What an operation computes with; nothing for what is no operation.
    var operands: [Self] {
        switch self {
        case .constant, .attribute, .related, .count: []
        case .not(let operand): [operand]
        case .chain(let first, let links): [first] + links.map(\.operand)
        }
    }

    /// Whether the expression reads anything besides the row itself.
    var followsRelationships: Bool {
        switch self {
        case .related, .count: true
        default: operands.contains(where: \.followsRelationships)
        }
    }

    /// How deep operations nest.
    var depth: Int { operands.map { $0.depth + 1 }.max() ?? 0 }

    /// The conditions on related rows that are counted.
    var conditions: [ResolvedPredicate] {
        if case .count(_, _, let condition?) = self { [condition] } else { operands.flatMap(\.conditions) }
    }

    fileprivate static func computeWhole(
        _ operation: BatchUpdatePlan.Operator, _ left: StoredValue, _ right: StoredValue
    ) -> StoredValue {
        guard case .integer64(let left) = left.operand, case .integer64(let right) = right.operand else { return .null }
        return .integer64(operation.clamped(left, right))
    }

    fileprivate static func compute(_ operation: BatchUpdatePlan.Operator, _ left: StoredValue, _ right: StoredValue)
        -> StoredValue
    {
        switch (left.operand, right.operand) {
        // What is divided by 0 is missing.
        case (_, .integer64(0)) where operation == .divide, (_, .double(0)) where operation == .divide: return .null
        case (.integer64(let left), .integer64(let right)):
            let (result, overflow) = operation.apply(left, right)
            return overflow ? .double(operation.apply(Double(left), Double(right))) : .integer64(result)
        case (.date(let left), .double(let right)): return .date(operation.apply(left, right))
        case (.date(let left), .integer64(let right)): return .date(operation.apply(left, Double(right)))
        case (let left, let right):
            guard let left = left.number, let right = right.number else { return .null }
            return .double(operation.apply(left, right))
        }
    }
}

extension BatchUpdatePlan.Expression.Link {
    /// Returns the result for the operands.
    func apply(_ left: StoredValue, _ right: StoredValue) -> StoredValue {
        isWhole
            ? BatchUpdatePlan.Expression.computeWhole(operation, left, right)
            : BatchUpdatePlan.Expression.compute(operation, left, right)
    }
}

extension BatchUpdatePlan.Operator {
    /// Returns the result, or the bound of the range that it exceeds. What is divided by 0 becomes 0.
    func clamped(_ left: Int64, _ right: Int64) -> Int64 {
        let (result, overflow) = apply(left, right)
        if !overflow { return result }
        // A sum overflows in the direction of both operands, a difference in that of its left operand. The only
        // quotient to do so is that of the least number and -1, whose remainder is 0.
        switch self {
        case .add, .subtract: return left < 0 ? .min : .max
        case .multiply: return (left < 0) != (right < 0) ? .min : .max
        case .divide: return right == 0 ? 0 : .max
        case .remainder: return 0
        }
    }

    fileprivate func apply(_ left: Int64, _ right: Int64) -> (Int64, Bool) {
        switch self {
        case .add: left.addingReportingOverflow(right)
        case .subtract: left.subtractingReportingOverflow(right)
        case .multiply: left.multipliedReportingOverflow(by: right)
        case .divide: left.dividedReportingOverflow(by: right)
        case .remainder: left.remainderReportingOverflow(dividingBy: right)
        }
    }

    fileprivate func apply(_ left: Double, _ right: Double) -> Double {
        switch self {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .divide: left / right
        case .remainder: left.truncatingRemainder(dividingBy: right)
        }
    }
}

extension StoredValue {
    /// The value in the form of computations: a 64-bit integer or a double.
    fileprivate var operand: StoredValue {
        switch (type?.number, untyped) {
        case (.integer, .integer(let value)): .integer64(value)
        case (.double, .real(let value)), (.float, .real(let value)): .double(value)
        case (.decimal, .decimal(let value)): DecimalNumber(value).storedValue
        default: self
        }
    }

    fileprivate var number: Double? {
        switch self {
        case .double(let value): value
        case .integer64(let value): Double(value)
        default: nil
        }
    }
}

extension StoredValue {
    /// Returns the value as a column of `type` yields it: an integer in a double column as a double, a double in an
    /// integer column clamped, as in SQLite, and a value that is not a number as null.
    func stored(as type: AttributeType) -> StoredValue {
        if isNaN { return .null }
        if self.type == type { return self }
        switch (operand, type.number) {
        case (.integer64(let value), .integer(let range)): return StoredValue(.integer(range.clamping(value)), type)
        case (.double(let value), .integer(let range)):
            let whole = Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
            return StoredValue(.integer(range.clamping(whole)), type)
        case (.integer64(let value), .double), (.integer64(let value), .float):
            return StoredValue(.real(Double(value)), type)
        case (.integer64(let value), .decimal): return StoredValue(.decimal(Decimal(value)), type)
        case (.double(let value), .double), (.double(let value), .float): return StoredValue(.real(value), type)
        case (.double(let value), .decimal): return StoredValue(.decimal(DecimalNumber(value).decimal), type)
        default: return self
        }
    }
}

extension ClosedRange<Int64> {
    /// Returns the number of the range that is nearest to `value`.
    fileprivate func clamping(_ value: Int64) -> Int64 { Swift.min(Swift.max(value, lowerBound), upperBound) }
}
