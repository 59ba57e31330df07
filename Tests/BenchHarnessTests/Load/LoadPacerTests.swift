import Foundation
import Testing

@testable import BenchHarness

@Suite struct LoadPacerTests {
    /// A clock that only moves when a worker sleeps, or when the test moves it.
    private final class SleepClock: NanosecondClock, @unchecked Sendable {
        private let lock = NSLock()
        private var time = 1_000_000
        func now() -> Int { lock.withLock { time } }
        func advance(_ nanoseconds: Int) { lock.withLock { time += nanoseconds } }
    }

    private let clock = SleepClock()

    private func pacer(_ pace: PaceSpec) -> LoadPacer {
        let pacer = LoadPacer(pace, seed: 1, clock: clock, sleep: { [clock] in clock.advance($0) })
        pacer.begin()
        return pacer
    }

    @Test func closedLoopBeginsAtOnceAndCountsItsOperations() {
        let pacer = pacer(PaceSpec(operations: 3))
        let turns = (0..<5).map { _ in pacer.next() }
        #expect(turns.map { $0 != nil } == [true, true, true, false, false])
        #expect(turns[0]?.intended == turns[0]?.begun)
    }

    @Test func loadEndsWithItsTime() {
        let pacer = pacer(PaceSpec(durationSeconds: 1))
        #expect(pacer.next() != nil)
        clock.advance(1_000_000_000)
        #expect(pacer.next() == nil)
    }

    @Test func constantArrivalsKeepTheirDistance() {
        let start = clock.now()
        let pacer = pacer(PaceSpec(operations: 4, rate: RateSpec(perSecond: 100)))
        let intended = (0..<4).compactMap { _ in pacer.next()?.intended }
        #expect(intended.map { $0 - start } == [0, 10_000_000, 20_000_000, 30_000_000])
        #expect(pacer.figures == LoadPacer.Figures())
    }

    /// What coordinated omission would hide: those that wait behind a slow one are late from when they were meant to
    /// begin.
    @Test func slowOperationMakesThoseBehindItLate() throws {
        let pacer = pacer(PaceSpec(operations: 3, rate: RateSpec(perSecond: 100)))
        _ = try #require(pacer.next())
        clock.advance(50_000_000)
        let second = try #require(pacer.next())
        #expect(second.begun - second.intended == 40_000_000)
        #expect(pacer.figures.late == 1)
        #expect(pacer.figures.lagMax == 40_000_000)
    }

    @Test func operationsThatAreTooLateAreDroppedAndCounted() throws {
        let pacer = pacer(PaceSpec(operations: 10, rate: RateSpec(perSecond: 100, dropAfterMilliseconds: 25)))
        _ = try #require(pacer.next())
        clock.advance(60_000_000)
        let turns = (0..<4).compactMap { _ in pacer.next() }
        #expect(turns.map(\.isDropped) == [true, true, true, false])
        #expect(turns.map { $0.begun - $0.intended } == [50, 40, 30, 20].map { $0 * 1_000_000 })
        #expect(pacer.figures.dropped == 3)
    }

    @Test func stoppedLoadHasNoFurtherTurn() {
        let pacer = pacer(PaceSpec(operations: 10))
        pacer.stop()
        #expect(pacer.next() == nil)
    }

    /// A worker that waits for an arrival ten seconds ahead when the load is stopped must not run it, least of all
    /// early.
    @Test func stoppedLoadDoesNotRunTheArrivalThatAWorkerWaitsFor() throws {
        let stop = StopBox()
        let pacer = LoadPacer(
            PaceSpec(operations: 10, rate: RateSpec(perSecond: 0.1)), seed: 1, clock: clock,
            sleep: { [clock] in
                clock.advance($0)
                stop.pacer?.stop()
            })
        stop.pacer = pacer
        pacer.begin()
        #expect(pacer.next() != nil)
        let start = clock.now()
        #expect(pacer.next() == nil)
        #expect(clock.now() - start <= 100_000_000)
        #expect(pacer.figures == LoadPacer.Figures())
    }

    /// Holds the pacer that a sleep stops; the test has one thread.
    private final class StopBox: @unchecked Sendable {
        weak var pacer: LoadPacer?
    }

    @Test func poissonArrivalsAreIndependent() {
        let schedule = ArrivalSchedule(RateSpec(perSecond: 1_000, arrivals: .poisson), seed: 5)
        var last = 0
        let gaps = (0..<50_000).map { _ in
            let next = schedule.take()
            defer { last = next }
            return Double(next - last)
        }
        let mean = gaps.reduce(0, +) / Double(gaps.count)
        let deviation = (gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gaps.count)).squareRoot()
        #expect(abs(mean / 1_000_000 - 1) < 0.02)
        // Of an exponential distribution, the deviation is the mean.
        #expect(abs(deviation / mean - 1) < 0.03)
    }

    @Test func rampClimbsToTheRate() {
        let rate = RateSpec(perSecond: 100, ramp: .init(fromPerSecond: 10, seconds: 10))
        #expect([0, 5, 10, 60].map { rate.perSecond(at: $0) } == [10, 55, 100, 100])
        let schedule = ArrivalSchedule(rate, seed: 1)
        let arrivals = (0..<2_000).map { _ in Double(schedule.take()) / 1e9 }
        // On the way up 55 a second on average, then a hundred.
        #expect(abs(arrivals.filter { $0 < 10 }.count - 550) < 10)
        #expect(arrivals.filter { (10..<15).contains($0) }.count == 500)
    }
}
