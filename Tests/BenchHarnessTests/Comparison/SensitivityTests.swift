import Foundation
import Testing

@testable import BenchHarness

@Suite struct SensitivityTests {
    private func run(_ count: Int, deviation: Double, factor: Double, _ random: inout SplitMix64) -> RecordedRun {
        ComparisonFixture.phase((0..<count).map { _ in 100 * factor * exp(deviation * random.nextNormal()) })
    }

    /// The size that a comparison names is caught about as often as promised.
    @Test(arguments: [(8, 0.05), (8, 0.2), (15, 0.05)])
    func theNamedSlowdownIsMostlyCaught(repetitions: Int, deviation: Double) throws {
        var random = SplitMix64(state: 7)
        let sizes = try (0..<60).map { _ in
            let comparison = try Comparison(
                base: [run(repetitions, deviation: deviation, factor: 1, &random)],
                new: [run(repetitions, deviation: deviation, factor: 1, &random)])
            return try #require(comparison.sensitivity).median
        }
        let size = try #require(SampleSummary(sizes)).median
        let caught = try (0..<200).count { _ in
            let comparison = try Comparison(
                base: [run(repetitions, deviation: deviation, factor: 1, &random)],
                new: [run(repetitions, deviation: deviation, factor: 1 + size, &random)])
            return comparison.judgement("duration")?.verdict == .regressed
        }
        #expect((140...185).contains(caught), "\(caught) of 200 at \(size)")
    }

    /// Repetitions of 4 % in which nothing has changed: as many as are named mostly show that.
    @Test func theNamedRepetitionsMostlyDecide() throws {
        var random = SplitMix64(state: 3)
        let comparison = { (count: Int) in
            try Comparison(
                base: [run(count, deviation: 0.02, factor: 1, &random)],
                new: [run(count, deviation: 0.02, factor: 1, &random)])
        }
        let counts = try (0..<40).compactMap { _ in
            try comparison(8).judgement("duration").flatMap(Sensitivity.repetitionsNeeded)
        }
        let count = try #require(SampleSummary(counts.map(Double.init))).median
        #expect((9..<100).contains(count), "\(count)")
        let decided = try (0..<40).count { _ in
            try comparison(Int(count)).judgement("duration")?.verdict == .unchanged
        }
        #expect(decided > 25, "\(decided) of 40 with \(count)")
    }

    @Test func whatWouldDecideIsSaid() throws {
        let runs = [UInt64(1), 2].map {
            ComparisonFixture.phase(ComparisonFixture.steady(8, seed: $0).map { 100 * pow($0 / 100, 3) })
        }
        let comparison = try Comparison(base: [runs[0]], new: [runs[1]])
        #expect(comparison.outcome == .inconclusive)
        let text = ComparisonText(comparison).conclusion
        #expect(text.contains("repetitions of each or bench ab can decide"), "\(text)")
        #expect(comparison.junit.contains("repetitions of each or bench ab can decide"))
        #expect(try comparison.json().contains("repetitions of each or bench ab can decide"))
    }

    /// A conclusion speaks of the worst alone.
    @Test func whatWouldDecideIsSaidBesideARegression() throws {
        let wide = { (seed: UInt64) in ComparisonFixture.steady(8, seed: seed).map { 100 * pow($0 / 100, 3) } }
        var (base, new) = (ComparisonFixture(), ComparisonFixture())
        base.add("open", durationsMilliseconds: wide(1))
        new.add("open", durationsMilliseconds: wide(2))
        base.add("slow", durationsMilliseconds: ComparisonFixture.steady(8, seed: 3))
        new.add("slow", durationsMilliseconds: ComparisonFixture.steady(8, at: 200, seed: 4))
        let comparison = try Comparison(base: [base.run], new: [new.run])
        #expect(comparison.outcome == .regressed && comparison.count(.inconclusive) == 1)
        for text in [ComparisonText(comparison).text(isColoured: false), ComparisonText(comparison).markdown] {
            #expect(text.contains("inconclusive: 1 figure may have changed"), "\(text)")
            #expect(text.contains("repetitions of each or bench ab can decide"), "\(text)")
        }
    }

    @Test func theMedianAndTheLargestAreNamed() throws {
        var (base, new) = (ComparisonFixture(), ComparisonFixture())
        for (phase, spread) in [("calm", 1.0), ("usual", 3), ("wild", 20)] {
            for (index, seed) in [UInt64(1), 2].enumerated() {
                let values = ComparisonFixture.steady(10, seed: seed).map { 100 * pow($0 / 100, spread) }
                if index == 0 { base.add(phase, durationsMilliseconds: values) }
                if index == 1 { new.add(phase, durationsMilliseconds: values) }
            }
        }
        let comparison = try Comparison(base: [base.run], new: [new.run])
        let sensitivity = try #require(comparison.sensitivity)
        #expect(sensitivity.median == comparison.judgement("duration", phase: "usual")?.smallestSlowdown)
        #expect(sensitivity.worst == comparison.judgement("duration", phase: "wild")?.smallestSlowdown)
        #expect(sensitivity.median < sensitivity.worst)
        #expect(sensitivity.text.hasPrefix("with 10 repetitions each, these runs show slowdowns from about "))
        #expect(sensitivity.text.contains(" in duration of managed in wild; bench ab shows smaller ones"))
        for text in [ComparisonText(comparison).text(isColoured: false), ComparisonText(comparison).markdown] {
            #expect(text.contains(sensitivity.text))
        }
        let json = try JSONSerialization.jsonObject(with: Data(try comparison.json().utf8)) as? [String: Any]
        let shown = try #require(json?["sensitivity"] as? [String: Any])
        #expect(shown["worst_percent"] as? Double == sensitivity.worst * 100)
        let figures = try #require(json?["figures"] as? [[String: Any]])
        #expect(figures.count { $0["smallest_slowdown_percent"] != nil } == 3)
    }

    @Test func memoryAndTooFewRepetitionsHaveNone() throws {
        let comparison = try Comparison(
            base: [ComparisonFixture.phase([1, 2, 3])], new: [ComparisonFixture.phase([1, 2, 3])])
        #expect(comparison.sensitivity == nil)
        #expect(comparison.judgement("rss_peak")?.smallestSlowdown == nil)
    }
}
