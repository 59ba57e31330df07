import Testing

@testable import BenchHarness

/// The generators of a scenario file, read and refused.
@Suite struct GeneratorReaderTests {
    private static let name = #"{ "kind": "sequence", "prefix": "Item " }"#
    private static let score = #""generator": { "kind": "sequence", "start": 10, "step": 2 } }"#

    private func attribute(_ generator: String, _ more: String = "") throws -> AttributeSpec {
        let json = ScenarioFixture.replacing(Self.name + " }", with: generator + more + " }")
        return try ScenarioFixture.read(json).entity.attributes[0]
    }

    @Test func theyAreReadAsTheyAreWritten() throws {
        let values: [FieldValue] = [.string("a"), .null]
        #expect(
            try attribute(#"{ "kind": "choice", "values": ["a", null], "weights": [3, 0.5] }"#).generator
                == .choice(values: values, weights: [3, 0.5]))
        #expect(
            try attribute(#"{ "kind": "choice", "values": ["a", null] }"#).generator
                == .choice(values: values, weights: nil))
        #expect(
            try attribute(#"{ "kind": "words", "count": 2 }"#).generator == .words(min: 2, max: 2, vocabulary: 5_000))
        #expect(
            try attribute(#"{ "kind": "words", "count": 2, "count_max": 9, "vocabulary": 7 }"#).generator
                == .words(min: 2, max: 9, vocabulary: 7))
        #expect(try attribute(Self.name, #", "null_share": 0.25"#).nullShare == 0.25)
        // The loads of the fixture need another attribute that they can change.
        let json = ScenarioFixture.replacing(
            #"{ "kind": "uniform", "min": "2022-01-01T00:00:00Z", "max": "2026-01-01T00:00:00Z" }"#,
            with: #"{ "kind": "ascending", "start": "2001-01-01T00:00:10Z", "step_s": 0.5 }"#
        ).replacing(Self.name, with: #"{ "kind": "words", "count": 1 }"#)
        #expect(try ScenarioFixture.read(json).entity.attributes[1].generator == .ascending(start: 10, step: 0.5))
    }

    @Test(arguments: [
        (#"{ "kind": "choice", "values": [] }"#, "values", "1 to 1000 values"),
        (#"{ "kind": "choice", "values": ["a", 1] }"#, "values[1]", "expected a string"),
        (#"{ "kind": "choice", "values": ["a"], "weights": [1, 2] }"#, "weights", "2 weights of 1 values"),
        (#"{ "kind": "choice", "values": ["a", "b"], "weights": [0, 0] }"#, "weights", "a weight above 0"),
        (#"{ "kind": "choice", "values": ["a"], "weights": [-1] }"#, "weights[0]", "from 0.0 to 1000000.0"),
        (#"{ "kind": "choice", "valeus": ["a"] }"#, "", #"Did you mean "values"?"#),
        (#"{ "kind": "words" }"#, "", "count"),
        (#"{ "kind": "words", "count": 0 }"#, "count", "from 1 to 10,000"),
        (#"{ "kind": "words", "count": 3, "count_max": 2 }"#, "count_max", "count <= count_max"),
        (#"{ "kind": "words", "count": 3, "vocabulary": 1000000 }"#, "vocabulary", "from 1 to 100,000"),
        (#"{ "kind": "ascending", "start": "2024-01-01T00:00:00Z", "step_s": 1 }"#, "kind", "for a string attribute"),
        (#"{ "kind": "word", "count": 3 }"#, "kind", #"Did you mean "words"?"#),
    ])
    func mistakesAreAnsweredWithPlaceAndFix(generator: String, path: String, words: String) {
        let place = "entities[0].attributes[0].generator" + (path.isEmpty ? "" : "." + path)
        assertInvalidScenario(ScenarioFixture.replacing(Self.name, with: generator), at: place, saying: words)
    }

    @Test func nullsMustFitTheAttribute() {
        for share in ["-0.1", "1.5", "\"half\""] {
            assertInvalidScenario(
                ScenarioFixture.replacing(Self.name, with: Self.name + #", "null_share": \#(share)"#),
                at: "entities[0].attributes[0].null_share", saying: "from 0.0 to 1.0")
        }
        assertInvalidScenario(
            ScenarioFixture.replacing(Self.score, with: #""null_share": 0.5, "# + Self.score),
            at: "entities[0].attributes[3].null_share", saying: "not unique")
    }

    @Test(arguments: ["größe", "名前", "Имя_2", "x"]) func namesMayBeOfAnyScript(_ name: String) throws {
        let json = ScenarioFixture.valid.replacing("\"name\", \"type\"", with: "\"\(name)\", \"type\"")
        let attribute = try ScenarioFixture.read(json.replacing("\"done\"", with: "\"\(name)s\"")).entity.attributes[2]
        #expect(attribute.name == name + "s")
    }

    @Test(arguments: ["", "2x", "_x", "a b", "a-b", "a.b", "😀", "a\\u0000b", "½"])
    func otherNamesAreRefused(_ name: String) {
        let json = ScenarioFixture.replacing(#""name": "name", "type""#, with: #""name": "\#(name)", "type""#)
        #expect(throws: ScenarioErrors.self) { try ScenarioFixture.read(json) }
    }
}
