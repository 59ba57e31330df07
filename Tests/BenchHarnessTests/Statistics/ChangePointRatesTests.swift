import Foundation
import Testing

@testable import BenchHarness

/// How often the search finds what is there, and something where nothing is.
///
/// `SERIES=200 swift test --filter ChangePointRatesTests` prints the rates that the manual has.
@Suite struct ChangePointRatesTests {
    /// A kind of history of 45 runs, with normal noise.
    enum History: String, CaseIterable {
        case noise, step, plateau, drift
        case spike = "spike near the end"

        /// The level of a run, in standard deviations of the noise.
        func level(_ run: Int) -> Double {
            switch self {
            case .noise: 0
            case .step: run < 20 ? 0 : 2
            case .plateau: (20..<25).contains(run) ? 4 : 0
            case .drift: Double(run) * 4 / 44
            case .spike: run == 43 ? 10 : 0
            }
        }

        /// The first runs after the changes.
        var changes: [Int] {
            switch self {
            case .noise, .drift, .spike: []
            case .step: [20]
            case .plateau: [20, 25]
            }
        }

        /// The share of histories in which something is to be found, at least and at most: the bounds are those that
        /// 40 histories keep in 999 of 1,000 cases.
        var bounds: ClosedRange<Double> {
            switch self {
            case .noise, .spike: 0...0.1
            case .step, .plateau: 0.85...1
            case .drift: 0.9...1
            }
        }
    }

    private static let count = ProcessInfo.processInfo.environment["SERIES"].flatMap { Int($0) } ?? 40

    @Test(arguments: History.allCases) func whatIsThereIsFound(_ history: History) {
        let search = EDivisive(permutations: 199)
        var (any, right) = (0, 0)
        for seed in 0..<Self.count {
            var random = SplitMix64(state: UInt64(7_000 + seed))
            let values = (0..<45).map { history.level($0) + random.nextNormal() }
            let found = search.changePoints(in: values).map(\.index)
            if !found.isEmpty { any += 1 }
            // A run more or less is within the noise.
            let isRight =
                found.count == history.changes.count && zip(found, history.changes).allSatisfy { abs($0 - $1) <= 1 }
            if isRight { right += 1 }
        }
        let share = Double(any) / Double(Self.count)
        #expect(history.bounds.contains(share), "\(history): \(any) of \(Self.count)")
        if Self.count != 40 { print("\(history.rawValue): \(any) of \(Self.count) with a change, \(right) in place") }
    }
}
