import Foundation
import Testing

@testable import BenchHarness

@Suite struct EDivisiveTests {
    /// Levels with normal noise of one percent.
    private func series(_ levels: [(count: Int, level: Double)], seed: UInt64) -> [Double] {
        var random = SplitMix64(state: seed)
        return levels.flatMap { count, level in
            (0..<count).map { _ in level * (1 + 0.01 * random.nextNormal()) }
        }
    }

    @Test func aStepIsFoundAtItsPlace() throws {
        let points = EDivisive().changePoints(in: series([(20, 100), (15, 110)], seed: 1))
        #expect(points.map(\.index) == [20])
        let point = try #require(points.first)
        #expect(point.p <= 0.01)
        #expect(abs(point.before - 100) < 1 && abs(point.after - 110) < 1)
    }

    @Test func aStepNearTheEndIsFound() {
        let points = EDivisive().changePoints(in: series([(20, 100), (3, 130)], seed: 2))
        #expect(points.map(\.index) == [20])
    }

    @Test func twoStepsAreFoundInOrder() {
        let points = EDivisive(permutations: 199).changePoints(in: series([(15, 100), (15, 120), (15, 90)], seed: 3))
        #expect(points.map(\.index) == [15, 30])
        #expect(points.map { ($0.before / 10).rounded() } == [10, 12])
        #expect(points.map { ($0.after / 10).rounded() } == [12, 9])
    }

    @Test func equalSeedsFindEqualPoints() {
        let values = series([(12, 100), (12, 103)], seed: 4)
        #expect(EDivisive(seed: 9).changePoints(in: values) == EDivisive(seed: 9).changePoints(in: values))
    }

    @Test(arguments: [[], [1], [1, 2], [1, 2, 3, 4, 5], [Double](repeating: 7, count: 40)] as [[Double]])
    func shortOrConstantSeriesHaveNone(values: [Double]) {
        #expect(EDivisive().changePoints(in: values).isEmpty)
    }

    /// The bounds are those that Binomial(400, significance) keeps in 999 of 1,000 cases; seeds are fixed besides.
    @Test(arguments: [(0.1, 99, 22...61), (0.01, 999, 0...12)])
    func noiseHasOneAsOftenAsTheSignificance(significance: Double, permutations: Int, expected: ClosedRange<Int>) {
        let search = EDivisive(significance: significance, permutations: permutations)
        let alarms = (0..<400).count { seed in
            !search.changePoints(in: series([(16, 100)], seed: UInt64(1_000 + seed))).isEmpty
        }
        #expect(expected.contains(alarms), "\(alarms) of 400")
    }

    @Test func aSlowDriftIsSplitWithoutEnd() {
        let drift = (0..<60).map { 100 + Double($0) / 10 }
        let points = EDivisive(permutations: 199).changePoints(in: drift)
        #expect(!points.isEmpty)
        for (point, next) in zip(points, points.dropFirst()) { #expect(next.index - point.index >= 3) }
    }

    @Test func scaleAndOffsetDoNotMatter() {
        let values = series([(10, 100), (10, 104)], seed: 5)
        let indices = EDivisive().changePoints(in: values).map(\.index)
        #expect(indices == [10])
        #expect(EDivisive().changePoints(in: values.map { 1e9 + $0 * 1e6 }).map(\.index) == indices)
    }

    @Test func fewestValuesThatCanTellCanTell() throws {
        #expect(EDivisive(permutations: 9).minimumCount == nil)
        #expect(EDivisive(significance: 0.5).minimumCount == 6)
        #expect(EDivisive(minimumSegment: 10).minimumCount == 20)
        let count = try #require(EDivisive().minimumCount)
        #expect(count == 12)
        let step = (0..<count).map { $0 < count / 2 ? 100.0 + Double($0) : 200 + Double($0) }
        for seed in 1...20 {
            #expect(EDivisive(seed: UInt64(seed)).changePoints(in: step).map(\.index) == [count / 2])
        }
    }

    @Test func aCorrectedSearchHasPermutationsForItsSignificance() throws {
        #expect(EDivisive().corrected(for: 5).significance == 0.01)
        let search = EDivisive().corrected(for: 100)
        #expect(search.significance == 0.0005 && search.permutations == 19_999)
        let count = try #require(search.minimumCount)
        #expect(count == 16)
    }

    @Test func splitAgreesWithTheDefinition() throws {
        var random = SplitMix64(state: 11)
        let values = (0..<14).map { _ in random.nextNormal() }
        let split = try #require(EnergySplit(of: values, 1..<13, minimumSegment: 3))
        var best = (index: 0, distance: -Double.infinity)
        for end in 7...13 {
            for index in 4...end - 3 {
                let distance = energy(Array(values[1..<index]), Array(values[index..<end]))
                if distance > best.distance { best = (index, distance) }
            }
        }
        #expect(split.index == best.index)
        #expect(abs(split.distance - best.distance) < 1e-12)
    }

    /// Q by its definition, pair by pair.
    private func energy(_ left: [Double], _ right: [Double]) -> Double {
        func mean(_ a: [Double], _ b: [Double], _ pairs: Int) -> Double {
            a.reduce(0) { sum, x in b.reduce(sum) { $0 + abs(x - $1) } } / Double(pairs)
        }
        let (n, m) = (left.count, right.count)
        let energy =
            2 * mean(left, right, n * m) - mean(left, left, n * (n - 1)) - mean(right, right, m * (m - 1))
        return Double(n * m) / Double(n + m) * energy
    }
}
