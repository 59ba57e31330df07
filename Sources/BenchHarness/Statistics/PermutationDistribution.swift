/// The exact distribution of a sum of integer scores if chance alone chooses which scores count, by the shift algorithm
/// of Streitberg and Röhmel, "Exact Distributions for Permutation and Rank Tests" (Statistical Software Newsletter 12,
/// 1986). Scores may be tied, which closed formulas for ranks do not allow.
struct PermutationDistribution {
    /// The probability of each sum, from 0 upward.
    private let probabilities: [Double]
    /// The offset that every score was reduced by, times the number of scores that count; and the divisor applied after
    /// that.
    private let offset: Int
    private let divisor: Int

    /// Creates the distribution of the sum of `count` of the `scores`, with every choice equally likely.
    ///
    /// - Complexity: O(scores.count · count · largest sum).
    init(choosing count: Int, of scores: [Int]) {
        let smallest = scores.min() ?? 0
        divisor = scores.allSatisfy { ($0 - smallest).isMultiple(of: 2) } ? 2 : 1
        offset = smallest * count
        let lowered = scores.map { [divisor] in ($0 - smallest) / divisor }.sorted()
        let largest = lowered.suffix(count).reduce(0, +)
        let ways = Self.ways(toChoose: count, of: lowered, largest: largest)
        let all = ways.reduce(0, +)
        probabilities = ways.map { $0 / all }
    }

    /// Creates the distribution of the sum of the `scores` if each counts with probability 1/2.
    ///
    /// - Complexity: O(scores.count · sum of the scores).
    init(flipping scores: [Int]) {
        let divisor = scores.allSatisfy { $0.isMultiple(of: 2) } ? 2 : 1
        self.divisor = divisor
        offset = 0
        var probabilities = [1.0]
        for score in scores.map({ $0 / divisor }) {
            var next = [Double](repeating: 0, count: probabilities.count + score)
            for (sum, probability) in probabilities.enumerated() {
                next[sum] += probability / 2
                next[sum + score] += probability / 2
            }
            probabilities = next
        }
        self.probabilities = probabilities
    }

    /// Returns the probability of a sum of at most `sum`.
    func atMost(_ sum: Int) -> Double {
        probabilities.prefix(max(place(of: sum) + 1, 0)).reduce(0, +)
    }

    /// Returns the probability of a sum of at least `sum`.
    func atLeast(_ sum: Int) -> Double {
        probabilities.dropFirst(max(place(of: sum), 0)).reversed().reduce(0, +)
    }

    /// Returns twice the smaller tail, at most 1; both tails include `sum` itself.
    func twoSidedP(_ sum: Int) -> Double {
        min(1, 2 * min(atMost(sum), atLeast(sum)))
    }

    /// Returns the largest `k` for which a sum below `k` has at most `probability`; 0 if there is none.
    func criticalValue(_ probability: Double) -> Int {
        var total = 0.0
        for (sum, own) in probabilities.enumerated() {
            total += own
            if total > probability { return sum * divisor + offset }
        }
        return probabilities.count * divisor + offset
    }

    private func place(of sum: Int) -> Int { (sum - offset) / divisor }

    /// Returns the number of ways to choose `count` scores for each sum.
    ///
    /// The counts are Doubles: the ways to choose 50 of 100 exceed 64 bits, and sums of positive terms stay precise to
    /// about their last digit.
    private static func ways(toChoose count: Int, of scores: [Int], largest: Int) -> [Double] {
        let width = largest + 1
        var ways = [Double](repeating: 0, count: (count + 1) * width)
        ways[0] = 1
        var reach = 0
        ways.withUnsafeMutableBufferPointer { ways in
            for (index, score) in scores.enumerated() {
                reach = min(reach + score, largest)
                // Downward, so that no score is taken twice.
                for chosen in stride(from: min(index + 1, count), to: 0, by: -1) where reach >= score {
                    let (to, from) = (chosen * width, (chosen - 1) * width - score)
                    for sum in score...reach { ways[to + sum] += ways[from + sum] }
                }
            }
            return
        }
        return Array(ways.suffix(width))
    }
}
