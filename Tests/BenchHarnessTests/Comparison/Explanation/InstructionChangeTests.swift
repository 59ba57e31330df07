import Testing

@testable import BenchHarness
@testable import BenchInstructions

@Suite struct InstructionChangeTests {
    private let slower = TimeChange(name: "CPU time", ratio: 1.04)

    private func counts(_ instructions: [Int]) -> InstructionCounts {
        var counts = InstructionCounts()
        for (index, count) in instructions.enumerated() {
            counts.add(
                InstructionCounts.Repetition(
                    number: index + 1, status: .ok, functions: ["same": 900, "check": count - 900],
                    ownFunctions: ["same": 900, "check": count - 900]))
        }
        return counts
    }

    private func change(_ base: [Int], _ new: [Int]) throws -> InstructionChange {
        let phase = Phase(name: "fetch", from: .empty, work: .seed(SeedWork()))
        let figure = InstructionFigure(driver: "d", phase: phase, new: counts(new), base: counts(base))
        return try #require(InstructionChange(figure, records: 2_000))
    }

    @Test func aGrowthNamesTheFunctions() throws {
        let change = try change([10_000], [10_300])
        #expect(change.verdict == .regressed && change.functions.map(\.function) == ["check"])
        #expect(change.text(slower) == "instructions +3.00 % (10,000 → 10,300 at 2,000 records, under callgrind)")
    }

    @Test func aTimeThatGrewAloneHasAnotherReason() throws {
        let change = try change([10_000], [10_002])
        #expect(change.verdict == .unchanged && change.functions.isEmpty)
        #expect(
            change.text(slower)
                == "CPU time grew by 4 %, instructions did not (+0.02 %, 10,000 → 10,002 at 2,000 records, under "
                + "callgrind): look at memory, caches, waiting, or the layout of the code")
        #expect(change.text(nil) == "instructions +0.02 % (10,000 → 10,002 at 2,000 records, under callgrind)")
        #expect(
            change.text(TimeChange(name: "duration", ratio: 0.9)).hasPrefix(
                "duration fell by 10 %, instructions did not (+0.02 %"))
    }

    @Test func fewerInstructionsInMoreTimeHaveAnotherReasonToo() throws {
        let change = try change([10_000], [9_000])
        #expect(change.text(slower).hasPrefix("CPU time grew by 4 %, instructions fell (-10.00 %, "))
        #expect(change.text(TimeChange(name: "CPU time", ratio: 0.9)).hasPrefix("instructions -10.00 % ("))
    }

    @Test func aChangeWithinTheSpreadExplainsNothing() throws {
        let change = try change([10_000, 10_400], [10_100, 10_500])
        #expect(change.verdict == .inconclusive && change.functions.isEmpty)
        #expect(change.text(slower).hasPrefix("instructions +1.00 %, but they vary by 8 % (10,000 → 10,100 at"))
    }

    @Test func withoutACountThereIsNoChange() {
        let phase = Phase(name: "fetch", from: .empty, work: .seed(SeedWork()))
        let figure = InstructionFigure(driver: "d", phase: phase, new: counts([1_000]), base: InstructionCounts())
        #expect(InstructionChange(figure, records: 2_000) == nil)
    }
}

// MARK: - The processor's counter

extension InstructionChangeTests {
    private func change(
        _ base: [Double], _ new: [Double], isRelative: Bool = false
    ) throws -> InstructionChange {
        let key = ComparisonKey(scenario: "s", driver: "d", phase: "fetch", mode: "")
        var judgement = Judgement(key, try #require(Metric.named("instructions")), threshold: 0.1)
        (judgement.base, judgement.new) = (SampleSummary(base), SampleSummary(new))
        judgement.isRelative = isRelative
        return try #require(InstructionChange(judgement))
    }

    @Test func theColumnCountsWhereItIsKnown() throws {
        let same = try change([10_000.0, 10_100, 9_900], [10_010.0, 10_200, 9_800])
        #expect(same.verdict == .unchanged)
        #expect(
            same.text(slower).hasPrefix(
                "CPU time grew by 4 %, instructions did not (+0.10 %, 10,000 → 10,010, counted by the processor): look")
        )
        #expect(try change([10_000.0, 10_100, 9_900], [10_200.0, 10_300, 10_150]).verdict == .regressed)
        #expect(try change([10_000.0, 10_100, 9_900], [10_080.0, 10_300, 10_050]).verdict == .inconclusive)
        #expect(try change([10_000.0, 10_100, 9_900], [9_000.0, 9_100, 8_900]).verdict == .improved)
    }

    @Test func ratiosToAnotherDriverAreShownAsSuch() throws {
        let change = try change([1.5, 1.5], [1.8, 1.8], isRelative: true)
        #expect(change.text(slower) == "instructions +20.00 % (1.50x → 1.80x, counted by the processor)")
    }
}
