import Testing

@testable import BenchHarness

/// Reference values are SciPy 1.17.1's: `mannwhitneyu(first, second, method=…)`.
@Suite struct MannWhitneyTests {
    @Test(arguments: [
        ([12.1, 11.9, 12.4, 12.2, 12.0], [12.6, 12.3, 12.8, 12.5, 12.7, 11.95], 5.0, 0.08225108225108226),
        ([19, 22, 16, 29, 24], [20, 11, 17, 12], 17, 0.1111111111111111),
        // With ties: method=PermutationMethod(n_resamples=inf).
        ([1, 2, 2, 3, 3], [2, 3, 4, 4, 5, 5], 4, 0.06060606060606061),
    ])
    func exactValuesAgreeWithReferenceValues(first: [Double], second: [Double], u: Double, p: Double) throws {
        let test = try #require(MannWhitney(first, second))
        #expect(test.isExact)
        #expect(test.u == u)
        #expect(abs(test.p - p) < 1e-14)
    }

    @Test func largeSamplesAgreeWithTheNormalApproximation() throws {
        let first = (0..<60).map { Double($0) }
        let second = (0..<50).map { Double($0 * 7 % 61) + 10.5 }
        let plain = try #require(MannWhitney(first, second))
        #expect(!plain.isExact && plain.u == 1060)
        #expect(abs(plain.p - 0.008331804443852524) < 1e-14)
        let tiedFirst = (0..<70).map { Double($0 * $0 % 13) }
        let tiedSecond = (0..<45).map { Double($0 * 5 % 17 + 1) }
        let tied = try #require(MannWhitney(tiedFirst, tiedSecond))
        #expect(!tied.isExact && tied.u == 1000.5)
        #expect(abs(tied.p - 0.000948410330105177) < 1e-15)
    }

    /// The largest U that is significant at 0.05, two-sided: Milton, "An Extended Table of Critical Values for the
    /// Mann-Whitney (Wilcoxon) Two-Sample Statistic" (1964), for 3 to 20 against 3 up to as many; -1 where there is
    /// none.
    private static let criticalValues: [[Int]] = [
        [-1], [-1, 0], [0, 1, 2], [1, 2, 3, 5], [1, 3, 5, 6, 8], [2, 4, 6, 8, 10, 13], [2, 4, 7, 10, 12, 15, 17],
        [3, 5, 8, 11, 14, 17, 20, 23], [3, 6, 9, 13, 16, 19, 23, 26, 30], [4, 7, 11, 14, 18, 22, 26, 29, 33, 37],
        [4, 8, 12, 16, 20, 24, 28, 33, 37, 41, 45], [5, 9, 13, 17, 22, 26, 31, 36, 40, 45, 50, 55],
        [5, 10, 14, 19, 24, 29, 34, 39, 44, 49, 54, 59, 64],
        [6, 11, 15, 21, 26, 31, 37, 42, 47, 53, 59, 64, 70, 75],
        [6, 11, 17, 22, 28, 34, 39, 45, 51, 57, 63, 69, 75, 81, 87],
        [7, 12, 18, 24, 30, 36, 42, 48, 55, 61, 67, 74, 80, 86, 93, 99],
        [7, 13, 19, 25, 32, 38, 45, 52, 58, 65, 72, 78, 85, 92, 99, 106, 113],
        [8, 14, 20, 27, 34, 41, 48, 55, 62, 69, 76, 83, 90, 98, 105, 112, 119, 127],
    ]

