import Foundation

/// How often `bench compare` finds a change where there is none: measured with runs of one build that were made one
/// after the other, where ``BenchPower/PowerAnalysis`` simulates.
///
/// Each run is on one side of one comparison only: the first is compared with the second, the third with the fourth. So
/// the comparisons are independent trials, of which the binomial interval holds.
public struct MeasuredFalseAlarms: Sendable {
    /// The verdicts on one figure.
    struct FigureCounts: Sendable, Encodable {
        let driver: String
        let phase: String
        let metric: String
        var regressed = 0
        var improved = 0
        var inconclusive = 0
        var unchanged = 0
    }

    let scenario: String
    let repetitions: Int
    let runs: Int
    /// From the start of the first run to the end of the last one; nil if unknown.
    let hours: Double?
    /// The comparisons with enough data for a verdict.
    private(set) var comparisons = 0
    /// Those that called any figure regressed.
    private(set) var alarms = 0
    /// Those that called any figure improved.
    private(set) var improvements = 0
    private(set) var figures: [FigureCounts] = []
    /// Why a comparison had too little data, in words; nil if none had.
    public private(set) var shortage: String?

    /// Compares the runs in pairs, without a record of noise.
    public init(_ runs: [RecordedRun]) throws(RunError) {
        try runs.checkCountOnce()
        self.runs = runs.count
        scenario = runs.first?.manifest?.scenario?.name ?? ""
        repetitions = runs.first?.manifest?.scenario?.repetitions ?? 0
        let (start, end) = (runs.first?.manifest?.started, runs.last?.manifest?.ended)
        hours = if let start, let end { end.timeIntervalSince(start) / 3_600 } else { nil }
        for first in stride(from: 0, to: runs.count - 1, by: 2) {
            add(try Comparison(base: [runs[first]], new: [runs[first + 1]]))
        }
    }

    private mutating func add(_ comparison: Comparison) {
        if comparison.outcome == .insufficientData {
            shortage = comparison.judgements.first { $0.verdict == .insufficientData }?.reason ?? "nothing was judged"
            return
        }
        comparisons += 1
        if comparison.count(.regressed) > 0 { alarms += 1 }
        if comparison.count(.improved) > 0 { improvements += 1 }
        for judgement in comparison.judgements where judgement.verdict != .notJudged { add(judgement) }
    }

    private mutating func add(_ judgement: Judgement) {
        let (key, metric) = (judgement.key, judgement.metric.name)
        let place = figures.firstIndex { $0.driver == key.driver && $0.phase == key.phase && $0.metric == metric }
        if place == nil { figures.append(FigureCounts(driver: key.driver, phase: key.phase, metric: metric)) }
        let index = place ?? figures.count - 1
        switch judgement.verdict {
        case .regressed: figures[index].regressed += 1
        case .improved: figures[index].improved += 1
        case .inconclusive: figures[index].inconclusive += 1
        case .unchanged: figures[index].unchanged += 1
        case .accepted, .insufficientData, .notJudged: break
        }
    }

    /// The interval of Clopper and Pearson of the rate of false alarms; nil without a comparison.
    var interval: ClosedRange<Double>? {
        comparisons == 0 ? nil : BinomialInterval(alarms, of: comparisons).bounds
    }
}
