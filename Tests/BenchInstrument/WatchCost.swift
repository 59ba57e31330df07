import BenchHarness
import Dispatch
import Foundation

/// The cost of being watched: the same computation, once alone and once beside the heartbeat and a sampler, many times
/// in random order.
public struct WatchCost: Sendable, Equatable, Encodable {
    /// The duration and CPU time of one computation, in nanoseconds.
    struct Times: Sendable, Equatable {
        var duration: Int
        /// CPU time of the whole process, the instruments' own included; nil if unknown.
        var cpu: Int?
    }

    /// The factor by which watching increases a figure: Hodges and Lehmann's estimate from the ratios within pairs.
    public struct Factor: Sendable, Equatable, Encodable {
        /// The estimate.
        public let ratio: Double
        /// The lower end of the 95 % confidence interval; nil with fewer than six pairs.
        let low: Double?
        let high: Double?

        /// - Precondition: All values are above 0.
        init(_ pairs: [(plain: Double, watched: Double)]) {
            let differences = pairs.map { log($0.watched / $0.plain) }
            let interval = SignedRank.interval(ofDifferences: differences, confidence: 0.95)
            ratio = exp(SignedRank.pseudoMedian(ofDifferences: differences) ?? 0)
            low = interval.map { exp($0.lowerBound) }
            high = interval.map { exp($0.upperBound) }
        }

        fileprivate var text: String {
            let interval = low.flatMap { low in high.map { "\(Figure.change(low)) … \(Figure.change($0))" } }
            return Figure.change(ratio) + (interval.map { " (95 % interval \($0))" } ?? "")
        }
    }

    /// The number of runs of the computation each way.
    public let pairs: Int
    /// The median duration with the instruments off, in nanoseconds.
    let plainNs: Double
    /// The factor of the duration; on a busy machine, other processes affect it.
    public let duration: Factor
    /// The factor of the CPU time, which other processes affect less; nil if unknown.
    public let cpu: Factor?

    /// The sampler's interval: a load takes a sample about every second, this sampler takes ten times as many.
    private static let samplingMicroseconds: UInt32 = 100_000

    /// Runs the computation `pairs` times each way.
    ///
    /// - Parameters:
    ///   - pairs: The number of runs each way.
    ///   - steps: The length of the computation; a hundred million steps take about a tenth of a second with
    ///     optimisation.
    ///   - seed: Decides the order within each pair.
    ///   - instruments: The instruments that measure a phase.
    public static func measure(
        pairs: Int, steps: Int, seed: UInt64 = 1, instruments: Instruments = .platform
    ) -> WatchCost {
        precondition(pairs > 0 && steps > 0, "there is something to do")
        var random = SplitMix64(state: seed)
        var (plain, watched): ([Times], [Times]) = ([], [])
        for _ in 0..<pairs {
            for isWatched in [false, true].shuffled(using: &random) {
                if isWatched {
                    watched.append(self.watched(steps, instruments))
                } else {
                    plain.append(time(steps, instruments))
                }
            }
        }
        return WatchCost(plain: plain, watched: watched)
    }

    /// - Precondition: Both have the same number of elements, at least one.
    init(plain: [Times], watched: [Times]) {
        precondition(plain.count == watched.count, "every measurement has its pair")
        pairs = plain.count
        plainNs = SampleSummary.quantile(0.5, ofSorted: plain.map { Double($0.duration) }.sorted())
        duration = Factor(zip(plain, watched).map { (Double($0.duration), Double($1.duration)) })
        let cpu = zip(plain, watched).compactMap { plain, watched -> (plain: Double, watched: Double)? in
            guard let own = plain.cpu, let other = watched.cpu, own > 0, other > 0 else { return nil }
            return (Double(own), Double(other))
        }
        self.cpu = cpu.count == pairs ? Factor(cpu) : nil
    }

    /// The cost in a sentence.
    var text: String {
        let cpu = cpu.map { "; CPU time: \($0.text)" } ?? ""
        return "Watched, a computation of \(Figure.duration(plainNs)) takes longer by: \(duration.text)\(cpu); "
            + "from \(Figure.count(pairs, "pair"))."
    }

    private static func watched(_ steps: Int, _ instruments: Instruments) -> Times {
        let over = Flag()
        let ended = DispatchSemaphore(value: 0)
        let probe = instruments.probe
        Thread {
            while !over.isSet {
                _ = probe.sample()
                usleep(samplingMicroseconds)
            }
            ended.signal()
        }.start()
        let watch = instruments.stalls.watch(DispatchQueue(label: "bench.watched"))
        let times = time(steps, instruments)
        _ = watch.stop()
        over.set()
        ended.wait()
        return times
    }

    /// Times a computation that neither allocates memory nor calls the system.
    private static func time(_ steps: Int, _ instruments: Instruments) -> Times {
        let before = instruments.probe.sample().cpuNanoseconds
        let start = instruments.clock.now()
        var random = SplitMix64(state: 1)
        var sum: UInt64 = 0
        for _ in 0..<steps { sum ^= random.next() }
        let duration = instruments.clock.now() - start
        let after = instruments.probe.sample().cpuNanoseconds
        BlackHole.consume(sum)
        return Times(duration: duration, cpu: before.flatMap { before in after.map { $0 - before } })
    }
}
