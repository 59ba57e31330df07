import Foundation

/// Judges one figure while launches come in.
///
/// Each look at the figure spends a part of the probability of being wrong: by Lan and DeMets, "Discrete Sequential
/// Boundaries for Clinical Trials" (Biometrika 70, 1983), in proportion to the launches that are there.
/// A figure has changed if both hold: its ratio differs from 1, by a test whose error all figures and looks of the run
/// share; and it lies beyond the threshold. It is unchanged if it is shown to lie within: Schuirmann, "A Comparison of
/// the Two One-Sided Tests Procedure ..." (Journal of Pharmacokinetics and Biopharmaceutics 15, 1987).
struct SequentialTest: Sendable {
    /// The most launches there can be.
    let launches: Int
    /// How many figures the run judges.
    let figures: Int
    /// How probable one false verdict of a change is in a whole run in which nothing has changed.
    let alpha: Double

    /// How probable it is to place a ratio on the wrong side of the threshold.
    static let error = 0.05
    /// With fewer launches, one that went astray could decide.
    static let fewest = 5

    /// After how many launches a figure is looked at: seldom enough that a look costs little.
    var looks: [Int] {
        var looks = [Self.fewest, 6, 8, 10, 12]
        while let last = looks.last, last < launches { looks.append(last + max(last / 6, 3)) }
        return looks.filter { $0 < launches } + (launches >= Self.fewest ? [launches] : [])
    }

    /// The verdict of the first look that has one, and after how many launches that was; nil as long as it is open.
    ///
    /// - Parameters:
    ///   - logRatios: New over base, launch by launch.
    ///   - threshold: The share by which the figure may change.
    ///   - accepted: The share of a slowdown that is accepted; nil if there is none.
    func decision(
        _ logRatios: [Double], threshold: Double, accepted: Double? = nil
    ) -> (verdict: Verdict, launches: Int)? {
        let worst = log(1 + max(threshold, accepted ?? 0))
        if let launches = launchesUntilGross(logRatios, beyond: worst) { return (.regressed, launches) }
        var spent = (change: 0.0, place: 0.0)
        for look in looks where look <= logRatios.count {
            let share = Double(look) / Double(launches)
            let due = (change: alpha / Double(figures) * share, place: Self.error * share)
            let boundary = (change: due.change - spent.change, place: due.place - spent.place)
            spent = due
            guard let mean = TrimmedMean(Array(logRatios.prefix(look))) else { continue }
            let hasChanged = mean.p(of: 0) < boundary.change
            // One-sided on each side.
            let place = mean.interval(holding: 1 - 2 * boundary.place)
            let limit = log(1 + threshold)
            if hasChanged, place.lowerBound > worst { return (.regressed, look) }
            if hasChanged, place.upperBound < -limit { return (.improved, look) }
            if place.lowerBound > -limit, place.upperBound < limit { return (.unchanged, look) }
            if accepted != nil, place.lowerBound > 0, place.upperBound < worst { return (.accepted, look) }
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
        // Two standard errors place it, and half of one more makes that likely to be seen.
        let needed = pow(2.5 * deviation / distance, 2).rounded(.up)
        return needed < 10_000 ? max(Int(needed), logRatios.count + 1) : nil
    }
}
