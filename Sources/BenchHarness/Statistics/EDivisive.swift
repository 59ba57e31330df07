/// The change points of a series: hierarchical divisive estimation of Matteson and James, "A Nonparametric Approach for
/// Multiple Change Point Analysis of Multivariate Data" (Journal of the American Statistical Association 109, 2014),
/// with α = 1.
///
/// A segment is split where the energy distance between its beginning and what follows is largest, provided that few
/// enough permutations of the segments' values reach that distance; then the search continues in both parts. What
/// follows need not reach to the segment's end: MongoDB's and Otava's implementations took it all, and did not see a
/// figure that rose and fell again (apache/otava, issue 96). The only assumption about the noise is that neighbours are
/// exchangeable.
struct EDivisive: Sendable {
    /// The largest p of an accepted split.
    let significance: Double
    /// The number of permutations for the test of each split.
    let permutations: Int
    /// The smallest number of values between two change points, at least 2.
    let minimumSegment: Int
    /// The seed of the generator: equal seeds find equal points.
    let seed: UInt64

    /// Creates a search.
    init(significance: Double = 0.01, permutations: Int = 999, minimumSegment: Int = 3, seed: UInt64 = 1) {
        precondition(permutations > 0 && minimumSegment >= 2, "no test without permutations, no distance of one value")
        self.significance = significance
        self.permutations = permutations
        self.minimumSegment = minimumSegment
        self.seed = seed
    }

    /// Returns the search for one of `count` series, so that the probability of any change point in all of them, where
    /// there is none, is `familySignificance` at most (Bonferroni's correction). A smaller significance needs more
    /// permutations: ten of them may still reach the distance of an accepted split.
    func corrected(for count: Int, familySignificance: Double = 0.05) -> EDivisive {
        let share = familySignificance / Double(max(count, 1))
        guard share < significance else { return self }
        let needed = Int((10 / share).rounded(.up)) - 1
        return EDivisive(
            significance: share, permutations: max(permutations, needed), minimumSegment: minimumSegment, seed: seed)
    }

    /// The smallest number of values in which the search can find a change. There must be room for two segments. There
    /// must also be enough orders of the values: the two orders that keep a perfect step halfway together must surely
    /// (by three standard deviations of their count) be rarer among the permutations than the significance. Nil if the
    /// permutations are too few for that.
    var minimumCount: Int? {
        (2 * minimumSegment..<2 * minimumSegment + 200).first { count in
            let expected = Double(permutations) * MannWhitney.smallestP(count / 2, count - count / 2)
            let reached = 1 + expected + 3 * expected.squareRoot()
            return reached <= significance * Double(permutations + 1)
        }
    }

    /// Returns the changes of a series of finite values, in its order.
    ///
    /// - Complexity: O(n² · permutations) for each change.
    func changePoints(in series: [Double]) -> [ChangePoint] {
        precondition(series.allSatisfy(\.isFinite), "a series has finite values")
        var random = SplitMix64(state: seed)
        var starts = [0]
        var found: [(index: Int, p: Double)] = []
        while let split = bestSplit(of: series, starts), split.distance > 0 {
            guard let p = p(of: split, in: series, starts, &random) else { break }
            found.append((split.index, p))
            starts = (starts + [split.index]).sorted()
        }
        return found.sorted { $0.index < $1.index }.map { index, p in
            let place = starts.firstIndex(of: index) ?? 0
            return ChangePoint(
                index: index, p: p, before: Self.median(series, starts, place - 1),
                after: Self.median(series, starts, place))
        }
    }

    /// Returns the share of permutations within the segments whose best split is as good; the series itself is one of
    /// them. Returns nil as soon as that share is sure to exceed the significance; for mere noise, a few permutations
    /// are enough.
    private func p(of split: EnergySplit, in series: [Double], _ starts: [Int], _ random: inout SplitMix64) -> Double? {
        // A difference from rounding alone counts as equal.
        let bar = split.distance * (1 - 1e-9)
        let most = significance * Double(permutations + 1)
        var shuffled = series
        var reached = 1
        for _ in 0..<permutations {
            guard Double(reached) <= most else { return nil }
            for place in starts.indices { random.shuffle(&shuffled, Self.segment(series, starts, place)) }
            if let best = bestSplit(of: shuffled, starts), best.distance >= bar { reached += 1 }
        }
        return Double(reached) <= most ? Double(reached) / Double(permutations + 1) : nil
    }

    private func bestSplit(of series: [Double], _ starts: [Int]) -> EnergySplit? {
        starts.indices.compactMap { place in
            EnergySplit(of: series, Self.segment(series, starts, place), minimumSegment: minimumSegment)
        }.max { $0.distance < $1.distance }
    }

    private static func segment(_ series: [Double], _ starts: [Int], _ place: Int) -> Range<Int> {
        starts[place]..<(place + 1 < starts.count ? starts[place + 1] : series.count)
    }

    private static func median(_ series: [Double], _ starts: [Int], _ place: Int) -> Double {
        SampleSummary.quantile(0.5, ofSorted: series[segment(series, starts, place)].sorted())
    }
}

/// A point where a series changed.
struct ChangePoint: Sendable, Equatable {
    /// The index of the first value after the change.
    let index: Int
    /// The probability of such a change in a series without one.
    let p: Double
    /// The median of the segment before.
    let before: Double
    /// The median of the segment after.
    let after: Double
}

extension SplitMix64 {
    /// Shuffles a part of an array (Durstenfeld, 1964). The standard library's shuffle may change its algorithm in
    /// another release.
    fileprivate mutating func shuffle(_ values: inout [Double], _ range: Range<Int>) {
        for count in stride(from: range.count, to: 1, by: -1) {
            let chosen = Int(next().multipliedFullWidth(by: UInt64(count)).high)
            values.swapAt(range.lowerBound + count - 1, range.lowerBound + chosen)
        }
    }
}
