import Testing

@testable import BenchHarness

@Suite struct StallTrackerTests {
    @Test func longestGapBetweenBeatsCounts() {
        var tracker = StallTracker(start: 100)
        for time in [110, 150, 155] { tracker.beat(at: time) }
        tracker.end(at: 160)
        #expect(tracker.longest == 40)
    }

    @Test func queueThatServesNothingStallsToTheEnd() {
        var tracker = StallTracker(start: 100)
        tracker.end(at: 900)
        #expect(tracker.longest == 800)
    }

    @Test func nothingCountsAfterTheEnd() {
        var tracker = StallTracker(start: 0)
        tracker.end(at: 10)
        tracker.beat(at: 1_000)
        tracker.end(at: 2_000)
        #expect(tracker.longest == 10)
    }
}
