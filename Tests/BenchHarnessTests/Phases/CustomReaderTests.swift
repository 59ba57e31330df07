import Foundation
import Testing

@testable import BenchHarness

/// Phases of kind `custom` in scenarios.
@Suite struct CustomReaderTests {
    private func json(_ keys: String) -> String {
        let head = ScenarioFixture.valid.components(separatedBy: #""phases": ["#)[0]
        return head + #""phases": [{ "name": "own", "kind": "custom", "from": "seeded", \#(keys) }]}"#
    }

    private func work(_ keys: String) throws -> CustomWork? {
        try ScenarioFixture.read(json(keys)).phases[0].work.as(CustomWork.self)
    }

    @Test func anOperationIsReadWithItsParameters() throws {
        let work = try #require(
            try work(
                """
                "operation": "archive-thread", "count": 20, "duration_s": 1.5,
                "parameters": { "thread": 7, "share": 0.5, "folder": "archive", "deep": true }
                """))
        #expect(work.operation == "archive-thread" && work.count == 20 && work.durationSeconds == 1.5)
        #expect(
            work.parameters == [
                "thread": .int64(7), "share": .double(0.5), "folder": .string("archive"), "deep": .bool(true),
            ])
        #expect(work.mode == .timed)
    }

    @Test func anOperationAloneRunsOnce() throws {
        let work = try #require(try work(#""operation": "archive-thread""#))
        #expect(work.count == 1 && work.durationSeconds == nil && work.parameters.isEmpty && work.mode == .counted)
    }

    @Test func aTimeAloneSetsNoNumber() throws {
        #expect(try work(#""operation": "a", "duration_s": 2"#)?.count == nil)
    }

    /// Each phase draws other values, the same ones in each run of the scenario.
    @Test func theSeedComesFromTheScenarioAndThePhase() throws {
        let keys = #""operation": "a""#
        let seed = try #require(try work(keys)?.seed)
        let other = try ScenarioFixture.read(json(keys).replacing("\"own\"", with: "\"other\"")).phases[0].work
        guard let renamed = other.as(CustomWork.self) else {
            Issue.record("\(other)")
            return
        }
        #expect(try work(keys)?.seed == seed && renamed.seed != seed)
    }

    @Test(arguments: [
        (
            #""count": 1"#, "phases[0]",
            "the key \"operation\" is missing; expected \"operation\" beside name, kind, from"
        ),
        (#""operation": 7"#, "phases[0].operation", "the number 7; expected a string"),
        (#""operation": "a b""#, "phases[0].operation", "expected a name of the letters"),
        (#""operation": "a", "cuont": 1"#, "phases[0]", "unknown key \"cuont\""),
        (#""operation": "a", "count": 0"#, "phases[0].count", "expected an integer from 1 to 1,000,000,000"),
        (#""operation": "a", "duration_s": 0"#, "phases[0].duration_s", "expected a number from 0.01"),
        (
            #""operation": "a", "parameters": [1]"#, "phases[0].parameters",
            "an array; expected an object of parameters and their values"
        ),
        (
            #""operation": "a", "parameters": { "b": null }"#, "phases[0].parameters.b",
            "null; expected a number, a string, true or false"
        ),
        (
            #""operation": "a", "parameters": { "b": 99999999999999999 }"#, "phases[0].parameters.b",
            "expected an integer from"
        ),
        (
            #""operation": "a", "parameters": { "b": 1e300 }"#, "phases[0].parameters.b", "expected a number from"
        ),
    ])
    func mistakesAreNamedWithTheirPlace(keys: String, path: String, text: String) {
        assertInvalidScenario(json(keys), at: path, saying: text)
    }
}
