import Testing

@testable import BenchHarness

@Suite struct WrappedTextTests {
    @Test func aLineBreaksBetweenWordsAndTheRestIsSetIn() {
        #expect("note: one two three\nnext".wrapped(to: 11) == "note: one\n  two three\nnext")
        #expect("  a list of words".wrapped(to: 10) == "  a list\n    of\n    words")
        #expect("one two".wrapped(to: 4, hanging: 0) == "one\ntwo")
    }

    @Test func textWithoutATerminalKeepsItsLines() {
        let line = String(repeating: "word ", count: 100)
        #expect(line.wrapped(to: nil) == line)
    }

    @Test func aWordThatIsTooLongStaysWhole() {
        #expect("in /a/long/path of it".wrapped(to: 10) == "in\n  /a/long/path\n  of it")
    }

    @Test func aPercentSignStaysAtItsNumber() {
        #expect("interval of 95 % each".wrapped(to: 15) == "interval of\n  95 % each")
    }

    @Test func coloursTakeNoRoom() {
        let text = "\u{1B}[31mone two\u{1B}[0m"
        #expect(text.wrapped(to: 7) == text)
        #expect(text.wrapped(to: 6) == "\u{1B}[31mone\n  two\u{1B}[0m")
    }

    @Test(arguments: 1...30) func noLineOfShortWordsIsWider(width: Int) {
        let text = "  a b c d  e f g h i j"
        let lines = text.wrapped(to: width).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= max(width, 5) })
        #expect(lines.joined().filter { $0 != " " } == "abcdefghij")
    }
}
