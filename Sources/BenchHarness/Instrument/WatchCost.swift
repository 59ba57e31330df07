import Dispatch
import Foundation

/// What it costs work to be watched: the same computation, once as it is and once with the heartbeat and a sampler
/// beside it, again and again in random order.
public struct WatchCost: Sendable, Equatable, Encodable {
    /// What one computation took, in nanoseconds.
    struct Times: Sendable, Equatable {
        var duration: Int
        /// CPU time of the whole process, the instruments' own included; nil where it is unknown.
        var cpu: Int?
    }

    /// By what factor watching makes something more: Hodges and Lehmann's estimate from the ratios within pairs.
    public struct Factor: Sendable, Equatable, Encodable {
        /// The estimate.
        public let ratio: Double
        /// What it is likely to lie in, with 95 %; nil with fewer than six pairs.
        let low: Double?
        let high: Double?

        /// - Precondition: all are above 0.
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

    /// How often each of the two was done.
    public let pairs: Int
    /// The median duration with the instruments off, in nanoseconds.
    let plainNs: Double
    /// The factor of the duration, which on a busy machine is as others have it.
    public let duration: Factor
    /// The factor of the CPU time, which they alter less; nil where it is unknown.
    public let cpu: Factor?

    /// A load takes a sample every second or so; the sampler here takes ten times as many.
    private static let samplingMicroseconds: UInt32 = 100_000

    /// Does the computation `pairs` times each way.
    ///
    /// - Parameters:
    ///   - pairs: How often it is done in each of the two ways.
    ///   - steps: How long the computation is; a hundred million take a tenth of a second or so where there is
    ///     optimisation.
    ///   - seed: Decides which of a pair comes first.
    ///   - instruments: What a phase would be measured with.
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

    /// - Precondition: as many of the one as of the other, at least one.
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

    /// In a sentence.
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

    /// Computes and nothing else: neither memory nor a call to the system.
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

extension MetricSample {
    /// CPU time of the process in both modes.
    fileprivate var cpuNanoseconds: Int? {
        cpuUserNanoseconds.flatMap { user in cpuSystemNanoseconds.map { user + $0 } }
    }
}
