import Foundation
import TestSupport
import Testing

@testable import ManagedStore

@Suite struct ExactSumTests {
    private func sum(_ values: [Double]) -> Double {
        var sum = ExactSum()
        for value in values { sum.add(value) }
        return sum.value
    }

    @Test func theSumIsTheNearestDouble() {
        #expect(sum([]) == 0)
        #expect(sum([0.1, 0.2, 0.3]) == 0.6)
        #expect(sum([1e100, 1, -1e100]) == 1)
        #expect(sum([1e308, 1e308, -1e308, -1e308, .leastNonzeroMagnitude]) == .leastNonzeroMagnitude)
        #expect(sum([.greatestFiniteMagnitude, .greatestFiniteMagnitude]) == .infinity)
        #expect(sum([-.greatestFiniteMagnitude, -.greatestFiniteMagnitude]) == -.infinity)
        #expect(sum([.leastNonzeroMagnitude, -.leastNonzeroMagnitude]) == 0)
        #expect(sum([-1.5, 1, 0.25]) == -0.25)
        // Ties go to the even neighbour, and what lies beyond them away from it.
        #expect(sum([0x1p53, 1]) == 0x1p53)
        #expect(sum([0x1p53, 1, .leastNonzeroMagnitude]) == 0x1p53 + 2)
        #expect(sum([0x1p53 + 2, 1]) == 0x1p53 + 4)
        #expect(sum([-0x1p53, -1]) == -0x1p53)
    }

    @Test func infinitiesStay() {
        #expect(sum([.infinity, -1e308]) == .infinity)
        #expect(sum([-.infinity, -.infinity]) == -.infinity)
        #expect(sum([.infinity, 1, -.infinity]).isNaN)
    }

    @Test func oneDoubleIsItself() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            let value = Double(bitPattern: random.next())
            if value.isFinite { #expect(sum([value]) == value) }
        }
    }

    @Test func theOrderDoesNotMatter() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<300 {
            var values = (0..<40).map { _ in Double(bitPattern: random.next()) }.filter(\.isFinite)
            values += values.map { -$0 * 1.000_000_1 }.filter(\.isFinite)
            let expected = sum(values)
            for _ in 0..<3 {
                values.shuffle(using: &random)
                #expect(sum(values) == expected)
            }
        }
    }

    @Test func sumsOfWholeNumbersAreExact() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            let values = (0..<50).map { _ in Int64.random(in: -(1 << 52)...(1 << 52), using: &random) }
            let exact = values.reduce(Int128(0)) { $0 + Int128($1) }
            #expect(sum(values.map(Double.init)) == Double(exact))
        }
    }

    @Test func theMeanIsFiniteWhereTheSumIsNot() {
        var sum = ExactSum()
        for _ in 0..<3 { sum.add(.greatestFiniteMagnitude) }
        #expect(sum.quotient(3) == .greatestFiniteMagnitude)
    }
}
