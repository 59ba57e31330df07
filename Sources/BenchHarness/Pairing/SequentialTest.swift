import Foundation
import Locking

/// Judges one figure while launches come in.
///
/// Each look at the figure spends a part of the probability of being wrong, in proportion to the launches that are
/// there (``SpendingBoundary``).
/// A figure has changed if both hold: its ratio differs from 1, by a test whose error all figures and looks of the run
/// share; and it lies beyond the threshold. It is unchanged if it is shown to lie within: Schuirmann, "A Comparison of
/// the Two One-Sided Tests Procedure ..." (Journal of Pharmacokinetics and Biopharmaceutics 15, 1987).
package struct SequentialTest: Sendable {
    /// The most launches there can be.
    package let launches: Int
    /// How many figures the run judges.
    package let figures: Int
    /// How probable one false verdict of a change is in a whole run in which nothing has changed.
    let alpha: Double
    private let looks: [Look]

    /// What a figure must show at one time.
    private struct Look: Sendable {
        let launches: Int
        /// The p of a ratio of 1 below which it differs; two-sided.
        let change: Double
        /// The p of a limit below which it lies beyond, or within; one-sided.
        let place: Double
    }

    /// How probable it is to place a ratio on the wrong side of the threshold.
    static let error = 0.05
    /// How far from a limit a figure must lie to be decided, in standard errors: two place it, and half of one more
    /// makes that likely to be seen.
    static let errorsToDecide = 2.5
    /// With fewer launches, one that went astray could decide.
    package static let fewest = 5

    package init(launches: Int, figures: Int, alpha: Double) {
        (self.launches, self.figures, self.alpha) = (launches, figures, alpha)
        let counts = Self.looks(of: launches)
        let change = SpendingBoundary.known(
            looks: counts, error: alpha / Double(max(figures, 1)), total: launches, isTwoSided: true)
        let place = SpendingBoundary.known(looks: counts, error: Self.error, total: launches, isTwoSided: false)
        looks = counts.indices.map {
            Look(launches: counts[$0], change: change.levels[$0], place: place.levels[$0])
        }
    }

    /// After how many launches a figure is looked at: when two lanes have added theirs, later more seldom.
    static func looks(of launches: Int) -> [Int] {
        var looks = [fewest, 6]
        while let last = looks.last, last < launches { looks.append(last + max(last / 16, 2)) }
        return looks.filter { $0 < launches } + (launches >= fewest ? [launches] : [])
    }

    /// The verdict of the first look that has one, and after how many launches that was; nil as long as it is open.
    ///
    /// - Parameters:
    ///   - logRatios: New over base, launch by launch.
    ///   - threshold: The share by which the figure may change.
    ///   - accepted: The share of a slowdown that is accepted; nil if there is none.
    ///   - takesFew: Whether few launches that are far worse decide. Of a time by the clock they do not: one wait for
    ///     storage makes a turn many times longer.
    package func decision(
        _ logRatios: [Double], threshold: Double, accepted: Double? = nil, takesFew: Bool = true
    ) -> (verdict: Verdict, launches: Int)? {
        let limit = log(1 + threshold)
        let worst = log(1 + max(threshold, accepted ?? 0))
        if takesFew, let launches = launchesUntilGross(logRatios, beyond: worst) { return (.regressed, launches) }
        for look in looks where look.launches <= logRatios.count {
            guard let mean = TrimmedMean(Array(logRatios.prefix(look.launches))) else { continue }
            let isAbove = { (value: Double) in mean.mean > value && mean.p(of: value) / 2 < look.place }
            let isBelow = { (value: Double) in mean.mean < value && mean.p(of: value) / 2 < look.place }
            let hasChanged = mean.p(of: 0) < look.change
            if hasChanged, isAbove(worst) { return (.regressed, look.launches) }
            if hasChanged, isBelow(-limit) { return (.improved, look.launches) }
            if isAbove(-limit), isBelow(limit) { return (.unchanged, look.launches) }
            if accepted != nil, isAbove(-limit), isBelow(worst) { return (.accepted, look.launches) }
        }
        return nil
    }

    /// After how many of the first launches, too few for a test, a figure is worse by so much in each of them that no
    /// launch that went astray explains it; nil if it is not.
    ///
    /// What is many times slower leaves time for few launches. The fewer there are, the larger each slowdown must be:
    /// four times in a single one, twice in each of two.
    private func launchesUntilGross(_ logRatios: [Double], beyond worst: Double) -> Int? {
        (1..<Self.fewest).first { count in
            logRatios.count >= count && logRatios.prefix(count).allSatisfy { $0 > max(log(4) / Double(count), worst) }
        }
    }

    /// How many launches would decide the figure, if they go on as they have begun; nil when no number can be told.
    func launchesNeeded(_ logRatios: [Double], threshold: Double, accepted: Double? = nil) -> Int? {
        guard let mean = TrimmedMean(logRatios), mean.standardError > 0 else { return nil }
        let limit = mean.mean > 0 ? max(threshold, accepted ?? 0) : threshold
        let distance = abs(abs(mean.mean) - log(1 + limit))
        guard distance > 0 else { return nil }
        let deviation = mean.standardError * Double(logRatios.count).squareRoot()
        let needed = pow(Self.errorsToDecide * deviation / distance, 2).rounded(.up)
        return needed <= Double(PairedRequest.mostLaunches) ? max(Int(needed), logRatios.count + 1) : nil
    }
}

extension SpendingBoundary {
    private static let boundaries = Locked<[String: SpendingBoundary]>([:])

    /// Returns a boundary, which is computed once: runs are judged by few different ones, again and again.
    fileprivate static func known(looks: [Int], error: Double, total: Int, isTwoSided: Bool) -> SpendingBoundary {
        let key = "\(looks) \(error) \(total) \(isTwoSided)"
        if let known = boundaries.value[key] { return known }
        let boundary = SpendingBoundary(looks: looks, error: error, total: total, isTwoSided: isTwoSided)
        boundaries.withLock { $0[key] = boundary }
        return boundary
    }
}
