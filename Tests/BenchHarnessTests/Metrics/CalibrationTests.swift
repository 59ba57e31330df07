import Foundation
import Testing

@testable import BenchHarness

@Suite struct CalibrationTests {
    /// Tells times from a list.
    private final class ListClock: NanosecondClock, @unchecked Sendable {
        private let lock = NSLock()
        // Guarded by `lock`.
        private var times: [Int]
        init(_ times: [Int]) { self.times = times }
        func now() -> Int { lock.withLock { times.removeFirst() } }
    }

    /// A round that was interrupted says nothing of the speed of the machine.
    @Test func theFastestRoundCounts() {
        #expect(Calibration.measure(ListClock([0, 900, 1_000, 1_400, 2_000, 9_000])) == 400)
    }

    @Test func theMachineTakesSomeTime() throws {
        #expect(try #require(Calibration.measure(MonotonicClock())) > 0)
        #expect(Instruments.platform.calibrate != nil)
    }

    #if compiler(>=6.2) && os(Linux)
        /// In a process of its own, whose memory no other test uses. A hundred walks would be 25 MiB.
        @Test func itLeavesNoMemoryBehind() async {
            await #expect(processExitsWith: .success) {
                let probe = LinuxMetricProbe()
                _ = Calibration.measure(MonotonicClock())
                let before = probe.sample().residentAnonymousBytes ?? 0
                for _ in 0..<100 { _ = Calibration.measure(MonotonicClock()) }
                precondition((probe.sample().residentAnonymousBytes ?? 0) - before < 4 << 20)
            }
        }
    #endif
}
