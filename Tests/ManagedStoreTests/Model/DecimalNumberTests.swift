import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Decimals as they are kept, against the text that says what they are.
@Suite struct DecimalNumberTests {
    /// What SQLite makes of the decimal's text.
    private func expected(_ decimal: Decimal) throws -> DecimalNumber {
        if let whole = Int64(decimal.description) { return .whole(whole) }
        return DecimalNumber(try #require(Double(decimal.description)))
    }

    private func random(_ generator: inout SeededGenerator) throws -> Decimal {
        let digits = Int.random(in: 1...20, using: &generator)
        let text = (0..<digits).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
        let exponent = Int.random(in: -30...12, using: &generator)
        return try #require(Decimal(string: "\(generator.oneIn(2) ? "-" : "")\(text)e\(exponent)"))
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func everyDecimalIsKeptAsTheNearestNumber(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<3_000 {
            let decimal = try random(&generator)
            #expect(DecimalNumber(decimal) == (try expected(decimal)), "\(decimal)")
        }
    }

    @Test(arguments: [4, 5, 6] as [UInt64]) func whatIsKeptIsReadAsTheShortestDecimal(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<3_000 {
            let kept = DecimalNumber(try random(&generator))
            guard case .real(let real) = kept else { continue }
            #expect(kept.decimal == Decimal(string: "\(real)"))
            #expect(DecimalNumber(kept.decimal) == kept, "\(real)")
        }
    }

    @Test func theLimitsAreKept() {
        #expect(DecimalNumber(Decimal(Int64.max)) == .whole(.max) && DecimalNumber(Decimal(Int64.min)) == .whole(.min))
        #expect(DecimalNumber(Decimal(string: "9007199254740993") ?? 0) == .whole(9_007_199_254_740_993))
        #expect(DecimalNumber(Decimal(string: "-0.000") ?? 1) == .whole(0))
        #expect(DecimalNumber(-0.0) == .whole(0) && DecimalNumber(0x1p63) == .real(0x1p63))
        #expect(DecimalNumber(.nan as Decimal).double.isNaN)
    }

    @Test func wholeNumbersAndDoublesCompareExactly() {
        let ascending: [DecimalNumber] = [
            .real(-.infinity), .real(-1e300), .whole(.min), .whole(-1), .real(-0.5), .whole(0), .real(0.5), .whole(1),
            .real(9_007_199_254_740_991.5), .whole(9_007_199_254_740_993), .whole(.max), .real(0x1p63),
            .real(.infinity),
        ]
        for (left, one) in ascending.enumerated() {
            for (right, other) in ascending.enumerated() {
                #expect(DecimalNumber.order(one, other).signum() == (left - right).signum(), "\(one) \(other)")
            }
        }
        #expect(DecimalNumber.order(.real(-0x1p63), .whole(.min)) == 0)
    }
}
