import BenchHarness
import Testing

@testable import BenchCommand

/// A run that left something open ends with the command that decides it.
@Suite struct DecidingCommandTests {
    private func remainder(
        _ phases: [String] = ["merge"], areAll: Bool = false, launches: Int = 100, seconds: Double = 300
    ) -> PairedOutcome.Remainder {
        PairedOutcome.Remainder(phases: phases, areAll: areAll, launches: launches, seconds: seconds)
    }

    @Test(arguments: [
        ("bench ab --base ../before/bench ci", "bench ab --base ../before/bench ci --budget 7m --phase merge"),
        ("bench ab --budget 1m ci --driver managed", "bench ab ci --driver managed --budget 7m --phase merge"),
        ("bench ab --budget=1m --launches=20 ci", "bench ab ci --budget 7m --phase merge"),
        ("bench ab ci --phase merge --launches 20", "bench ab ci --phase merge --budget 7m"),
        ("bench ab ci --phase merge --output d", "bench ab ci --phase merge --output d --budget 7m --force"),
        ("bench ab ci --phase=merge", "bench ab ci '--phase=merge' --budget 7m"),
    ])
    func theCommandIsTheSameWithALargerBudget(given: String, deciding: String) throws {
        let words = given.split(separator: " ").map(String.init)
        #expect(try #require(DecidingCommand(words, remainder())).text == deciding)
    }

    @Test func aShellReadsItAsItWasGiven() throws {
        let command = DecidingCommand(["bench", "ab", "ci", "--accept", "merge 5% because it's new"], remainder())
        #expect(
            try #require(command).text
                == #"bench ab ci --accept 'merge 5% because it'\''s new' --budget 7m --phase merge"#)
    }

    @Test func manyLaunchesAreAskedFor() throws {
        let command = try #require(DecidingCommand(["bench", "ab", "ci"], remainder(areAll: true, launches: 400)))
        #expect(command.text == "bench ab ci --budget 7m --launches 500")
    }

    @Test func whatNoDayDecidesHasNone() {
        #expect(DecidingCommand(["bench", "ab", "ci"], nil) == nil)
        #expect(DecidingCommand(["bench", "ab", "ci"], remainder(seconds: 90_000)) == nil)
    }
}
