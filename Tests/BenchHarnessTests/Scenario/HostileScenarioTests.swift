import Foundation
import Testing

@testable import BenchHarness

@Suite struct HostileScenarioTests {
    @Test func commentsStandWhereSpaceMay() throws {
        var json = "// first\n//\n" + ScenarioFixture.valid + " // last, without an end of its line"
        json = json.replacing(#""seed": 7,"#, with: "\"seed\" // \"seed\": 8\n : // why\n 7 // , é\n,\r\n// }\n")
        #expect(try ScenarioFixture.read(json) == ScenarioFixture.read(ScenarioFixture.valid))
        // Two slashes in a string are text.
        let text = ScenarioFixture.replacing(#""prefix": "Item ""#, with: #""prefix": "http://""#)
        let generator = try ScenarioFixture.read(text).entity.attributes[0].generator
        #expect(generator == .sequence(prefix: "http://", start: 0, step: 1))
    }

    @Test(arguments: [
        ("", "1:1: an empty file"),
        ("  \n", "an empty file"),
        ("{", "1:2: the end of the file; expected a key"),
        ("{\"a\": 1,}", "1:8: a comma before \"}\""),
        ("[1, 2,\n]", "1:6: a comma before \"]\""),
        ("{\"a\": 1, \"a\": 2}", "1:10: the key \"a\" a second time"),
        ("{\"a\" 1}", "1:6: \"1\"; expected \":\" after the key \"a\""),
        ("{a: 1}", "1:2: \"a\"; expected a key in double quotes"),
        ("{} {}", "1:4: \"{\"; expected nothing after"),
        ("{\n # why\n}", "2:2: a comment; expected a key in double quotes; a comment begins with //"),
        ("[01]", "1:2: a number with a leading zero"),
        ("[+1]", "expected a value"),
        ("[1.]", "expected a digit"),
        ("[NaN]", "the word \"NaN\""),
        ("[\"\\x\"]", "1:3: an unknown escape"),
        ("[\"\\u12\"]", "1:3: an incomplete \\u escape"),
        ("[\"\\ud800\"]", "1:3: half a surrogate pair"),
        ("[\"\\ud800\\u0041\"]", "1:3: half a surrogate pair"),
        ("[\"a\nb\"]", "1:4: a line break in a string"),
        ("[\"äö\" x]", "1:7: \"x\"; expected \",\""),
        ("{\"a\": \"b\" \"c\": 1}", "1:11: the string \"c\"; expected \",\" or \"}\""),
        (
            "{\"a\": \"b\"\n \"c\": 1}",
            "1:10: no comma at the end of the line; expected \",\" before the string \"c\", or \"}\""
        ),
        ("[1\n, 2,\n3 \n\n4]", "3:2: no comma at the end of the line; expected \",\" before \"4\""),
        ("[1\n/* two */\n2]", "2:1: a comment; expected \",\" or \"]\""),
        ("[1\n// two\n2]", "1:3: no comma at the end of the line"), ("[1] // \n 2", "2:2: \"2\"; expected nothing"),
        ("[\"]", "the end of the file in a string"),
        ("[1 \"]", "1:4: a double quote; expected \",\""),
        ("\u{FEFF}{}", "a byte order mark"),
    ])
    func syntaxErrorsNameTheirPlace(_ json: String, _ text: String) {
        assertInvalidScenario(json, at: nil, saying: text)
    }

    @Test func bytesThatAreNotUTF8AreRefused() {
        let error = #expect(throws: ScenarioErrors.self) {
            try ScenarioReader().read(Data([0x7B, 0x0A, 0xC3, 0x28]), file: "x")
        }
        #expect(error?.all.first?.description == "x:2:1: a byte that is not UTF-8; expected UTF-8")
    }

    @Test func nestingAndSizeAreBounded() {
        let deep = String(repeating: "[", count: 100_000)
        assertInvalidScenario(deep, at: nil, saying: "too deep a nesting")
        let large = "\"" + String(repeating: "a", count: JSONReader.sizeMaxBytes) + "\""
        assertInvalidScenario(large, at: nil, saying: "a file of more than 1048576 bytes")
    }

    @Test func controlCharactersDoNotReachTheMessage() {
        assertInvalidScenario(
            replacing: #""name": "fixture""#, with: #""name": "a\u001b[31m\n""#, at: "name", saying: "\\u{1b}")
    }

    /// Found by the fuzzer: the path of a value has the keys around it, which are the file's words as well.
    @Test func controlCharactersOfAKeyDoNotReachThePath() {
        let json = #"{"version": {"a\n\u001b[31m": 1, "b": 2}}"#
        let source = JSONSource(file: "x", bytes: Array(json.utf8))
        let node = try? JSONReader.read(source.bytes)
        let root = node.map { JSONCursor(node: $0, path: "", source: source, problems: ScenarioProblems()) }
        let version = root?.members(expected: "an object")?.first?.value
        let inner = version?.members(expected: "an object")?.first?.value
        #expect(inner?.path == #"version.a\u{a}\u{1b}[31m"#)
    }

    @Test func errorsBeyondTheFirstOnesAreCountedAndNotTold() throws {
        let keys = (0..<20_000).map { "\"k\($0)\": 1" }.joined(separator: ",")
        let errors = try #require(throws: ScenarioErrors.self) { try ScenarioFixture.read("{\(keys)}") }
        #expect(errors.all.count == ScenarioProblems.most)
        // Five keys are missing besides.
        #expect(errors.omitted == 20_005 - ScenarioProblems.most)
        #expect(errors.description.hasSuffix("and \(errors.omitted) more errors"))
    }

    @Test func everyTruncationIsAnsweredWithAnError() {
        let bytes = Array(ScenarioFixture.valid.utf8)
        for length in bytes.indices {
            #expect(throws: ScenarioErrors.self) { try ScenarioReader().read(Data(bytes[..<length]), file: "x") }
        }
    }

    @Test func randomMutationsNeverTrap() {
        var random = SplitMix64(state: 1)
        let pieces = ["{", "}", "[", "]", ",", ":", "\"", "-1", "0", "9e999", "null", "true", "\\u", "\u{0}", "ä"]
        let valid = Array(ScenarioFixture.valid.utf8)
        for _ in 0..<2_000 {
            var bytes = valid
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 0...12, using: &random))
                bytes.replaceSubrange(start..<end, with: Array(pieces.randomElement(using: &random)!.utf8))
            }
            _ = try? ScenarioReader().read(Data(bytes), file: "x")
        }
        for _ in 0..<2_000 {
            let length = Int.random(in: 0...64, using: &random)
            _ = try? ScenarioReader().read(Data((0..<length).map { _ in UInt8(random.next() & 0x7F) }), file: "x")
        }
    }
}
