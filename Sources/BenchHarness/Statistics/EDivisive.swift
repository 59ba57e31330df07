/// Where a series changes: hierarchical divisive estimation of Matteson and James, "A Nonparametric Approach for
/// Multiple Change Point Analysis of Multivariate Data" (Journal of the American Statistical Association 109, 2014),
/// with α = 1.
///
/// A segment is split where the energy distance between its two sides is largest, so long as permutations of the
/// segments' values reach that distance rarely enough; then the parts are gone on with. As in MongoDB's and Otava's, a
/// split is sought over the whole segment (the paper's κ is its end). Nothing is asked of the noise but that neighbours
/// are exchangeable.
struct EDivisive: Sendable {
    /// The largest p of a split that is kept.
    let significance: Double
    /// How many permutations each split is held against.
    let permutations: Int
    /// The fewest values between two change points, 2 at least.
    let minimumSegment: Int
    /// Where the generator starts: equal seeds find equal points.
    let seed: UInt64

    /// Creates a search.
    init(significance: Double = 0.01, permutations: Int = 999, minimumSegment: Int = 3, seed: UInt64 = 1) {
        precondition(permutations > 0 && minimumSegment >= 2, "no test without permutations, no distance of one value")
        self.significance = significance
        self.permutations = permutations
        self.minimumSegment = minimumSegment
        self.seed = seed
    }

    /// The fewest values of which a change can be found: room for two segments, and so many orders of the values that
    /// the two which keep a perfect step halfway together are surely (by three standard deviations of their count)
    /// rarer among the permutations than the significance. Nil when permutations are too few for that.
    var minimumCount: Int? {
        (2 * minimumSegment..<2 * minimumSegment + 200).first { count in
            let expected = Double(permutations) * MannWhitney.smallestP(count / 2, count - count / 2)
            let reached = 1 + expected + 3 * expected.squareRoot()
            return reached <= significance * Double(permutations + 1)
        }
    }

    /// The changes of a series of finite values, in its order.
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

    /// The share of permutations within the segments whose best split is as good; the series itself is one of them. Nil
    /// as soon as that is sure to exceed the significance, which for mere noise a few permutations tell.
    private func p(of split: EnergySplit, in series: [Double], _ starts: [Int], _ random: inout SplitMix64) -> Double? {
        // What differs by rounding alone is as good.
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

/// A place where a series changed.
struct ChangePoint: Sendable, Equatable {
    /// Of the first value after the change.
    let index: Int
    /// How often a series without the change would look like it.
    let p: Double
    /// The median of the segment before.
    let before: Double
    /// The median of the segment after.
    let after: Double
}

extension SplitMix64 {
    /// Puts a part of an array in random order (Durstenfeld, 1964). The standard library's own may do it otherwise in
    /// another release.
    fileprivate mutating func shuffle(_ values: inout [Double], _ range: Range<Int>) {
        for count in stride(from: range.count, to: 1, by: -1) {
            let chosen = Int(next().multipliedFullWidth(by: UInt64(count)).high)
            values.swapAt(range.lowerBound + count - 1, range.lowerBound + chosen)
        }
    }
}
