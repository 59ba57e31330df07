import Foundation
import Testing

@testable import BenchHarness

@Suite struct StudentDistributionTests {
    /// By numerical integration of the density in another language; 0.95 agrees with the published table to its last
    /// digit.
    @Test(arguments: [
        (0.95, 1, 12.706204736174676), (0.95, 2, 4.302652729749481), (0.95, 3, 3.1824463052836904),
        (0.95, 4, 2.776445105197765), (0.95, 10, 2.2281388519862078), (0.95, 30, 2.0422724563011125),
        (0.95, 101, 1.9837310029553494), (0.99, 5, 4.032142983555014), (0.5, 7, 0.7111417780817834),
    ])
    func distancesAgreeWithReferenceValues(confidence: Double, degrees: Int, expected: Double) {
        let distance = StudentDistribution.distance(holding: confidence, degreesOfFreedom: degrees)
        #expect(abs(distance / expected - 1) < 1e-10)
        #expect(abs(StudentDistribution.probability(within: distance, degreesOfFreedom: degrees) - confidence) < 1e-12)
    }

    @Test func manyDegreesOfFreedomAreNormal() {
        let distance = StudentDistribution.distance(holding: 0.95, degreesOfFreedom: 1_000_000)
        #expect(abs(distance - NormalDistribution.quantile(0.975)) < 1e-5)
    }
}
