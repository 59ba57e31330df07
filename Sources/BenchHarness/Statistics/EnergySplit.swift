/// The split of a segment of a series into its two most different sides.
struct EnergySplit {
    /// The index of the first value of the right side.
    private(set) var index: Int
    /// The energy distance between the sides, scaled by their sizes: Q of Matteson and James (2014), equations 5 and 6.
    private(set) var distance: Double

    /// Finds the split; nil if a side would have fewer than `minimumSegment` values.
    ///
    /// - Complexity: O(n²): the sums of distances are updated as one value after another changes sides.
    init?(of series: [Double], _ segment: Range<Int>, minimumSegment: Int) {
        guard segment.count >= 2 * minimumSegment else { return nil }
        (index, distance) = (segment.lowerBound + minimumSegment, -.infinity)
        series.withUnsafeBufferPointer { values in
            var sums = Sums(right: Self.sumWithin(values, segment))
            for moving in segment.dropLast(minimumSegment) {
                let toLeft = Self.sum(values, segment.lowerBound..<moving, from: values[moving])
                let toRight = Self.sum(values, moving + 1..<segment.upperBound, from: values[moving])
                sums.move(toLeft: toLeft, toRight: toRight)
                let leftCount = moving + 1 - segment.lowerBound
                guard leftCount >= minimumSegment else { continue }
                let own = sums.distance(Double(leftCount), Double(segment.count - leftCount))
                if own > distance { (index, distance) = (moving + 1, own) }
            }
        }
    }

    private static func sumWithin(_ values: UnsafeBufferPointer<Double>, _ range: Range<Int>) -> Double {
        range.reduce(0) { $0 + sum(values, range.lowerBound..<$1, from: values[$1]) }
    }

    private static func sum(_ values: UnsafeBufferPointer<Double>, _ range: Range<Int>, from value: Double) -> Double {
        var sum = 0.0
        for index in range { sum += abs(values[index] - value) }
        return sum
    }

    /// Sums of the distances of pairs; each pair counts once.
    private struct Sums {
        var left = 0.0
        var right: Double
        var between = 0.0

        init(right: Double) {
            self.right = right
        }

        /// Moves a value from the right to the left, given its sums of distances to either side.
        mutating func move(toLeft: Double, toRight: Double) {
            left += toLeft
            right -= toRight
            between += toRight - toLeft
        }

        func distance(_ n: Double, _ m: Double) -> Double {
            let energy = 2 * between / (n * m) - 2 * left / (n * (n - 1)) - 2 * right / (m * (m - 1))
            return n * m / (n + m) * energy
        }
    }
}
