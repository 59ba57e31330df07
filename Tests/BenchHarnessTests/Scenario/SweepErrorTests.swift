import Foundation
import Testing

@testable import BenchHarness

/// Mistakes in lists of numbers.
@Suite struct SweepErrorTests {
    private static let chunk = #""chunk_records": 10"#

    private func check(
        _ new: String, for old: String = chunk, at path: String, saying text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        assertInvalidScenario(
            replacing: old, with: new, at: path, saying: text, sourceLocation: sourceLocation)
    }

    @Test(arguments: ["[]", "[10]"])
    func aListHasSeveralNumbers(list: String) {
        check(
            "\"chunk_records\": \(list)", at: "phases[2].chunk_records",
            saying: "expected a number, or 2 to 100 numbers in a list")
    }

    @Test func eachNumberStandsOnce() {
        check(
            #""chunk_records": [10, 20, 10]"#, at: "phases[2].chunk_records",
            saying: "10 a second time; expected each number once")
    }

    @Test func aNumberIsRefusedAtItsOwnPlace() throws {
        let json = ScenarioFixture.replacing(Self.chunk, with: #""chunk_records": [10, 0]"#)
        let errors = try #require(throws: ScenarioErrors.self) { try ScenarioFixture.read(json) }
        let line = try #require(json.split(separator: "\n").first { $0.contains("[10, 0]") })
        let column = try #require(line.firstRange(of: "0]")).lowerBound
        #expect(errors.all.count == 1 && errors.all[0].column == line.distance(from: line.startIndex, to: column) + 1)
        #expect(errors.all[0].description.contains("the number 0; expected an integer from 1 to"))
        check(#""chunk_records": [10, "x"]"#, at: "phases[2].chunk_records", saying: #"the string "x""#)
        check(
            #""chunk_records": [10, [20, 30]]"#, at: "phases[2].chunk_records", saying: "an array; expected an integer")
        check(
            #""page_size_bytes": [4096, 5000]"#, for: #""page_size_bytes": 8192"#, at: "store.page_size_bytes",
            saying: "the number 5000; expected one of 512")
    }

    @Test func anErrorElsewhereNamesTheVariant() {
        check(
            #""limit": [50, 10]"#, for: #""limit": 50"#, at: "phases[1].cancel_after_records",
            saying: "the number 20, with limit=10; expected an integer from 1 to 9")
    }

    @Test func thereAreAHundredVariantsAtMost() {
        let many = (1...60).map(String.init).joined(separator: ", ")
        let json = ScenarioFixture.replacing(Self.chunk, with: "\"chunk_records\": [\(many)]")
            .replacing(#""workers": 3"#, with: #""workers": [1, 2]"#)
        assertInvalidScenario(
            json, at: "phases[5].workers",
            saying: "lists that make too many variants, 60 x 2; expected at most 100 variants in all")
        let words = #"{ "kind": "words", "count": [1, 2], "count_max": [8, 9], "vocabulary": [10, 11] }"#
        let lists = ScenarioFixture.replacing(#"{ "kind": "sequence", "prefix": "Item " }"#, with: words)
            .replacing(#""workers": 3"#, with: #""workers": [1, 2]"#).replacing(
                Self.chunk, with: #""chunk_records": [1, 2]"#
            )
            .replacing(#""contention": 0.2"#, with: #""contention": [0.1, 0.2]"#)
            .replacing(#""hot_share": 0.75"#, with: #""hot_share": [0.1, 0.2]"#)
            .replacing(#""duration_s": 1.5"#, with: #""duration_s": [1, 2]"#)
        assertInvalidScenario(
            lists, at: "phases[6].duration_s",
            saying: "lists that make too many variants, 8 lists; expected at most 100")
    }

    @Test(arguments: ["repetitions", "warmups", "seed", "version"])
    func whatIsNoNumberOfTheWorkTakesNoList(key: String) {
        let json = ScenarioFixture.valid.replacing(#""seed": 7,"#, with: "")
            .replacing(#""version": 3,"#, with: key == "version" ? "" : #""version": 3,"#)
            .replacing(#""name": "fixture","#, with: "\"name\": \"fixture\", \"\(key)\": [1, 2],")
        assertInvalidScenario(json, at: key, saying: "an array; expected")
    }

    @Test func aValueOfAnAttributeTakesNoList() {
        check(
            #""op": "==", "value": [true, false]"#, for: #""op": "==", "value": true"#,
            at: "phases[1].filter.not.or[0].value", saying: "an array; expected true or false")
        check(
            #""score": [5, 6]"#, for: #""score": { "add": 5 }"#, at: "phases[2].set.score",
            saying: "an array; expected an integer from")
    }

    @Test func aLimitTakesNoList() {
        check(
            #""p99_ms": [50, 60]"#, for: #""p99_ms": 50"#, at: "phases[5].limits.read.p99_ms",
            saying: "an array; expected a number from")
    }
}
