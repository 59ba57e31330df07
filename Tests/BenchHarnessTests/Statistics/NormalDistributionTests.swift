import Testing

@testable import BenchHarness

@Suite struct NormalDistributionTests {
    /// `scipy.stats.norm.cdf(z)`, SciPy 1.17.1.
    @Test(arguments: [
        (-37.0, 5.7255712225239266e-300), (-8.0, 6.22096057427174e-16), (-1.96, 0.024997895148220435),
        (-0.3, 0.3820885778110474), (0.0, 0.5), (1.0, 0.8413447460685429), (6.0, 0.9999999990134123),
    ])
    func probabilitiesAgreeWithReferenceValues(z: Double, expected: Double) {
        #expect(abs(NormalDistribution.cumulative(z) / expected - 1) < 1e-12)
    }

    /// `scipy.stats.norm.ppf(p)`, SciPy 1.17.1.
    @Test(arguments: [
        (1e-300, -37.0470962993612), (1e-20, -9.262340089798409), (1e-5, -4.264890793922825),
        (0.025, -1.9599639845400545), (0.075, -1.4395314709384563), (0.3, -0.5244005127080409), (0.5, 0),
        (0.8, 0.8416212335729143), (0.975, 1.959963984540054), (0.999999, 4.753424308817087),
    ])
    func quantilesAgreeWithReferenceValues(p: Double, expected: Double) {
        #expect(abs(NormalDistribution.quantile(p) - expected) < 1e-13 * max(1, abs(expected)))
    }

    @Test func quantilesUndoProbabilities() {
        for step in -60...60 {
            let z = Double(step) / 10
            let error = NormalDistribution.quantile(NormalDistribution.cumulative(z)) - z
            #expect(abs(error) < (z > 4 ? 1e-7 : 1e-12))
        }
    }

    @Test func quantilesEndInInfinity() {
        #expect(NormalDistribution.quantile(0) == -.infinity)
        #expect(NormalDistribution.quantile(1) == .infinity)
        #expect(NormalDistribution.quantile(-0.1).isNaN)
    }
}
