import Foundation
import Locking
import Testing

@testable import BenchHarness
@testable import BenchInstrument

@Suite struct WakeUpLagTests {
    @Test func theLagOfEachSlackIsMeasuredApart() {
        let clock = ManualClock()
        let slack = Locked(TimerSlack.standard)
        let lag = WakeUpLag.measure(
            waits: 10, seed: 1, clock: clock, set: { new in slack.withLock { $0 = new } },
            sleep: { clock.advance(by: $0 + (slack.value == .standard ? 60_000 : 7_000)) })
        #expect(lag.waits == 10)
        #expect(lag.standard.p50Ns == 60_000 && lag.minimal.p99Ns == 7_000)
        #expect(slack.value == .standard)
        #expect(
            lag.text == "A sleeping thread wakes up later by 7.0 µs (99th percentile 7.0 µs) with the timer slack of "
                + "open loops, 60.0 µs (99th percentile 60.0 µs) with the system's; from 10 waits.")
    }

    #if os(Linux)
        /// Read from the kernel, in a thread of its own: the slack of a thread lasts as long as the thread.
        @Test func theSmallestSlackIsThatOfTheThread() async throws {
            let found = await withCheckedContinuation { continuation in
                Thread {
                    let read = {
                        let thread = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
                        let id = URL(fileURLWithPath: thread ?? "").lastPathComponent
                        return ProcText.read("/proc/\(id)/timerslack_ns")?.text
                    }
                    let before = read()
                    TimerSlack.minimal.apply()
                    let minimal = read()
                    TimerSlack.standard.apply()
                    continuation.resume(returning: [before, minimal, read()])
                }.start()
            }
            #expect(found[1] == "1\n")
            #expect(found[0] == found[2])
        }
    #endif
}
