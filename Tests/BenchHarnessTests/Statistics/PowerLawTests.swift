import Foundation
import Testing

@testable import BenchHarness

@Suite struct PowerLawTests {
    /// Least squares of NumPy 2 on the logarithms, with the t distance for six degrees of freedom.
    @Test func agreesWithReferenceValues() throws {
        let sizes: [Double] = [10, 10, 100, 100, 1_000, 1_000, 10_000, 10_000]
        let values: [Double] = [21, 25, 180, 210, 2_100, 1_900, 26_000, 24_500]
        let law = try #require(PowerLaw(Array(zip(sizes, values))))
        #expect(abs(law.exponent - 1.0137710741318853) < 1e-9)
        #expect(abs(law.interval.lowerBound - 0.9676243240243412) < 1e-9)
        #expect(abs(law.interval.upperBound - 1.0599178242394294) < 1e-9)
    }

    @Test(arguments: [0.5, 1, 1.05, 2])
    func aPowerIsFoundAsItIs(exponent: Double) throws {
        let law = try #require(PowerLaw([10.0, 100, 1_000].map { ($0, 7 * pow($0, exponent)) }))
        #expect(abs(law.exponent - exponent) < 1e-12)
        #expect(law.interval.upperBound - law.interval.lowerBound < 1e-9)
    }

    @Test func aBendWidensTheInterval() throws {
        let bent = try #require(PowerLaw([(10, 10), (100, 100), (1_000, 10_000)]))
        #expect(bent.interval.contains(1) && bent.interval.contains(2))
    }

    @Test func intervalsHoldTheExponentAsOftenAsTheySay() throws {
        var random = SplitMix64(state: 4)
        let hits = try (0..<2_000).count { _ in
            let points = [10.0, 10, 100, 100, 1_000, 1_000].map { size -> (size: Double, value: Double) in
                let scatter = NormalDistribution.quantile(Double.random(in: 0.000_01..<0.999_99, using: &random))
                return (size, size * exp(0.1 * scatter))
            }
            return try #require(PowerLaw(points)).interval.contains(1)
        }
        #expect((1_870...1_930).contains(hits))
    }

    @Test func twoSizesAndWhatHasNoLogarithmAreNotFitted() {
        #expect(PowerLaw([(10, 1), (10, 2), (100, 3), (100, 4)]) == nil)
        #expect(PowerLaw([(10, 1), (100, 0), (1_000, 3)]) == nil)
        #expect(PowerLaw([(10, 1), (100, .infinity), (1_000, 3)]) == nil)
        #expect(PowerLaw([]) == nil)
    }
}
