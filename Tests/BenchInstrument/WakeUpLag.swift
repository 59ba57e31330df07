import BenchHarness
import Foundation

/// How much later than intended a sleeping thread wakes up, which is a part of every response time in an open loop:
/// once with the system's timer slack, once with the smallest, which the workers of open loops have.
public struct WakeUpLag: Sendable, Equatable, Encodable {
    /// Percentiles of the lag, in nanoseconds.
    struct Lag: Sendable, Equatable, Encodable {
        let p50Ns: Int
        let p99Ns: Int

        /// - Precondition: There is a lag.
        init(_ lags: LatencyHistogram) {
            guard let p50 = lags.percentile(50), let p99 = lags.percentile(99) else {
                preconditionFailure("a lag has been measured")
            }
            (p50Ns, p99Ns) = (p50, p99)
        }

        fileprivate var text: String {
            "\(Figure.duration(Double(p50Ns))) (99th percentile \(Figure.duration(Double(p99Ns))))"
        }
    }

    /// The number of waits with each slack.
    public let waits: Int
    /// The lag with the system's slack.
    let standard: Lag
    /// The lag in open loops.
    let minimal: Lag

    /// The longest wait: that of a worker at a thousand operations per second.
    private static let longestWait = 2_000_000

    /// Sleeps `waits` times with each slack, for random times of a millisecond on average, in turns.
    ///
    /// - Parameters:
    ///   - waits: The number of waits with each slack.
    ///   - seed: Decides the length of each wait.
    ///   - clock: Measures the lag.
    public static func measure(
        waits: Int, seed: UInt64 = 1, clock: any NanosecondClock = MonotonicClock()
    ) -> WakeUpLag {
        measure(waits: waits, seed: seed, clock: clock, set: { $0.apply() }, sleep: { LoadPacer.sleep($0) })
    }

    /// - Parameters:
    ///   - set: Sets the slack of the current thread.
    ///   - sleep: Sleeps for a number of nanoseconds.
    static func measure(
        waits: Int, seed: UInt64, clock: any NanosecondClock, set: (TimerSlack) -> Void, sleep: (Int) -> Void
    ) -> WakeUpLag {
        precondition(waits > 0, "there is something to measure")
        var random = SplitMix64(state: seed)
        var (standard, minimal) = (LatencyHistogram(), LatencyHistogram())
        defer { set(.standard) }
        for _ in 0..<waits {
            let length = random.below(longestWait)
            for slack in [TimerSlack.standard, .minimal] {
                set(slack)
                let intended = clock.now() + length
                sleep(length)
                let lag = clock.now() - intended
                if slack == .standard { standard.record(lag) } else { minimal.record(lag) }
            }
        }
        return WakeUpLag(waits: waits, standard: Lag(standard), minimal: Lag(minimal))
    }

    /// The lag in a sentence.
    var text: String {
        "A sleeping thread wakes up later by \(minimal.text) with the timer slack of open loops, "
            + "\(standard.text) with the system's; from \(Figure.count(waits, "wait"))."
    }
}
