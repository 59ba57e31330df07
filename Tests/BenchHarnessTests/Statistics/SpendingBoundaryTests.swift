import Foundation
import Testing

@testable import BenchHarness

@Suite struct SpendingBoundaryTests {
    /// Levels from the joint normal distribution of the sums, as SciPy's multivariate_normal.cdf has it.
    @Test(arguments: [
        (Reference.oneSided, false), (Reference.twoSided, true),
    ])
    func knownBoundaries(reference: [(look: Int, z: Double)], isTwoSided: Bool) {
        let boundary = SpendingBoundary(
            looks: reference.map(\.look), error: 0.05, total: 100, isTwoSided: isTwoSided)
        for (level, expected) in zip(boundary.levels, reference) {
            let z = -NormalDistribution.quantile(isTwoSided ? level / 2 : level)
            #expect(abs(z - expected.z) < 0.001)
        }
    }

    @Test func looksTogetherErrAsOftenAsTheyMay() {
        let looks = Array(stride(from: 5, through: 60, by: 5))
        let boundary = SpendingBoundary(looks: looks, error: 0.1, total: 60, isTwoSided: true)
        var random = SplitMix64(state: 11)
        let runs = 20_000
        var decided = 0
        for _ in 0..<runs {
            var (sum, count) = (0.0, 0)
            let isDecided = zip(looks, boundary.levels).contains { look, level in
                while count < look {
                    sum += random.nextNormal()
                    count += 1
                }
                return 2 * NormalDistribution.cumulative(-abs(sum) / Double(count).squareRoot()) < level
            }
            if isDecided { decided += 1 }
        }
        // Three standard errors.
        #expect(abs(Double(decided) / Double(runs) - 0.1) < 0.0064)
    }

    @Test func aSingleLookSpendsAllAtOnce() {
        let boundary = SpendingBoundary(looks: [20], error: 0.05, total: 20, isTwoSided: true)
        #expect(abs(boundary.levels[0] - 0.05) < 1e-9)
        #expect(SpendingBoundary(looks: [], error: 0.05, total: 20, isTwoSided: false).levels.isEmpty)
    }
}

private enum Reference {
    static let oneSided = [(look: 10, z: 2.5758), (20, 2.4920), (40, 2.2355), (70, 2.0235), (100, 1.9064)]
    static let twoSided = [(look: 10, z: 2.8070), (20, 2.7403), (40, 2.5062), (70, 2.3195), (100, 2.2241)]
}
