import Foundation

/// The test of one figure: whether two samples differ, and by what ratio.
struct SampleTest {
    /// The two-sided p; 1 if no test was possible.
    let p: Double
    /// The smallest p that this number of repetitions can attain.
    let smallestP: Double
    /// The ratio of new to base; nil if a value is not positive.
    let ratio: Double?
    /// The confidence interval of `ratio`.
    let interval: ClosedRange<Double>?

    init(
        _ base: [ComparisonSide.Observation], _ new: [ComparisonSide.Observation], pairing: ComparisonOptions.Pairing
    ) {
        switch pairing {
        case .independent: self.init(base.map(\.value), new.map(\.value))
        case .paired: self.init(pairs: Self.pairs(base, new))
        }
    }

    /// Applies Mann and Whitney's test, with the estimate that belongs to it.
    private init(_ base: [Double], _ new: [Double]) {
        p = MannWhitney(base, new)?.p ?? 1
        smallestP = MannWhitney.smallestP(base.count, new.count)
        let estimate = SampleRatio(base: base, new: new, confidence: ComparisonOptions.confidence)
        ratio = estimate?.ratio
        interval = estimate?.interval
    }

    /// Applies Wilcoxon's signed-rank test to the logarithms of the ratios, and estimates the pseudo-median of the
    /// ratios.
    private init(pairs: [(base: Double, new: Double)]) {
        smallestP = SignedRank.smallestP(pairs.count)
        guard pairs.allSatisfy({ $0.base > 0 && $0.new > 0 }) else {
            (p, ratio, interval) = (1, nil, nil)
            return
        }
        let differences = pairs.map { log($0.new / $0.base) }
        p = SignedRank(differences: differences)?.p ?? 1
        ratio = SignedRank.pseudoMedian(ofDifferences: differences).map { exp($0) }
        interval = SignedRank.interval(ofDifferences: differences, confidence: ComparisonOptions.confidence).map {
            exp($0.lowerBound)...exp($0.upperBound)
        }
    }

    private static func pairs(
        _ base: [ComparisonSide.Observation], _ new: [ComparisonSide.Observation]
    ) -> [(base: Double, new: Double)] {
        let newOf = Dictionary(
            new.map { ($0.repetition.number, $0.value) }, uniquingKeysWith: { first, _ in first })
        return base.compactMap { own in newOf[own.repetition.number].map { (own.value, $0) } }
    }
}
