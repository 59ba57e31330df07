import Foundation
import Testing

@testable import BenchHarness

@Suite struct ExactCounterTests {
    private func compare(
        _ base: Int, _ new: Int, threshold: Double? = nil, change: @escaping (inout ResultRow) -> Void = { _ in }
    ) throws -> Comparison {
        var options = ComparisonOptions()
        if let threshold { options.thresholds = ["vm_steps": threshold] }
        let run = { (count: Int) in
            ComparisonFixture.phase([100]) {
                $0.counters.vmSteps = count
                change(&$0)
            }
        }
        return try Comparison(base: [run(base)], new: [run(new)], options: options)
    }

    @Test func oneRepetitionIsEnoughForARise() throws {
        let comparison = try compare(1_000, 1_001)
        #expect(comparison.judgement("vm_steps")?.verdict == .regressed)
        #expect(comparison.outcome == .regressed)
    }

    @Test func aFallIsAnImprovementAndAnEqualCountUnchanged() throws {
        #expect(try compare(1_000, 999).judgement("vm_steps")?.verdict == .improved)
        #expect(try compare(1_000, 1_000).judgement("vm_steps")?.verdict == .unchanged)
        #expect(try compare(0, 3).judgement("vm_steps")?.verdict == .regressed)
    }

    @Test func aRiseWithinTheThresholdIsReportedAllTheSame() throws {
        let comparison = try compare(1_000, 1_001, threshold: 0.01)
        #expect(comparison.judgement("vm_steps")?.verdict == .unchanged)
        #expect(ComparisonText(comparison).text(isColoured: false).contains("changed, within its threshold"))
    }

    @Test func countersOfConcurrentOrCancelledWorkAreNotJudged() throws {
        for kind in ["merge", "saves", "mixed"] {
            #expect(try compare(1_000, 1_200) { $0.kind = kind }.judgement("vm_steps")?.verdict == .notJudged)
        }
        #expect(try compare(1_000, 1_200) { $0.cancel = 5 }.judgement("vm_steps")?.verdict == .notJudged)
    }

    @Test func anotherSQLiteCountsDifferently() throws {
        let run = { (version: String, count: Int) in
            var fixture = ComparisonFixture()
            fixture.manifest = ComparisonFixture.manifest(sqlite: version)
            fixture.add("fetch", durationsMilliseconds: [100]) {
                $0.counters.vmSteps = count
                $0.counters.statements = count
            }
            return fixture.run
        }
        let comparison = try Comparison(base: [run("3.40.1", 10)], new: [run("3.46.1", 20)])
        #expect(comparison.judgement("vm_steps")?.reason == "SQLite 3.40.1 and 3.46.1 count differently")
        #expect(comparison.judgement("statements")?.verdict == .regressed)
    }

    @Test func aCounterThatVariesIsOnlyJudgedWhereTheRangesLieApart() throws {
        let run = { (counts: [Int]) in
            ComparisonFixture.phase(counts.map { _ in 100 }) { $0.counters.vmSteps = counts[$0.repetition - 1] }
        }
        let verdict = { (base: [Int], new: [Int]) in
            try Comparison(base: [run(base)], new: [run(new)]).judgement("vm_steps")?.verdict
        }
        #expect(try verdict([10, 12], [11, 13]) == .inconclusive)
        #expect(try verdict([10, 12], [13, 14]) == .regressed)
        #expect(try verdict([10, 12], [7, 9]) == .improved)
        #expect(try verdict([10, 10, 10, 12], [12, 10, 10, 10]) == .unchanged)
        #expect(try verdict([10, 10, 10, 12], [10, 12, 12, 12]) == .inconclusive)
    }
}
