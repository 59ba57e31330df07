import Foundation
import Testing

@testable import BenchHarness
@testable import BenchInstructions
@testable import BenchReport

/// What a comparison says of the reasons of a regression, in every format.
@Suite struct PhaseExplanationTests {
    private let key = ComparisonKey(scenario: "fake", driver: "managed", phase: "fetch", mode: "sync")

    /// Sides that took turns, of which the second phase may be slower on the new one.
    private func comparison(change: Double = 0.1) throws -> Comparison {
        var options = ComparisonOptions()
        (options.pairing, options.relation) = (.paired, .absolute)
        return try Comparison(PairedFixture.outcome(change: change, options: options), options: options)
    }

    private func figure(_ phase: String, base: [String: Int], new: [String: Int]) -> InstructionFigure {
        let counts = [base, new].map { functions in
            var counts = InstructionCounts()
            counts.add(
                InstructionCounts.Repetition(number: 1, status: .ok, functions: functions, ownFunctions: functions))
            return counts
        }
        let phase = Phase(name: phase, from: .empty, work: .seed(SeedWork()))
        return InstructionFigure(driver: "managed", phase: phase, new: counts[1], base: counts[0])
    }

    /// The comparison of a regressed phase of which callgrind counted a function with a hostile name.
    private func counted(new: Int = 10_300) throws -> Comparison {
        var comparison = try comparison()
        let phase = try #require(comparison.phasesToCount.first)
        let name = "Checks.check<A, B>(_: | @all)"
        comparison.counted[phase] = InstructionChange(
            figure(phase.phase, base: ["rest": 9_000, name: 1_000], new: ["rest": 9_000, name: new - 9_000]),
            records: 2_000)
        return comparison
    }

    @Test func whatRegressedIsToBeCounted() throws {
        let phases = try comparison().phasesToCount
        #expect(phases.map(\.driver) == ["managed"] && phases.map(\.phase) == [FakeDriver.scenario.phases[1].name])
        #expect(try comparison(change: 0).phasesToCount.isEmpty)
        #expect(try comparison(change: -0.1).phasesToCount.isEmpty)
        #expect(try comparison(change: 0).explanations.isEmpty)
    }

    @Test func theTerminalShowsTheFunctionsAfterTheTable() throws {
        let comparison = try counted()
        let text = ComparisonText(comparison).text(isColoured: false)
        let phase = FakeDriver.scenario.phases[1].name
        #expect(
            text.contains(
                """

                what moved in \(phase) of managed:
                  counters: none moved
                  instructions +3.00 % (10,000 → 10,300 at 2,000 records, under callgrind)
                  the functions that grew most, with what they use of libraries, in percent of the phase:
                    +3.00 %  +300  Checks.check<A, B>(_: | @all)

                """), "\(text)")
        #expect(comparison.outcome == .regressed)
    }

    @Test func aPullRequestShowsThemWithoutTheirMarkup() throws {
        let text = ComparisonText(try counted()).markdown
        let before = text[..<(try #require(text.firstRange(of: "<details>")).lowerBound)]
        #expect(before.contains("\n\n**what moved in ") && before.contains("\n- instructions +3.00 % (10,000"))
        #expect(
            before.contains("\n  - +3.00 %, +300: Checks.check&lt;A, B&gt;(\\_: \\| &#64;all)\n"), "\(before)")
    }

    @Test func programsReadTheCounts() throws {
        let document = try #require(
            JSONSerialization.jsonObject(with: Data(try counted().json().utf8)) as? [String: Any])
        let explanation = try #require((document["explanations"] as? [[String: Any]])?.first)
        #expect(explanation["phase"] as? String == FakeDriver.scenario.phases[1].name)
        #expect((explanation["counters"] as? [Any])?.isEmpty == true)
        let instructions = try #require(explanation["instructions"] as? [String: Any])
        #expect(instructions["source"] as? String == "callgrind" && instructions["records"] as? Int == 2_000)
        #expect(instructions["ratio"] as? Double == 1.03 && instructions["verdict"] as? String == "regressed")
        let function = try #require((explanation["functions"] as? [[String: Any]])?.first)
        #expect(function["function"] as? String == "Checks.check<A, B>(_: | @all)")
        #expect(function["base"] as? Int == 1_000 && function["new"] as? Int == 1_300)
    }

    @Test func aFailedCaseHasThemAsItsText() throws {
        let junit = try counted().junit
        #expect(junit.contains("\">what moved in ") && junit.contains("\n    +3.00 %  +300  Checks.check&lt;A, B&gt;"))
        #expect(junit.contains("</failure></testcase>"))
        #expect(try comparison(change: 0).junit.contains("<failure") == false)
    }

    @Test func aTimeWithoutInstructionsSaysSo() throws {
        let text = ComparisonText(try counted(new: 10_002)).text(isColoured: false)
        #expect(text.contains(/CPU time grew by [0-9.]+ %, instructions did not \(\+0\.02 %,/), "\(text)")
        #expect(!text.contains("the functions that grew most"))
    }
}