    @Test func criticalValuesAgreeWithThePublishedTable() throws {
        for (row, values) in Self.criticalValues.enumerated() {
            for (column, critical) in values.enumerated() {
                let (n, m) = (row + 3, column + 3)
                if critical >= 0 { #expect(try p(n, m, u: critical) <= 0.05, "\(n), \(m)") }
                #expect(try p(n, m, u: critical + 1) > 0.05, "\(n), \(m)")
            }
        }
    }

    /// Of samples without ties that have this U.
    private func p(_ n: Int, _ m: Int, u: Int) throws -> Double {
        var (first, rest) = (Array(0..<n), u)
        for index in first.indices.reversed() {
            let step = min(rest, m)
            first[index] += step
            rest -= step
        }
        let second = (0..<n + m).filter { !first.contains($0) }
        let test = try #require(MannWhitney(first.map(Double.init), second.map(Double.init)))
        #expect(test.u == Double(u))
        return test.p
    }

    @Test func tiedSamplesAgreeWithGoingThroughEveryArrangement() throws {
        var random = SplitMix64(state: 5)
        for _ in 0..<60 {
            let count = Int.random(in: 2...10, using: &random)
            let values = (0..<count).map { _ in Double(Int.random(in: 0...4, using: &random)) }
            let size = Int.random(in: 1..<count, using: &random)
            let test = try #require(MannWhitney(Array(values[..<size]), Array(values[size...])))
            #expect(abs(test.p - enumeratedP(values, size)) < 1e-12, "\(values), \(size)")
        }
    }

    /// The same p from the definition of U, by going through every choice of a first sample.
    private func enumeratedP(_ values: [Double], _ size: Int) -> Double {
        let all = (0..<1 << values.count).filter { $0.nonzeroBitCount == size }.map { choice in
            let first = values.indices.filter { choice >> $0 & 1 == 1 }
            let second = values.indices.filter { choice >> $0 & 1 == 0 }
            return first.reduce(0.0) { u, i in
                second.reduce(u) { $0 + (values[i] > values[$1] ? 1 : values[i] == values[$1] ? 0.5 : 0) }
            }
        }
        // The first choice has the first values.
        let u = all[0]
        let tails = (all.filter { $0 <= u }.count, all.filter { $0 >= u }.count)
        return min(1, 2 * Double(min(tails.0, tails.1)) / Double(all.count))
    }

    @Test func swappingTheSamplesKeepsP() throws {
        var random = SplitMix64(state: 6)
        for size in [3, 8, 20, 70] {
            let first = (0..<size).map { _ in Double(Int.random(in: 0...30, using: &random)) }
            let second = (0..<size + 3).map { _ in Double(Int.random(in: 5...35, using: &random)) }
            let (forward, backward) = try (
                #require(MannWhitney(first, second)), #require(MannWhitney(second, first))
            )
            #expect(abs(forward.p - backward.p) < 1e-14)
            #expect(forward.u + backward.u == Double(size * (size + 3)))
        }
    }

    @Test func monotoneTransformationsChangeNothing() throws {
        let (first, second) = ([3.0, 1, 4, 1, 5, 9], [2.0, 6, 5, 3, 5, 8, 9])
        let transformed = MannWhitney(first.map { $0 * $0 * $0 - 7 }, second.map { $0 * $0 * $0 - 7 })
        #expect(transformed == MannWhitney(first, second))
    }

    @Test func samplesWithoutAnyDifferenceHaveAPOfOne() throws {
        #expect(MannWhitney([1, 1, 1], [1, 1])?.p == 1)
        let many = try #require(
            MannWhitney([Double](repeating: 1, count: 80), [Double](repeating: 1, count: 80)))
        #expect(!many.isExact && many.p == 1)
    }

    @Test func nothingCannotBeCompared() {
        #expect(MannWhitney([], [1]) == nil)
        #expect(MannWhitney([1], []) == nil)
        #expect(MannWhitney([1, .nan], [2]) == nil)
    }

    @Test func smallestPIsThatOfSeparateSamples() throws {
        #expect(abs(MannWhitney.smallestP(4, 4) - 2.0 / 70) < 1e-15)
        #expect(abs(MannWhitney.smallestP(7, 7) - 2.0 / 3432) < 1e-15)
        #expect(MannWhitney.smallestP(1, 1) == 1 && MannWhitney.smallestP(0, 5) == 1)
        for (n, m) in [(2, 3), (5, 9), (50, 50), (1, 99)] {
            let test = try #require(MannWhitney((0..<n).map(Double.init), (n..<n + m).map(Double.init)))
            #expect(abs(test.p / MannWhitney.smallestP(n, m) - 1) < 1e-10)
        }
    }

    @Test func moreTestsNeedMoreValues() {
        #expect(MannWhitney.countNeeded(tests: 1, alpha: 0.05) == 4)
        #expect(MannWhitney.countNeeded(tests: 2, alpha: 0.05) == 5)
        #expect(MannWhitney.countNeeded(tests: 80, alpha: 0.05) == 7)
        #expect(MannWhitney.countNeeded(tests: 1, alpha: 0) == nil)
    }
}
