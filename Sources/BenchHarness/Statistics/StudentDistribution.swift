import Foundation

/// Student's t distribution with a whole number of degrees of freedom.
enum StudentDistribution {
    /// Returns the probability of a value between `-t` and `t`: the finite series 26.7.3 and 26.7.4 of Abramowitz and
    /// Stegun, "Handbook of Mathematical Functions" (1964), which are exact.
    ///
    /// - Complexity: O(degrees of freedom).
    static func probability(within t: Double, degreesOfFreedom: Int) -> Double {
        precondition(degreesOfFreedom > 0 && t >= 0, "a distance, and at least one degree of freedom")
        return probability(angle: atan(t / Double(degreesOfFreedom).squareRoot()), degreesOfFreedom)
    }

    /// Returns the distance from 0 within which a value lies with probability `confidence`: the 97.5th percentile for
    /// 0.95.
    static func distance(holding confidence: Double, degreesOfFreedom: Int) -> Double {
        precondition(degreesOfFreedom > 0 && (0..<1).contains(confidence), "a probability below 1")
        // The angle whose tangent is t / sqrt(degrees of freedom) is bounded; t is not.
        var (low, high) = (0.0, Double.pi / 2)
        for _ in 0..<80 {
            let middle = (low + high) / 2
            if probability(angle: middle, degreesOfFreedom) < confidence { low = middle } else { high = middle }
        }
        return tan((low + high) / 2) * Double(degreesOfFreedom).squareRoot()
    }

    private static func probability(angle: Double, _ degreesOfFreedom: Int) -> Double {
        let isOdd = degreesOfFreedom % 2 == 1
        let (sine, cosine) = (sin(angle), cos(angle))
        if degreesOfFreedom == 1 { return 2 * angle / .pi }
        var term = isOdd ? cosine : 1
        var sum = term
        // Each term is the previous one times cos² and k / (k + 1), with k from 2 for odd degrees and from 1 for even
        // ones.
        for k in stride(from: isOdd ? 2 : 1, to: degreesOfFreedom - 2, by: 2) {
            term *= cosine * cosine * Double(k) / Double(k + 1)
            sum += term
        }
        return isOdd ? 2 / .pi * (angle + sine * sum) : sine * sum
    }
}
