import Foundation
import Testing

@testable import BenchHarness

/// What the test promises, by simulation: launches that scatter by 1.15 %, as fresh processes of one program do, one
/// in twenty-five of them far astray.
@Suite struct SequentialTestTests {
    private let test = SequentialTest(launches: 80, figures: 8, alpha: 0.002)
    private let threshold = 0.015
    private static let runs = 1_000

    /// The share of simulated runs that come to each verdict; what stays open is left out.
    private func shares(change: Double, deviation: Double = 0.0115, seed: UInt64) -> [Verdict: Double] {
        var random = SplitMix64(state: seed)
        var counts: [Verdict: Int] = [:]
        for _ in 0..<Self.runs {
            let launches = (0..<test.launches).map { _ in
                log(1 + change) + random.nextNormal() * deviation * (random.next() % 25 == 0 ? 5 : 1)
            }
            if let verdict = test.decision(launches, threshold: threshold)?.verdict { counts[verdict, default: 0] += 1 }
        }
        return counts.mapValues { Double($0) / Double(Self.runs) }
    }

    @Test func aChangeOfThreePercentIsCaught() {
        #expect(shares(change: 0.03, seed: 1)[.regressed, default: 0] > 0.98)
        #expect(shares(change: -0.03, seed: 2)[.improved, default: 0] > 0.98)
    }

    @Test func whatHasNotChangedIsShownToBeUnchanged() {
        let shares = shares(change: 0, seed: 3)
        #expect(shares[.unchanged, default: 0] > 0.98)
        #expect(shares[.regressed, default: 0] + shares[.improved, default: 0] < 0.005)
    }

    @Test func atTheThresholdNeitherIsShownOften() {
        let shares = shares(change: threshold, seed: 4)
        #expect(shares[.regressed, default: 0] < 0.05)
        #expect(shares[.unchanged, default: 0] < 0.05)
    }

    @Test func noiseThatIsTooLargeLeavesItOpen() {
        let shares = shares(change: 0, deviation: 0.1, seed: 5)
        #expect(shares.values.reduce(0, +) < 0.01)
    }

    @Test func aChangeOfTenPercentTakesFewLaunches() {
        var random = SplitMix64(state: 6)
        for _ in 0..<100 {
            let launches = (0..<12).map { _ in log(1.1) + random.nextNormal() * 0.0115 }
            #expect(test.decision(launches, threshold: threshold)?.verdict == .regressed)
        }
    }

    /// One wait for storage makes a turn many times longer.
    @Test func fewLaunchesDecideOnlyWhereTheyMay() {
        let stalled = [log(4.1), 0.001, -0.001, 0.002, 0, -0.002, 0.001, 0]
        #expect(test.decision(stalled, threshold: threshold)?.verdict == .regressed)
        #expect(test.decision(stalled, threshold: threshold, takesFew: false)?.verdict != .regressed)
    }

    @Test func noMoreLaunchesAreNamedThanARunTakes() {
        let scattered = [0.3, -0.3, 0.25, -0.2, 0.1, -0.14]
        #expect(test.launchesNeeded(scattered, threshold: 0.9).map { $0 <= 1_000 } == true)
        #expect(test.launchesNeeded(scattered.map { $0 / 2 + 0.0091 }, threshold: threshold) == nil)
    }

    @Test func aVerdictStandsAfterFurtherLaunches() {
        let steady = (0..<6).map { 0.1 + Double($0) * 1e-4 }
        #expect(test.decision(steady, threshold: threshold)?.verdict == .regressed)
        let longer = test.decision(steady + [-3, -3, -3, -3, -3, -3], threshold: threshold)
        #expect(longer?.verdict == .regressed && longer?.launches == 5)
    }

    @Test func fewLaunchesDecideNothing() {
        #expect(test.decision([0.3, 0.3, 0.3, 0.3], threshold: threshold)?.verdict == nil)
        #expect(test.decision([], threshold: threshold)?.verdict == nil)
        #expect(SequentialTest.looks(of: 17) == [5, 6, 8, 10, 12, 14, 16, 17])
        #expect(SequentialTest.looks(of: 160).suffix(3) == [145, 154, 160])
        #expect(SequentialTest.looks(of: 3).isEmpty)
    }

    /// What is that slow leaves time for few launches, and must not pass for that reason.
    @Test(arguments: [([900.0], 1), ([2.1, 2.5], 2), ([1.2, 1.7, 1.7], nil), ([1.5, 1.43, 1.6, 1.5], 4)])
    func aSlowdownThatNoNoiseExplainsTakesFewerLaunches(ratios: [Double], launches: Int?) {
        #expect(test.decision(ratios.map { log($0) }, threshold: threshold)?.launches == launches)
        #expect(test.decision(ratios.map { -log($0) }, threshold: threshold) == nil)
        #expect(test.decision(ratios.map { log($0) }, threshold: threshold, accepted: 1_000) == nil)
    }

    @Test func saysHowManyLaunchesWouldDecide() throws {
        let alternating = (0..<10).map { $0 % 2 == 0 ? 0.02 : -0.02 }
        let needed = try #require(test.launchesNeeded(alternating, threshold: threshold))
        #expect((11...40).contains(needed))
        #expect(test.launchesNeeded([0.1], threshold: threshold) == nil)
    }
}
