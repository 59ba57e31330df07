import BenchHarness

/// The settings of a simulation of many comparisons.
public struct PowerSettings: Sendable {
    /// Repetitions on each side.
    public var repetitions = [5, 7, 10, 15]
    /// The most launches of sides that take turns; empty takes 24 and those of the recorded run, whose alpha is spent
    /// on as many.
    public var launches: [Int] = []
    /// Slowdowns of one phase of one driver, in percent; empty takes those of interest for the kind of comparison.
    public var slowdownsPercent: [Double] = []
    /// The number of comparisons without a change, for each number of repetitions.
    public var comparisons = 2_000
    /// The number of comparisons with a slowdown, for each size of slowdown.
    public var comparisonsPerSlowdown = 500
    /// The standard deviation of synthetic noise, in percent; nil takes the recorded noise.
    public var noisePercent: Double?
    /// Seeds the simulation.
    public var seed: UInt64 = 1

    /// Creates settings with the defaults.
    public init() {}

    func slowdownsPercent(orElse others: [Double]) -> [Double] { slowdownsPercent.isEmpty ? others : slowdownsPercent }

    /// A random generator of its own for each simulated comparison, independent of the thread that runs it.
    static func generator(_ seed: UInt64, comparison index: Int, size: Int) -> SplitMix64 {
        SplitMix64(state: seed &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(size) << 32)
    }
}
