import BenchHarness
import Testing

@testable import BenchDrivers

@Suite("Sorting outside SQLite")
struct SortColumnTests {
    @Test("maps doubles to integers of the same order")
    func doubles() {
        let values: [Double] = [
            -.infinity, -.greatestFiniteMagnitude, -2.5, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 1, 2.5,
            .greatestFiniteMagnitude, .infinity,
        ]
        let keys = values.map { SortColumn.sortKey($0) }
        #expect(keys == keys.sorted())
        #expect(Set(keys).count == values.count)
    }

    @Test("knows one zero")
    func zeros() {
        #expect(SortColumn.sortKey(-0.0) == SortColumn.sortKey(0.0))
    }
}
