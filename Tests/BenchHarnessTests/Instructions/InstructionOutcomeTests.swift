import Foundation
import TestSupport
import Testing

@testable import BenchHarness
@testable import BenchInstructions

@Suite struct InstructionOutcomeTests {
    private func outcome(
        base: [Int: Int]? = nil, _ new: [Int: Int], error: String? = nil, accepting text: String? = nil
    ) throws -> InstructionOutcome {
        let folder = try TemporaryDirectory()
        let program = folder.file("valgrind")
        try WrittenProgram.write("", to: program)
        let (one, other) = (
            InstructionRequest.Program(title: "new", executable: program),
            InstructionRequest.Program(title: "before", executable: program)
        )
        var scenario = FakeDriver.scenario
        scenario.phases = [
            Phase(name: "seed", from: .empty, work: .seed(SeedWork())),
            Phase(name: "fetch-async", from: .previous, work: .fetch(FetchWork(mode: .async))),
        ]
        var request = try InstructionRequest(
            scenario: scenario, drivers: ["sqlite", "managed"], new: one, base: base.map { _ in other },
            workerArgument: "w", path: folder.path)
        if let text { try request.accepted.add(text) }
        var outcome = InstructionOutcome(request)
        for (side, counts) in [(Side.base, base ?? [:]), (Side.new, new)] {
            for (phase, count) in counts {
                for driver in request.drivers {
                    let isFailed = error != nil && side == .new && driver == "managed"
                    outcome.add(
                        InstructionCounts.Repetition(
                            number: 1, records: 10, status: isFailed ? .failed : .ok, error: isFailed ? error! : "",
                            allocations: isFailed ? nil : AllocationCount(calls: 5, bytes: 80),
                            functions: isFailed ? [:] : ["$sSS5countSivg": driver == "managed" ? 2 * count : count],
                            ownFunctions: isFailed ? [:] : ["$sSS5countSivg": driver == "managed" ? 2 * count : count],
                            parts: isFailed ? [:] : ["SQLite": count - 100, "Swift library": 99, "other": 1]),
                        driver, phase, side)
                }
            }
        }
        return outcome
    }

    @Test func oneBuildIsShownAgainstTheBaseline() throws {
        let outcome = try outcome([0: 1_000, 1: 5_000])
        #expect(outcome.outcome == .passed)
        let lines = outcome.text(isColoured: false).split(separator: "\n").map(String.init)
        #expect(lines.contains("seed         sqlite          1,000     0 %"), "\(lines)")
        #expect(lines.contains("             managed         2,000     0 %  2.00x"), "\(lines)")
        #expect(lines.contains("fetch-async  sqlite          5,000     0 %         concurrent"), "\(lines)")
        #expect(lines.contains { $0.hasPrefix("concurrent: several threads work at once") })
    }

    @Test func thePartsOfEachPhaseAreShownTheLargestFirst() throws {
        let lines = try outcome([0: 1_000, 1: 5_000]).parts(isColoured: false).split(separator: "\n").map(String.init)
        #expect(lines[1] == "phase        driver   SQLite  Swift library  rest", "\(lines)")
        #expect(lines.contains("seed         sqlite     90 %           10 %   0 %"), "\(lines)")
        #expect(lines.contains("             managed    45 %            5 %  50 %"), "\(lines)")
        let json = try outcome([0: 1_000]).json()
        #expect(json.contains("\"Swift library\" : 99") || json.contains("\"Swift library\": 99"), "\(json)")
    }

