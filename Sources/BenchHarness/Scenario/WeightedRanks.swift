/// Draws ranks with given probabilities, in constant time on average.
///
/// A draw searches the cumulative weights, but only between the two ranks that a table gives for the first bits of the
/// draw: the method of cutpoints (Chen and Asau, 1974).
struct WeightedRanks: Sendable {
    private static let cutpointBits: UInt64 = 10

    /// The sum of the weights up to each rank, in units of `2^-53` of the sum of all.
    private var sums: [UInt64]
    /// The lowest rank that a draw with these first bits can have.
    private var cutpoints: [Int] = []

    /// Creates a table; the weights are at least 0, and one is above it.
    init(_ weights: [Double]) {
        let all = weights.reduce(0, +)
        precondition(all > 0, "no weight is above 0")
        var sum = 0.0
        sums = weights.map { weight in
            sum += weight
            return UInt64(min(sum / all, 1) * 0x1p53)
        }
        // Rounding may leave the last sums below the largest draw.
        let last = weights.lastIndex { $0 > 0 } ?? weights.count - 1
        for rank in last..<weights.count { sums[rank] = 1 << 53 }
        var rank = 0
        for cutpoint in 0..<(1 << Self.cutpointBits) {
            let draw = UInt64(cutpoint) << (53 - Self.cutpointBits)
            while sums[rank] <= draw { rank += 1 }
            cutpoints.append(rank)
        }
    }

    /// Draws a rank.
    func next(_ bits: inout SplitMix64) -> Int {
        let draw = bits.next() >> 11
        let cutpoint = Int(draw >> (53 - Self.cutpointBits))
        var low = cutpoints[cutpoint]
        var high = cutpoint + 1 < cutpoints.count ? cutpoints[cutpoint + 1] : sums.count - 1
        // The first rank whose sum is above the draw.
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > draw { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