// MARK: - Runs that lie apart

extension PhaseExplanationTests {
    private func comparison(
        factor: Double, instructions: Double?, faults: Int = 100, accepts text: String? = nil
    ) throws -> Comparison {
        var options = ComparisonOptions()
        if let text { try options.accepted.add(text) }
        let sides = [(1, 1.0, UInt64(1)), (factor, instructions ?? 1, 2)].map { factor, instructions, seed in
            ComparisonFixture.phase(ComparisonFixture.steady(12, at: 100 * factor, seed: seed)) { row in
                if instructions != 1 || seed == 1 { row.instructions = Int(1_000_000 * instructions) }
                row.faultsMinor = seed == 1 ? 100 : faults
            }
        }
        return try Comparison(base: [sides[0]], new: [sides[1]], options: options)
    }

    @Test func countersAndTheColumnOfInstructionsExplainARegression() throws {
        let findings = try comparison(factor: 1.2, instructions: 1.001, faults: 300).explanations.map(\.findings)
        #expect(findings.count == 1 && findings[0].count == 2)
        #expect(findings[0][0] == "counters: faults minor 100 → 300 (+200.0 %)")
        #expect(findings[0][1].contains(/duration grew by [0-9.]+ %, instructions did not \(\+0\.10 %, 1,000,000/))
    }

    @Test func withoutTheColumnOnBothSidesTheCountersStandAlone() throws {
        let explanation = try #require(try comparison(factor: 1.2, instructions: nil).explanations.first)
        #expect(explanation.instructions == nil && explanation.findings == ["counters: none moved"])
    }

    @Test func anImprovementIsExplainedOnlyWhereInstructionsStayed() throws {
        let explanation = try #require(try comparison(factor: 0.8, instructions: 1.001).explanations.first)
        #expect(explanation.counters == nil && explanation.findings.count == 1)
        #expect(explanation.findings[0].hasPrefix("duration fell by "))
        #expect(try comparison(factor: 0.8, instructions: 0.8).explanations.isEmpty)
        #expect(try comparison(factor: 0.8, instructions: nil, faults: 300).explanations.isEmpty)
        #expect(
            try comparison(factor: 1.2, instructions: 1.001, accepts: "fetch 50% because so").explanations.map(
                \.findings.count) == [1])
    }

    @Test func aPageShowsWhatMoved() throws {
        let comparison = try comparison(factor: 1.2, instructions: 1.001, faults: 300)
        let html = Report(runs: comparison.base.runs + comparison.new.runs, comparison: .success(comparison)).html
        let item = ReportFixture.tags("li", in: html).compactMap { $0["data-explains"] }
        #expect(item == ["fetch"] && html.contains("counters: faults minor 100 → 300"))
        #expect(html.contains("instructions did not (+0.10 %"))
    }

    @Test func aPageMarksWhatIsAcceptedWithItsReason() throws {
        let comparison = try comparison(
            factor: 1.2, instructions: nil, accepts: "fetch 50% because rows are <checked>")
        let html = Report(runs: comparison.base.runs + comparison.new.runs, comparison: .success(comparison)).html
        #expect(ReportFixture.tags("li", in: html).compactMap { $0["data-change"] } == ["accepted"])
        #expect(
            html.contains("<h3>Accepted</h3>") && html.contains("; --accept accepts 50 %: rows are &lt;checked&gt;"))
    }
}
