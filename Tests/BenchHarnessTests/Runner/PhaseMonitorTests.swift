import Foundation
import Synchronization
import Testing

@testable import BenchHarness

@Suite struct PhaseMonitorTests {
    private let clock = ManualClock()

    @Test func firstProgressIsTimedFromTheStart() {
        let monitor = PhaseMonitor(clock: clock)
        clock.advance(by: 40)
        monitor.progress(10)
        clock.advance(by: 5)
        monitor.progress(20)
        #expect(monitor.observations().firstProgress == 40)
        #expect(monitor.observations().found == 20)
    }

    @Test func whatItTakesToBeMadeIsNotTimed() {
        let monitor = PhaseMonitor(clock: clock)
        clock.advance(by: 1_000)
        let watch = EndCounter()
        monitor.start(watch)
        clock.advance(by: 7)
        monitor.progress(1)
        #expect(monitor.observations().firstProgress == 7)
        #expect(watch.ends.value == 0)
        monitor.delivered()
        #expect(watch.ends.value == 1)
    }

    @Test func cancelsOnceWhenEnoughWasFound() {
        let calls = Counter()
        let monitor = PhaseMonitor(clock: clock, cancelAfterRecords: 100)
        monitor.onCancel { calls.increment() }
        monitor.progress(99)
        #expect(calls.value == 0)
        monitor.progress(100)
        monitor.progress(200)
        #expect(calls.value == 1)
    }

    @Test func cancellationHandedOverLateIsCalledAtOnce() {
        let calls = Counter()
        let monitor = PhaseMonitor(clock: clock, cancelAfterRecords: 100)
        monitor.progress(100)
        monitor.onCancel { calls.increment() }
        #expect(calls.value == 1)
    }

    @Test func answerIsTimedFromTheCallOfCancel() {
        let monitor = PhaseMonitor(clock: clock, cancelAfterRecords: 1)
        monitor.onCancel { [clock] in clock.advance(by: 7) }
        clock.advance(by: 100)
        monitor.progress(1)
        clock.advance(by: 3)
        monitor.completed()
        #expect(monitor.observations().cancelAnswer == 10)
    }

    @Test func completionWithoutCancellationIsNoAnswer() {
        let monitor = PhaseMonitor(clock: clock)
        monitor.completed()
        #expect(monitor.observations().cancelAnswer == nil)
        #expect(!monitor.observations().wasCancelled)
    }

    @Test func watcherHearsOfProgressTenTimesASecondAtMost() {
        let calls = Counter()
        let monitor = PhaseMonitor(clock: clock, onProgress: { _ in calls.increment() })
        for found in 1...100 {
            clock.advance(by: PhaseMonitor.progressInterval / 10)
            monitor.progress(found)
        }
        #expect(calls.value == 10)
    }

    @Test func failedOperationsAreTimedToo() {
        struct Failure: Error {}
        let monitor = PhaseMonitor(clock: clock)
        monitor.operation { clock.advance(by: 10) }
        #expect(throws: Failure.self) {
            try monitor.operation {
                clock.advance(by: 30)
                throw Failure()
            }
        }
        let latencies = monitor.observations().latencies
        #expect(latencies.count == 2)
        #expect(latencies.min == 10 && latencies.max == 30)
    }

    @Test func operationsOfManyThreadsAreAllCounted() {
        let monitor = PhaseMonitor(clock: clock)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<1_000 { monitor.operation {} }
        }
        #expect(monitor.observations().latencies.count == 4_000)
    }
}

/// Counts how often it is ended.
private struct EndCounter: StallWatch {
    let ends = Counter()
    func end() { ends.increment() }
    func stop() -> QueueStalls { QueueStalls() }
}

/// Counts calls from any thread.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .acquiring) }
    func increment() { count.add(1, ordering: .acquiringAndReleasing) }
}
