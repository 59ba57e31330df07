import Foundation

extension BatchUpdatePlan.Expression {
    /// The value computed from the old values of `row`, by SQLite's rules: nil with anything is nil, and a decimal that
    /// exceeds 64 bits becomes a double. Integers are clamped.
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
    /// The result, or the end of the range that it exceeds.
    func clamped(_ left: Int64, _ right: Int64) -> Int64 {
        let (result, overflow) = apply(left, right)
        if !overflow { return result }
        // A sum overflows in the direction of both, a difference in that of its left side.
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
    /// The value as expressions compute with it: integers of 64 bits and doubles.
    fileprivate var operand: StoredValue {
        switch self {
        case .float(let value): .double(Double(value))
        case .decimal(let value): DecimalNumber(value).storedValue
        default: whole.map { .integer64($0) } ?? self
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
    /// The value as a column of `type` would hand it out: an integer in a double column as a double, and the other way
    /// about clamped, as SQLite does; what is not a number as none.
    func stored(as type: AttributeType) -> StoredValue {
        if isNaN { return .null }
        if self.type == type { return self }
        switch (operand, type) {
        case (.integer64(let value), _) where type.isInteger: return Self.clamped(value, to: type)
        case (.double(let value), _) where type.isInteger:
            let whole = Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
            return Self.clamped(whole, to: type)
        case (.integer64(let value), .double): return .double(Double(value))
        case (.integer64(let value), .float): return .float(Float(Double(value)))
        case (.integer64(let value), .decimal): return .decimal(Decimal(value))
        case (.double(let value), .double): return .double(value)
        case (.double(let value), .float): return .float(Float(value))
        case (.double(let value), .decimal): return .decimal(DecimalNumber(value).decimal)
        default: return self
        }
    }

    private static func clamped(_ value: Int64, to type: AttributeType) -> StoredValue {
        switch type {
        case .integer16: .integer16(Int16(clamping: value))
        case .integer32: .integer32(Int32(clamping: value))
        default: .integer64(value)
        }
    }
}
