@testable import BenchHarness

extension SplitMix64 {
    /// A value of the standard normal distribution.
    mutating func nextNormal() -> Double {
        NormalDistribution.quantile((Double(next() >> 11) + 0.5) / Double(1 << 53))
    }
}
