import Foundation

/// The exact sum of doubles in any order and of any size: a fixed-point number wide enough for all of them (Kulisch's
/// accumulator).
///
/// Adding doubles one after another gives a sum that depends on their order, and two stores would disagree.
struct ExactSum {
    /// Digits of 32 bits, the lowest first, in 64-bit words so that carries can be deferred. The lowest bit is that of
    /// the least double; above the greatest double there is room for the sum of 2^64 of them.
    private var digits = [Int64](repeating: 0, count: (1_074 + 1_024 + 64) / 32 + 2)
    private var waiting = 0
    private var hasInfinity = false
    private var hasNegativeInfinity = false

    private static let lowestExponent = -1_074
    /// The largest number of additions that cannot overflow a word.
    private static let mostWaiting = 1 << 30

    mutating func add(_ value: Double) {
        guard value.isFinite else { return addInfinity(value) }
        if value == 0 { return }
        // value = significand * 2^exponent, with a whole significand of 53 bits.
        let isSubnormal = value.exponentBitPattern == 0
        let significand = value.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
        let shift = isSubnormal ? 0 : Int(value.exponentBitPattern) - 1
        let (digit, bit) = (shift / 32, shift % 32)
        let wide = UInt128(significand) << UInt128(bit)
        for index in 0..<3 {
            let part = Int64(truncatingIfNeeded: (wide >> UInt128(32 * index)) & 0xFFFF_FFFF)
            digits[digit + index] += value < 0 ? -part : part
        }
        waiting += 1
        if waiting == Self.mostWaiting { carry() }
    }

    private mutating func addInfinity(_ value: Double) {
        if value == -.infinity { hasNegativeInfinity = true } else { hasInfinity = true }
    }

    /// Reduces every digit but the highest to 32 bits.
    private mutating func carry() {
        for index in 0..<digits.count - 1 {
            digits[index + 1] += digits[index] >> 32
            digits[index] &= 0xFFFF_FFFF
        }
        waiting = 0
    }

    /// The double nearest to the sum; infinite beyond the greatest double, NaN for the sum of opposite infinities.
    var value: Double { quotient(1) }

    /// Returns the double nearest to the sum divided by `count`; finite if the quotient is.
    func quotient(_ count: Int) -> Double {
        if hasInfinity || hasNegativeInfinity {
            return hasInfinity && hasNegativeInfinity ? .nan : hasInfinity ? .infinity : -.infinity
        }
        let (isNegative, significand, exponent) = rounded()
        let magnitude = scalbn(Double(significand) / Double(count), exponent)
        return isNegative ? -magnitude : magnitude
    }

    /// The sum, rounded half to even to 53 bits.
    private func rounded() -> (isNegative: Bool, significand: UInt64, exponent: Int) {
        var magnitude = self
        magnitude.carry()
        let isNegative = (magnitude.digits.last ?? 0) < 0
        if isNegative {
            for index in magnitude.digits.indices { magnitude.digits[index] = -magnitude.digits[index] }
            magnitude.carry()
        }
        guard let top = magnitude.digits.lastIndex(where: { $0 != 0 }) else { return (false, 0, 0) }
        let highest = 32 * top + 63 - magnitude.digits[top].leadingZeroBitCount
        let dropped = max(0, highest - 52)
        var significand = magnitude.bits(from: dropped)
        if dropped > 0, magnitude.isSet(dropped - 1),
            significand & 1 == 1 || (0..<dropped - 1).contains(where: magnitude.isSet)
        {
            significand += 1
        }
        return (isNegative, significand, dropped + Self.lowestExponent)
    }

    /// The 53 bits from `low` on.
    private func bits(from low: Int) -> UInt64 {
        (0..<53).reduce(0) { $0 | (isSet(low + $1) ? 1 << UInt64($1) : 0) }
    }

    private func isSet(_ bit: Int) -> Bool {
        bit / 32 < digits.count && (digits[bit / 32] >> Int64(bit % 32)) & 1 == 1
    }
}
