import Foundation

/// A change of the baseline driver's own times from one run to another: it is the same program on both sides, so the
/// machine was another, or did something else.
///
/// Phases of one repetition share what the machine did meanwhile, and a run has few repetitions. So the repetitions are
/// the sample, each with the median of its phases, and Mann and Whitney's exact test says how often such a change comes
/// by chance.
struct MachineChange {
    private let baseline: String
    /// New over base, the median of the repetitions' medians.
    private let ratio: Double
    /// The probability of such a change of machines that are the same.
    let p: Double

    /// The smallest change that is worth a note.
    private static let least = 0.1

    /// Nil if there is no such change, or if the figures are judged with the baseline's own anyway.
    init?(_ context: ComparisonContext) {
        guard context.baseline == nil, context.options.pairing == .independent,
            let baseline = context.sharedBaseline
        else { return nil }
        let keys = context.base.keys.filter { $0.driver == baseline && context.options.includes($0) }
        let sides = [Metric.cpu, .duration].lazy.map { metric in
            Self.deviations(context.base, context.new, keys, metric)
        }.first { !$0.base.isEmpty && !$0.new.isEmpty }
        guard let (base, new) = sides, let test = MannWhitney(base, new), let before = SampleSummary(base)?.median,
            let after = SampleSummary(new)?.median, abs(after - before) > log(1 + Self.least)
        else { return nil }
        (self.baseline, ratio, p) = (baseline, exp(after - before), test.p)
    }

    /// Returns for each repetition of both sides how far it is from the middle of both, as a logarithm: the median of
    /// its phases. A repetition counts if it has a time of each phase that both sides have.
    private static func deviations(
        _ base: ComparisonSide, _ new: ComparisonSide, _ keys: [ComparisonKey], _ metric: Metric
    ) -> (base: [Double], new: [Double]) {
        var phases: [(base: [ComparisonSide.Repetition: Double], new: [ComparisonSide.Repetition: Double])] = []
        for key in keys {
            let sides = [base, new].map { logarithms($0.observations(metric, key, relativeTo: nil)) }
            guard sides.allSatisfy({ !$0.isEmpty }), let middle = SampleSummary(sides.flatMap(\.values))?.median
            else { continue }
            phases.append((sides[0].mapValues { $0 - middle }, sides[1].mapValues { $0 - middle }))
        }
        return (medians(phases.map(\.base)), medians(phases.map(\.new)))
    }

    private static func logarithms(
        _ observations: [ComparisonSide.Observation]
    ) -> [ComparisonSide.Repetition: Double] {
        let pairs = observations.filter { $0.value > 0 }.map { ($0.repetition, log($0.value)) }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    private static func medians(_ phases: [[ComparisonSide.Repetition: Double]]) -> [Double] {
        (phases.first ?? [:]).keys.compactMap { repetition in
            let values = phases.compactMap { $0[repetition] }
            return values.count == phases.count ? SampleSummary(values)?.median : nil
        }
    }

    /// What a reader needs to know.
    var text: String {
        "\(baseline), the baseline driver, itself changed by \(Figure.change(ratio)) in time, the median of its phases "
            + "(p \(Figure.probability(p))): the machine was not the same. --relative-to \(baseline) judges the ratio "
            + "to it, bench ab runs both side by side"
    }
}
