import Foundation
import Testing

@testable import BenchHarness
@testable import BenchInstrument

@Suite struct WatchCostTests {
    private func times(_ count: Int, factor: (Int) -> Double = { _ in 1 }, hasCPU: Bool = true) -> [WatchCost.Times] {
        (0..<count).map { index in
            let time = Int(Double(1_000_000 + 10_000 * (index % 7)) * factor(index))
            return WatchCost.Times(duration: time, cpu: hasCPU ? 2 * time : nil)
        }
    }

    @Test func aCostIsFoundInItsInterval() throws {
        let cost = WatchCost(plain: times(20), watched: times(20) { 1.02 + 0.0001 * Double($0 % 3) })
        #expect(cost.pairs == 20)
        for factor in [cost.duration, try #require(cost.cpu)] {
            let (low, high) = (try #require(factor.low), try #require(factor.high))
            #expect(abs(factor.ratio - 1.0201) < 0.0001)
            #expect(low > 1.019 && low <= factor.ratio && factor.ratio <= high && high < 1.021)
        }
        #expect(cost.text.contains("longer by: +2.0 % (95 % interval +2.0 % … +2.0 %); CPU time: +2.0 %"))
    }

    @Test func fewPairsHaveNoInterval() {
        let cost = WatchCost(plain: times(2), watched: times(2))
        #expect(cost.duration.ratio == 1 && cost.duration.low == nil && !cost.text.contains("interval"))
    }

    @Test func unknownCPUTimeIsMissing() {
        let cost = WatchCost(plain: times(8, hasCPU: false), watched: times(8))
        #expect(cost.cpu == nil && !cost.text.contains("CPU"))
    }

    @Test func bothAreDoneEquallyOften() {
        let cost = WatchCost.measure(pairs: 3, steps: 1_000)
        #expect(cost.pairs == 3 && cost.plainNs > 0 && cost.duration.ratio > 0)
    }
}
