import Testing

@testable import BenchHarness
@testable import BenchInstructions

@Suite struct InstructionFigureTests {
    private func counts(_ instructions: [Int?]) -> InstructionCounts {
        var counts = InstructionCounts()
        for (index, count) in instructions.enumerated() {
            counts.add(
                InstructionCounts.Repetition(
                    number: index + 1, status: count == nil ? .failed : .ok, functions: count.map { ["f": $0] } ?? [:]))
        }
        return counts
    }

    private func verdict(_ base: [Int?]?, _ new: [Int?], threshold: Double = 0.005) -> Verdict {
        let phase = Phase(name: "seed", from: .empty, work: .seed(SeedWork()))
        return InstructionFigure(driver: "d", phase: phase, new: counts(new), base: base.map(counts))
            .verdict(threshold: threshold)
    }

    @Test func theMedianIsThatOfARepetitionWithItsFunctions() {
        let three = counts([120, 100, 110])
        #expect(three.median == 110 && three.typical?.number == 3 && three.range == 20)
        #expect(three.spread == 20.0 / 110)
        #expect(counts([4, 2]).median == 2)
        #expect(counts([]).median == nil && counts([0]).spread == nil)
    }

    @Test func aRepetitionThatFailedLeavesNoMedian() {
        #expect(counts([100, nil, 100]).median == nil)
        #expect(counts([100, nil, 100]).unsuccessful?.number == 2)
    }

    @Test func growthBeyondTheThresholdIsARegression() {
        #expect(verdict([1_000, 1_000, 1_000], [1_006, 1_006, 1_006]) == .regressed)
        #expect(verdict([1_000, 1_000, 1_000], [1_004, 1_004, 1_004]) == .unchanged)
        #expect(verdict([1_000, 1_000, 1_000], [1_006, 1_006, 1_006], threshold: 0.01) == .unchanged)
        #expect(verdict([1_000, 1_000, 1_000], [990, 990, 990]) == .improved)
    }

    @Test func growthWithinTheSpreadIsNone() {
        #expect(verdict([1_000, 980, 1_020], [1_050, 1_050, 1_050]) == .regressed)
        #expect(verdict([1_000, 980, 1_020], [1_050, 1_040, 1_060]) == .inconclusive)
    }

    @Test func aBaseWithoutACountIsNotJudgedAndANewBuildWithoutOneDoesNotPass() {
        #expect(verdict(nil, [1_000]) == .notJudged)
        #expect(verdict([1_000, nil], [2_000, 2_000]) == .notJudged)
        #expect(verdict([1_000], []) == .insufficientData)
    }

    @Test func phasesOfSeveralThreadsAreMarked() {
        let works: [(Phase.Work, Bool)] = [
            (.seed(SeedWork()), false), (.fetch(FetchWork(mode: .sync)), false),
            (.fetch(FetchWork(mode: .async)), true), (.checkpoint, false),
        ]
        for (work, isConcurrent) in works {
            let phase = Phase(name: "p", from: .seeded, work: work)
            #expect(phase.isConcurrent == isConcurrent)
        }
    }
}
