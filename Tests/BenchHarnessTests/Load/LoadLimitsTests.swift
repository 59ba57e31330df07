import Testing

@testable import BenchHarness

@Suite struct LoadLimitsTests {
    private func makeFigures(errors: Int = 2, dropped: Int = 0) -> LoadFigures {
        var reads = OperationFigures()
        for milliseconds in 1...100 { reads.response.record(milliseconds * 1_000_000) }
        (reads.errors, reads.dropped) = (errors, dropped)
        return LoadFigures(kinds: [.read: reads], seconds: 10)
    }

    private var figures: LoadFigures { makeFigures() }

    private func missed(_ limits: [String: LimitSpec]) -> [String] { LoadLimits(limits: limits).missed(by: figures) }

    @Test func limitsThatAreKeptAreNotNamed() {
        let limit = LimitSpec(milliseconds: ["p90_ms": 100], errors: 2, dropped: 0, throughputPerSecond: 10)
        #expect(missed(["read": limit, "all": limit]) == [])
        let strict = LimitSpec(milliseconds: ["p99_ms": 100, "max_ms": 101])
        #expect(LoadLimits(limits: ["all": strict]).missed(by: makeFigures(errors: 0)) == [])
    }

    /// A user whose operation was dropped or failed got no answer within any limit.
    @Test(arguments: [(errors: 0, dropped: 900), (900, 0), (450, 450)])
    func percentilesAmongWhatWasDroppedOrFailedAreMissed(errors: Int, dropped: Int) {
        let figures = makeFigures(errors: errors, dropped: dropped)
        let limit = LimitSpec(milliseconds: ["p50_ms": 1_000_000])
        let reason = "p50_ms is unbounded: of 1000 operations, \(errors) failed and \(dropped) were dropped"
        let missed = LoadLimits(limits: ["read": limit, "all": limit]).missed(by: figures)
        #expect(missed == ["all.\(reason)", "read.\(reason)"])
        // 100 of 1,000 were done.
        #expect(figures.total.responsePercentile(5) == figures.total.response.percentile(50))
        #expect(figures.total.responsePercentile(10) == figures.total.response.max)
        #expect(figures.total.responsePercentile(10.1) == nil)
    }

    @Test func aLimitOfDroppedOperationsAppliesToItsKind() {
        let figures = makeFigures(errors: 0, dropped: 3)
        var both = figures
        both.kinds[.update] = OperationFigures()
        both.kinds[.update]?.response.record(1)
        let limit = LimitSpec(dropped: 2)
        let missed = LoadLimits(limits: ["read": limit, "update": limit]).missed(by: both)
        #expect(missed == ["read.dropped is 3, more than 2"])
    }

    @Test func aMissedLimitSaysWhatWasReachedAndOnWhichSideOfTheLimit() {
        #expect(missed(["read": LimitSpec(milliseconds: ["p50_ms": 20])]) == ["read.p50_ms is 51.0, more than 20"])
        #expect(missed(["read": LimitSpec(milliseconds: ["p50_ms": 0.5])]) == ["read.p50_ms is 51.0, more than 0.5"])
        #expect(missed(["all": LimitSpec(errors: 0)]) == ["all.errors is 2, more than 0"])
        #expect(
            missed(["all": LimitSpec(throughputPerSecond: 50)]) == ["all.throughput_per_s is 10.0, less than 50"])
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
