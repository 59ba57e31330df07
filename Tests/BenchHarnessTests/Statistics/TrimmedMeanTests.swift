import Testing

@testable import BenchHarness

/// Reference values: `scipy.stats.trim_mean(x, 0.1)`, `scipy.stats.mstats.winsorize`, `scipy.stats.t` and
/// `scipy.stats.ttest_1samp` (SciPy 1.17).
@Suite struct TrimmedMeanTests {
    private let values = [
        0.012, -0.004, 0.009, 0.031, -0.002, 0.005, 0.007, -0.011, 0.003, 0.120, 0.006, 0.001,
    ]

    @Test func leavesOutATenthAtEachEnd() throws {
        let mean = try #require(TrimmedMean(values))
        #expect(abs(mean.mean - 0.0068) < 1e-12)
        #expect(abs(mean.standardError - 0.004151193491925834) < 1e-12)
        #expect(mean.degreesOfFreedom == 9)
        let interval = mean.interval(holding: 0.95)
        #expect(abs(interval.lowerBound - -0.00259065) < 1e-8)
        #expect(abs(interval.upperBound - 0.01619065) < 1e-8)
        #expect(abs(mean.p(of: 0) - 0.13582878295111328) < 1e-9)
    }

    @Test func isTheOrdinaryMeanOfFewValues() throws {
        let mean = try #require(TrimmedMean(Array(values.prefix(5))))
        #expect(abs(mean.mean - 0.0092) < 1e-12)
        #expect(abs(mean.standardError - 0.0062561969278468205) < 1e-12)
        #expect(abs(mean.p(of: 0) - 0.21536884602932838) < 1e-9)
    }

    @Test func needsTwoValues() {
        #expect(TrimmedMean([]) == nil)
        #expect(TrimmedMean([1]) == nil)
    }

    @Test func oneValueThatWentAstrayDoesNotMatter() throws {
        var astray = values
        astray[9] = 1_000
        #expect(TrimmedMean(astray) == TrimmedMean(values))
    }

    @Test func valuesThatAreAllAlikeLeaveNoDoubt() throws {
        let mean = try #require(TrimmedMean([0.5, 0.5, 0.5]))
        #expect(mean.p(of: 0.5) == 1)
        #expect(mean.p(of: 0) == 0)
        #expect(mean.interval(holding: 0.99) == 0.5...0.5)
    }
}
