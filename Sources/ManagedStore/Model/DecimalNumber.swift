import Foundation

/// A decimal in the form of SQLite's numeric affinity: a 64-bit integer, or else a double.
///
/// Both stores and every unsaved object hold decimals in this form, so that a save does not change a value. A double
/// stands for the shortest decimal for which it is the nearest double. That is the original if it had at most 15
/// significant digits.
enum DecimalNumber: Equatable {
    case whole(Int64)
    case real(Double)

    /// Makes the number nearest to `decimal`. NaN stays NaN, which validation rejects.
    init(_ decimal: Decimal) {
        self = Self.short(decimal) ?? Self.long(decimal)
    }

    /// Makes the number that SQLite makes of a double: an integer if that is exact.
    init(_ real: Double) {
        // SQLite does not convert the least and the greatest integer.
        if let whole = Int64(exactly: real), whole > .min, whole < .max {
            self = .whole(whole)
        } else {
            self = .real(real)
        }
    }

    /// The number as a decimal. Clamps a double beyond the range of `Decimal`, which only another program can have
    /// stored.
    var decimal: Decimal {
        switch self {
        case .whole(let value): return Decimal(value)
        case .real(let value):
            if value.isNaN { return .nan }
            if let decimal = Self.shortDecimal(value) { return decimal }
            if let decimal = Decimal(string: "\(value)") { return decimal }
            if value.magnitude < 1 { return 0 }
            return value < 0 ? -Decimal.greatestFiniteMagnitude : .greatestFiniteMagnitude
        }
    }

    /// The nearest double. It sorts like the number, but different numbers may have the same double.
    @inline(__always) var double: Double {
        switch self {
        case .whole(let value): Double(value)
        case .real(let value): value
        }
    }

    /// The number as a computation in SQL yields it.
    var storedValue: StoredValue {
        switch self {
        case .whole(let value): .integer64(value)
        case .real(let value): .double(value)
        }
    }

    /// Compares two numbers as SQLite does, exactly even between an integer and a double. Returns a negative number,
    /// zero or a positive number.
    static func order(_ left: DecimalNumber, _ right: DecimalNumber) -> Int {
        switch (left, right) {
        case (.whole(let left), .whole(let right)): left < right ? -1 : left == right ? 0 : 1
        case (.real(let left), .real(let right)): left < right ? -1 : left == right ? 0 : 1
        case (.whole(let left), .real(let right)): order(left, right)
        case (.real(let left), .whole(let right)): -order(right, left)
        }
    }

    private static func order(_ whole: Int64, _ real: Double) -> Int {
        if real.isNaN || real < -0x1p63 { return 1 }
        if real >= 0x1p63 { return -1 }
        let truncated = Int64(real)
        if whole != truncated { return whole < truncated ? -1 : 1 }
        let fraction = real - Double(truncated)
        return fraction > 0 ? -1 : fraction < 0 ? 1 : 0
    }
}

/// Converting to and from `Decimal`. Text converts any decimal exactly in some microseconds; a direct conversion takes
/// some nanoseconds for short decimals.
extension DecimalNumber {
    private static let powers: [Double] = (0...22).map { pow(10, Double($0)) }
    /// Every integer below this limit is exact as a double.
    private static let exactLimit = 0x1p53

    private static func long(_ decimal: Decimal) -> DecimalNumber {
        // A decimal's text is exact and independent of the locale.
        let text = decimal.description
        if let whole = Int64(text) { return .whole(whole) }
        return DecimalNumber(Double(text) ?? .nan)
    }

    /// Divides the significand by a power of ten. If both are exact doubles, the quotient is the nearest double:
    /// Clinger, "How to read floating point numbers accurately" (1990). Nil otherwise.
    private static func short(_ decimal: Decimal) -> DecimalNumber? {
        let exponent = decimal.exponent
        guard !decimal.isNaN, exponent <= 0, exponent >= -22 else { return nil }
        let significand = NSDecimalNumber(decimal: decimal.significand).doubleValue
        guard significand < exactLimit else { return nil }
        let quotient = significand / powers[-exponent]
        return DecimalNumber(decimal.isSignMinus ? -quotient : quotient)
    }

    /// Returns the decimal of at most 15 significant digits and 9 decimal places for which `real` is the nearest
    /// double. There is at most one such decimal; nil if there is none.
    private static func shortDecimal(_ real: Double) -> Decimal? {
        for places in 1...9 {
            let significand = (real.magnitude * powers[places]).rounded()
            guard significand < 1e15 else { return nil }
            if significand / powers[places] == real.magnitude {
                return Decimal(
                    sign: real < 0 ? .minus : .plus, exponent: -places, significand: Decimal(Int64(significand)))
            }
        }
        return nil
    }
}

/// The form in a row: eight bytes of value, and eight that hold the kind of number.
extension DecimalNumber {
    /// Reads the number at `field` without reading its null bit.
    @inline(__always) init(_ field: RowField, of row: RowPointer) {
        self =
            row.load(fromByteOffset: field.offset + 8, as: UInt64.self) == 0
            ? .whole(row.load(fromByteOffset: field.offset, as: Int64.self))
            : .real(row.load(fromByteOffset: field.offset, as: Double.self))
    }

    /// Writes the number at `field` without changing the null bit.
    @inline(__always) func store(to field: RowField, of row: RowPointer) {
        switch self {
        case .whole(let value):
            row.storeBytes(of: value, toByteOffset: field.offset, as: Int64.self)
            row.storeBytes(of: 0, toByteOffset: field.offset + 8, as: UInt64.self)
        case .real(let value):
            row.storeBytes(of: value, toByteOffset: field.offset, as: Double.self)
            row.storeBytes(of: 1, toByteOffset: field.offset + 8, as: UInt64.self)
        }
    }
}
