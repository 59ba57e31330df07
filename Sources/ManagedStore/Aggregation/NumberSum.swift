import Foundation

/// The sum and the mean of an attribute's numbers, independent of their order. Both SQL and memory compute with it.
struct NumberSum {
    /// How the numbers are added. The raw value is the argument of the SQL function.
    enum Kind: Int32 {
        case integers = 0
        case doubles = 1
        case decimals = 2

        init(_ type: AttributeType) {
            self = type.isInteger ? .integers : type.number == .decimal ? .decimals : .doubles
        }
    }

    private let kind: Kind
    private var count = 0
    private var integers: Int128 = 0
    private var doubles: ExactSum?
    /// The sums of the significands, by exponent. They are exact, since a significand has a third of the digits that
    /// `Decimal` holds.
    private var decimals: [Int: Decimal] = [:]

    init(_ kind: Kind) {
        self.kind = kind
        if kind == .doubles { doubles = ExactSum() }
    }

    mutating func add(_ value: DecimalNumber) {
        count += 1
        switch (kind, value) {
        case (.integers, .whole(let whole)): integers += Int128(whole)
        case (.integers, .real(let real)): integers += Int128(DecimalNumber.clamped(real))
        case (.doubles, _): doubles?.add(value.double)
        case (.decimals, _):
            let decimal = value.decimal
            let significand = decimal.isSignMinus ? -decimal.significand : decimal.significand
            decimals[decimal.exponent, default: 0] += significand
        }
    }

    mutating func add(_ value: Double) {
        count += 1
        doubles?.add(value)
    }

    /// The sum; 0 without numbers, nil if undefined, as for opposite infinities.
    var sum: DecimalNumber? {
        switch kind {
        case .integers: Int64(exactly: integers).map { .whole($0) } ?? .real(Double(integers))
        case .doubles: number(doubles?.value)
        case .decimals: number(decimalSum)
        }
    }

    /// The mean; nil without numbers, or if undefined.
    var average: DecimalNumber? {
        if count == 0 { return nil }
        return switch kind {
        case .integers: .real(Double(integers) / Double(count))
        case .doubles: number(doubles?.quotient(count))
        case .decimals: number(decimalSum / Decimal(count))
        }
    }

    private func number(_ value: Double?) -> DecimalNumber? {
        value.flatMap { $0.isNaN ? nil : .real($0) }
    }

    private func number(_ value: Decimal) -> DecimalNumber? {
        value.isNaN ? nil : DecimalNumber(value)
    }

    /// Added from the greatest exponent down, so that the order of the numbers does not matter.
    private var decimalSum: Decimal {
        decimals.sorted { $0.key > $1.key }.reduce(0) { sum, part in
            sum
                + Decimal(
                    sign: part.value.isSignMinus ? .minus : .plus, exponent: part.key,
                    significand: part.value.magnitude)
        }
    }
}

extension DecimalNumber {
    /// Converts a double to an integer as SQLite does.
    fileprivate static func clamped(_ real: Double) -> Int64 {
        Int64(exactly: real.rounded(.towardZero)) ?? (real < 0 ? .min : .max)
    }
}
