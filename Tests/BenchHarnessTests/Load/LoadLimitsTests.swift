import Testing

@testable import BenchHarness

@Suite struct LoadLimitsTests {
    private var figures: LoadFigures {
        var reads = OperationFigures()
        for milliseconds in 1...100 { reads.response.record(milliseconds * 1_000_000) }
        reads.errors = 2
        return LoadFigures(kinds: [.read: reads], seconds: 10)
    }

    private func missed(_ limits: [String: LimitSpec]) -> [String] { LoadLimits(limits: limits).missed(by: figures) }

    @Test func limitsThatAreKeptAreNotNamed() {
        let limit = LimitSpec(
            milliseconds: ["p99_ms": 100, "max_ms": 101], errors: 2, dropped: 0, throughputPerSecond: 10)
        #expect(missed(["read": limit, "all": limit]) == [])
    }

    @Test func missedLimitSaysWhatWasReached() {
        #expect(missed(["read": LimitSpec(milliseconds: ["p50_ms": 20])]).first?.contains("read.p50_ms is 50") == true)
        #expect(missed(["all": LimitSpec(errors: 0)]) == ["all.errors is 2, not 0"])
        #expect(missed(["all": LimitSpec(throughputPerSecond: 50)]).first?.contains("10.0, not 50.0") == true)
    }

    @Test func limitOnWhatDidNotHappenIsMissed() {
        #expect(missed(["scan": LimitSpec(errors: 0)]) == ["scan: there was no operation"])
    }

    @Test func onlyWhatCannotBeMendedEndsALoadEarly() {
        func areLost(_ limits: [String: LimitSpec]) -> Bool { LoadLimits(limits: limits).areLost(with: figures) }
        #expect(areLost(["read": LimitSpec(milliseconds: ["p50_ms": 20])]))
        #expect(areLost(["all": LimitSpec(errors: 0)]))
        #expect(!areLost(["all": LimitSpec(throughputPerSecond: 50)]))
        #expect(!areLost(["scan": LimitSpec(errors: 0)]))
        #expect(!areLost(["read": LimitSpec(milliseconds: ["p50_ms": 60])]))
    }
}
