/// Two neighbouring parts of a segment of a series that differ most.
///
/// The left part begins with the segment. The right one may end before the segment does: values that went up and came
/// back are like the values before if they are taken together with those after (κ of Matteson and James).
struct EnergySplit {
    /// The index of the first value of the right part.
    private(set) var index: Int
    /// The energy distance between the parts, scaled by their sizes: Q of Matteson and James (2014), equations 5 and 6.
    private(set) var distance: Double

    /// Finds the split; nil if a part would have fewer than `minimumSegment` values.
    ///
    /// - Complexity: O(n²): a part's distances within are those of the part without its first value, and those of that
    ///   value to the others.
    init?(of series: [Double], _ segment: Range<Int>, minimumSegment: Int) {
        guard segment.count >= 2 * minimumSegment else { return nil }
        var best = (index: minimumSegment, distance: -Double.infinity)
        series.withUnsafeBufferPointer { series in
            let values = UnsafeBufferPointer(rebasing: series[segment])
            // The sums of distances within the values from each index up to `end`, and within those before each index.
            var upToEnd = [Double](repeating: 0, count: values.count)
            var before = [Double](repeating: 0, count: values.count + 1)
            for end in values.indices {
                var added = 0.0
                for start in (0..<end).reversed() {
                    added += abs(values[start] - values[end])
                    upToEnd[start] += added
                }
                before[end + 1] = upToEnd[0]
                guard end + 1 >= 2 * minimumSegment else { continue }
                for index in minimumSegment...end + 1 - minimumSegment {
                    let (left, right) = (before[index], upToEnd[index])
                    let own = Self.distance(
                        between: upToEnd[0] - left - right, left, Double(index), right, Double(end + 1 - index))
                    if own > best.distance { best = (index, own) }
                }
            }
        }
        (index, distance) = (segment.lowerBound + best.index, best.distance)
    }

    /// Returns Q for sums of distances, in which each pair counts once, of `n` values and `m` values.
    private static func distance(
        between: Double, _ left: Double, _ n: Double, _ right: Double, _ m: Double
    ) -> Double {
        let energy = 2 * between / (n * m) - 2 * left / (n * (n - 1)) - 2 * right / (m * (m - 1))
        return n * m / (n + m) * energy
    }
}
