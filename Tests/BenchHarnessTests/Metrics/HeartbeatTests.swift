import Dispatch
import Synchronization
import Testing

@testable import BenchHarness

@Suite struct HeartbeatTests {
    @Test func blockedQueueStallsForAsLongAsItIsBlocked() throws {
        let clock = ManualClock()
        let queue = DispatchQueue(label: "test.blocked")
        let release = DispatchSemaphore(value: 0)
        queue.async { release.wait() }
        let watch = Heartbeat(clock: clock).watch(queue)
        clock.advance(by: 5_000)
        watch.end()
        release.signal()
        #expect(watch.stop().longestNanoseconds == 5_000)
    }

    @Test func endIsTheEndHoweverOftenItComes() {
        let clock = ManualClock()
        let watch = Heartbeat(clock: clock).watch(DispatchQueue(label: "test.idle"))
        watch.end()
        clock.advance(by: 1_000_000)
        let stalls = watch.stop()
        #expect(stalls.longestNanoseconds == 0)
        #expect(stalls.controlNanoseconds == 0)
    }
}

/// A clock that goes when it is told to.
final class ManualClock: NanosecondClock {
    private let time = Atomic<Int>(0)

    func now() -> Int { time.load(ordering: .acquiring) }
    func advance(by nanoseconds: Int) { time.add(nanoseconds, ordering: .acquiringAndReleasing) }
}
