import Testing

@testable import BenchHarness

/// Conditions on lists and ranges of values, read and refused.
@Suite struct FilterReaderTests {
    private static let condition = #"{ "key": "done", "op": "==", "value": true }"#

    private func filter(_ condition: String) throws -> FilterSpec? {
        let json = ScenarioFixture.replacing(Self.condition, with: condition)
        guard let work = try ScenarioFixture.read(json).phases[1].work.as(FetchWork.self),
            case .not(.or(let parts))? = work.filter
        else { return nil }
        return parts.first
    }

    @Test func theyAreReadAsTheyAreWritten() throws {
        #expect(
            try filter(#"{ "key": "name", "op": "in", "value": ["a", "é"] }"#)
                == .oneOf(key: "name", [.string("a"), .string("é")]))
        #expect(
            try filter(#"{ "key": "score", "op": "between", "value": [-2, 7] }"#)
                == .between(key: "score", .int64(-2), .int64(7)))
        #expect(try filter(#"{ "key": "done", "op": "in", "value": [true] }"#) == .oneOf(key: "done", [.bool(true)]))
        #expect(
            try filter(#"{ "key": "name", "op": "contains", "value": "Ab", "ignore_case": true }"#)
                == .ignoringCase(key: "name", .contains, "Ab"))
        #expect(
            try filter(#"{ "key": "name", "op": "contains", "value": "Ab", "ignore_case": false }"#)
                == .compare(key: "name", .contains, .string("Ab")))
        #expect(
            try filter(#"{ "key": "createdAt", "op": "==", "value": null }"#)
                == .compare(key: "createdAt", .equal, .null))
    }

    @Test(arguments: [
        (#"{ "key": "name", "op": "in", "value": "a" }"#, "value", "expected an array of values"),
        (#"{ "key": "name", "op": "in", "value": [] }"#, "value", "1 to 100 values"),
        (#"{ "key": "name", "op": "in", "value": ["a", 1] }"#, "value[1]", "expected a string"),
        (#"{ "key": "name", "op": "in", "value": ["a", null] }"#, "value[1]", "== finds null"),
        (#"{ "key": "score", "op": "between", "value": [1] }"#, "value", "2 to 2 values"),
        (#"{ "key": "score", "op": "between", "value": [2, 1] }"#, "value", "the lower one first"),
        (#"{ "key": "done", "op": "between", "value": [false, true] }"#, "op", "on the bool attribute"),
        (#"{ "key": "score", "op": "betwen", "value": [1, 2] }"#, "op", #"Did you mean "between"?"#),
        (#"{ "key": "scores", "op": "in", "value": [1, 2] }"#, "key", #"Did you mean "score"?"#),
        (#"{ "key": "score", "op": "==", "value": [1, 2] }"#, "value", "expected an integer"),
        (
            #"{ "key": "name", "op": "<", "value": "a", "ignore_case": true }"#, "ignore_case",
            "case ignored by the operator \"<\" on the string attribute; expected one of ==, contains, begins_with"
        ),
        (
            #"{ "key": "score", "op": "==", "value": 1, "ignore_case": true }"#, "ignore_case",
            "case ignored by the operator \"==\" on the int64 attribute"
        ),
        (
            #"{ "key": "name", "op": "in", "value": ["a"], "ignore_case": true }"#, "ignore_case",
            "case ignored by the operator \"in\""
        ),
        (#"{ "key": "name", "op": "==", "value": "a", "ignore_case": 1 }"#, "ignore_case", "expected true or false"),
    ])
    func mistakesAreAnsweredWithPlaceAndFix(condition: String, path: String, words: String) {
        assertInvalidScenario(
            ScenarioFixture.replacing(Self.condition, with: condition), at: "phases[1].filter.not.or[0].\(path)",
            saying: words)
    }
}
