/// The drift of a load: memory that grows, throughput that falls, response times that rise, or a log that is not
/// written back.
struct LoadDrift: Sendable, Equatable {
    /// The trend of one figure over the whole load.
    struct Trend: Sendable, Equatable {
        /// The figure's name in the series.
        var figure: String
        /// The change per minute.
        var perMinute: Double
        /// The change over the judged time, as a share of the median.
        var share: Double
        /// The probability of at least as clear a trend by chance.
        var p: Double
    }

    /// The trends in the wrong direction.
    var drifts: [Trend]

    /// The first fifth of a load warms up caches and does not count.
    private static let warmup = 0.2
    /// With fewer samples there is no verdict.
    static let samplesNeeded = 20
    private static let alpha = 0.01

    /// Judges the samples of a load; nil if there are too few.
    init?(_ samples: [LoadSample]) {
        let judged = samples.dropFirst(Int(Double(samples.count) * Self.warmup))
        guard samples.count >= Self.samplesNeeded else { return nil }
        drifts = Self.rules.compactMap { $0.trend(in: judged) }
    }

    /// A figure, and the size of change in the wrong direction that matters.
    private struct Rule {
        let figure: FigureColumn
        /// 1 if growth is wrong, -1 if decline is wrong.
        let sign: Double
        let least: Double
        let value: @Sendable (LoadSample) -> Double?

        func trend(in samples: ArraySlice<LoadSample>) -> Trend? {
            let points = samples.compactMap { sample in value(sample).map { (sample.seconds, $0) } }
            let (times, values) = (points.map(\.0), points.map(\.1))
            guard let test = MannKendall(times: times, values: values), test.p < LoadDrift.alpha,
                test.slope * sign > 0, let first = times.first, let last = times.last
            else { return nil }
            let median = values.sorted()[values.count / 2]
            let share = median > 0 ? test.slope * (last - first) / median : 0
            guard share * sign >= least else { return nil }
            return Trend(figure: figure.column, perMinute: test.slope * 60, share: share, p: test.p)
        }
    }

    private static let rules = [
        // The ledgers of the harness are not part of the store.
        Rule(figure: .heap, sign: 1, least: 0.05) { sample in
            sample.heapBytes.map { Double($0 - sample.ledgerBytes) }
        },
        Rule(figure: .log, sign: 1, least: 0.5) { $0.logBytes.map(Double.init) },
        Rule(figure: .throughput, sign: -1, least: 0.05) { $0.throughput },
        Rule(figure: .latencyP99, sign: 1, least: 0.2) { $0.latencyP99.map(Double.init) },
    ]
}

extension LoadDrift {
    private static let none = "none"
    private static let insufficient = "insufficient data"

    /// Returns whether a verdict in words reports a drift.
    static func isFound(in text: String) -> Bool {
        !text.isEmpty && text != none && !text.hasPrefix(insufficient)
    }

    /// Returns the verdict in words, for the CSV and for people.
    static func text(_ samples: [LoadSample]) -> String {
        guard !samples.isEmpty else { return "" }
        guard let drift = LoadDrift(samples) else {
            return "\(insufficient): \(samples.count) of \(samplesNeeded) samples"
        }
        if drift.drifts.isEmpty { return none }
        return drift.drifts.map { trend in
            "\(trend.figure) \(Figure.change(1 + trend.share)) (\(trend.rate) a minute, p = \(Figure.probability(trend.p)))"
        }.joined(separator: "; ")
    }
}

extension LoadDrift.Trend {
    fileprivate var rate: String {
        let sign = perMinute < 0 ? "-" : "+"
        return sign + (FigureColumn.all.first { $0.column == figure }?.text(abs(perMinute)) ?? "\(abs(perMinute))")
    }
}
