import Foundation

extension BatchUpdatePlan.Expression {
    /// Computes the value from the old values of `row` by SQLite's rules: an operation on nil is nil, and a decimal
    /// beyond 64 bits becomes a double. Clamps integers.
    func evaluate(_ row: RowReference, _ layout: RowLayout) -> StoredValue {
        switch self {
        case .constant(let value): return value
        case .attribute(let position): return row.value(layout.fields[position])
        case .not(let operand):
            guard case .boolean(let value) = operand.evaluate(row, layout) else { return .null }
            return .boolean(!value)
        case .chain(let first, let links):
            return links.reduce(first.evaluate(row, layout)) { left, link in
                let right = link.operand.evaluate(row, layout)
                return link.isWhole
                    ? Self.computeWhole(link.operation, left, right) : Self.compute(link.operation, left, right)
            }
        }
    }

    private static func computeWhole(
        _ operation: BatchUpdatePlan.Operator, _ left: StoredValue, _ right: StoredValue
    ) -> StoredValue {
        guard case .integer64(let left) = left.operand, case .integer64(let right) = right.operand else { return .null }
        return .integer64(operation.clamped(left, right))
    }

    private static func compute(_ operation: BatchUpdatePlan.Operator, _ left: StoredValue, _ right: StoredValue)
        -> StoredValue
    {
        switch (left.operand, right.operand) {
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

extension BatchUpdatePlan.Operator {
    /// Returns the result, or the bound of the range that it exceeds.
    func clamped(_ left: Int64, _ right: Int64) -> Int64 {
        let (result, overflow) = apply(left, right)
        if !overflow { return result }
        // A sum overflows in the direction of both operands, a difference in that of its left operand.
        let isNegative = self == .multiply ? (left < 0) != (right < 0) : left < 0
        return isNegative ? .min : .max
    }

    fileprivate func apply(_ left: Int64, _ right: Int64) -> (Int64, Bool) {
        switch self {
        case .add: left.addingReportingOverflow(right)
        case .subtract: left.subtractingReportingOverflow(right)
        case .multiply: left.multipliedReportingOverflow(by: right)
        }
    }

    fileprivate func apply(_ left: Double, _ right: Double) -> Double {
        switch self {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
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