    @Test func aRegressionNamesThePhaseAndTheFunction() throws {
        let outcome = try outcome(base: [0: 1_000, 1: 5_000], [0: 1_030, 1: 5_000])
        #expect(outcome.outcome == .regressed)
        let text = outcome.text(isColoured: false)
        #expect(text.contains("seed         sqlite    1,000   1,030  +3.00 %     0 %  regressed"), "\(text)")
        #expect(
            text.contains("fetch-async  sqlite    5,000   5,000   0.00 %     0 %  unchanged  concurrent"), "\(text)")
        #expect(text.contains("seed of sqlite: the functions that grew most"))
        #expect(text.contains("  +3.00 %  +30  Swift.String.count.getter : Swift.Int\n"), "\(text)")
        #expect(text.hasSuffix("\nregressed: 2 figures grew by more than 0.5 % and more than the spread\n"))
        #expect(!text.contains("fetch-async of"))
    }

    @Test func anAcceptedGrowthPassesWithItsReason() throws {
        let outcome = try outcome(
            base: [0: 1_000, 1: 5_000], [0: 1_030, 1: 5_000], accepting: "seed 4% because every row is checked")
        #expect(outcome.outcome == .passed)
        let text = outcome.text(isColoured: false)
        #expect(text.contains("seed         sqlite    1,000   1,030  +3.00 %     0 %  accepted"), "\(text)")
        #expect(text.contains("\nseed of managed: --accept accepts 4 %: every row is checked\n"), "\(text)")
        #expect(text.hasSuffix("\naccepted: 2 figures grew within what is accepted; no other regression\n"), "\(text)")
        #expect(try outcome.json().contains("\"acceptance\" : \"--accept accepts 4 %: every row is checked\""))
    }

    @Test func aGrowthBeyondWhatIsAcceptedFails() throws {
        let outcome = try outcome(base: [0: 1_000], [0: 1_030], accepting: "seed of managed 2% because of a check")
        #expect(outcome.outcome == .regressed)
        let text = outcome.text(isColoured: false)
        #expect(text.contains("seed of managed: --accept accepts 2 %: of a check\n"), "\(text)")
        #expect(!text.contains("seed of sqlite: --accept") && text.contains("regressed: 2 figures"), "\(text)")
    }

    @Test func whatIsAcceptedOfNoPhaseIsSaid() throws {
        let outcome = try outcome(base: [0: 1_000], [0: 1_000], accepting: "sed 5% because every row is checked")
        let text = outcome.text(isColoured: false)
        #expect(
            text.contains("note: --accept accepts 5 % of sed, but no phase sed was judged; did you mean seed?\n"),
            "\(text)")
    }

    @Test func aFailedPhaseFailsTheComparisonAndSaysWhy() throws {
        let outcome = try outcome(base: [0: 1_000], [0: 1_030], error: "the store holds 9 records; expected 10")
        #expect(outcome.outcome == .failed)
        let text = outcome.text(isColoured: false)
        #expect(text.contains("seed of managed, repetition 1: the store holds 9 records; expected 10\n"), "\(text)")
        #expect(text.hasSuffix("\nfailed: a phase failed\n"))
    }

    @Test func withoutAnyCountThereIsNothingToJudge() throws {
        #expect(try outcome(base: [:], [:]).outcome == .insufficientData)
        #expect(try outcome([:]).outcome == .passed)
    }

    @Test func whatTheNewBuildCannotDoAnyMoreDoesNotPass() throws {
        let outcome = try outcome(base: [0: 1_000, 1: 5_000], [0: 1_000])
        #expect(outcome.outcome == .insufficientData)
        let text = outcome.text(isColoured: false)
        #expect(
            text.hasSuffix("\ninsufficient data: the new build counted nothing for 2 figures of the base\n"), "\(text)")
        #expect(try self.outcome(base: [0: 1_000], [0: 1_000, 1: 5_000]).outcome == .passed)
    }

    @Test func theFileHasALineForEachCountAndLeavesOutWhatIsMissing() throws {
        let folder = try TemporaryDirectory()
        let file = folder.file("counts.csv")
        try outcome(base: [0: 1_000], [0: 1_030], error: "wrong, twice").write(to: file)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(
            text == """
                scenario,driver,phase,kind,mode,concurrent,side,repetition,records,status,error,instructions,allocations,allocated_bytes
                fake,sqlite,seed,seed,,false,base,1,10,ok,,1000,5,80
                fake,sqlite,seed,seed,,false,new,1,10,ok,,1030,5,80
                fake,managed,seed,seed,,false,base,1,10,ok,,2000,5,80
                fake,managed,seed,seed,,false,new,1,10,failed,"wrong, twice",,,

                """, "\(text)")
    }

    @Test func theDocumentHasTheCountsTheVerdictsAndTheFunctions() throws {
        let json = try outcome(base: [0: 1_000, 1: 5_000], [0: 1_030, 1: 5_000]).json()
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let figures = try #require(document["figures"] as? [[String: Any]])
        #expect(document["outcome"] as? String == "regressed" && figures.count == 4)
        #expect(figures[0]["verdict"] as? String == "regressed")
        let function = try #require((figures[0]["functions"] as? [[String: Any]])?.first)
        #expect(function["base"] as? Int == 1_000 && function["new"] as? Int == 1_030)
        #expect(figures[2]["verdict"] as? String == "unchanged" && figures[2]["functions"] == nil)
        #expect(figures[1]["ratio_to_baseline"] as? Double == 2)
        #expect(document["threshold_percent"] as? Double == 0.5)
    }
}
