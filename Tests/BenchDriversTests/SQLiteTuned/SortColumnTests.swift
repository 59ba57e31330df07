import BenchHarness
import Testing

@testable import BenchDrivers

@Suite struct SortColumnTests {
    @Test func doublesMapToIntegersOfTheSameOrder() {
        let values: [Double] = [
            -.infinity, -.greatestFiniteMagnitude, -2.5, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 1, 2.5,
            .greatestFiniteMagnitude, .infinity,
        ]
        let keys = values.map { SortColumn.sortKey($0) }
        #expect(keys == keys.sorted())
        #expect(Set(keys).count == values.count)
    }

    @Test func positiveAndNegativeZeroAreEqual() {
        #expect(SortColumn.sortKey(-0.0) == SortColumn.sortKey(0.0))
    }
}
