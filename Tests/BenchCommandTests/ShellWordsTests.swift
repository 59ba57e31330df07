import Foundation
import TestSupport
import Testing

@testable import BenchCommand

@Suite struct ShellWordsTests {
    @Test(arguments: [
        ("", []), ("  a  b\t c\n", ["a", "b", "c"]), ("'a b' c", ["a b", "c"]), ("\"a 'b\" c", ["a 'b", "c"]),
        (#"a\ b \'c"#, ["a b", "'c"]), (#""a\"b\\c\d\$e""#, [#"a"b\c\d$e"#]), ("a''b \"\" ''", ["ab", "", ""]),
        ("a'b c'\"d e\"f", ["ab cd ef"]), ("'$HOME' $HOME * ~", ["$HOME", "$HOME", "*", "~"]),
        ("a\\\nb 'c\nd'", ["ab", "c\nd"]), ("'|' \\; \">\"", ["|", ";", ">"]),
    ])
    func wordsAreThoseOfAShell(text: String, words: [String]) throws {
        #expect(try ShellWords(text).words == words)
    }

    @Test(arguments: [
        ("a 'b", ShellWords.Problem.unclosed("'")), ("\"a", .unclosed("\"")), (#"a\"#, .unclosed("\\")),
        ("a | b", .operation("|")), ("a>b", .operation(">")), ("a; b", .operation(";")), ("a &", .operation("&")),
        ("`a`", .operation("`")), ("(a)", .operation("(")),
    ])
    func whatNeedsAShellOrAnEndIsNamed(text: String, problem: ShellWords.Problem) {
        #expect(throws: problem) { try ShellWords(text) }
    }

    /// The shell itself is the model, for texts in which it would expand nothing.
    @Test func randomTextsAreSplitAsByTheShell() throws {
        var random = SeededGenerator(seed: 7)
        let parts = ["a", "é", " ", "'", "\"", "\\", "\t", "#", "=", "-", "\n", "|", "%"]
        var compared = 0
        for _ in 0..<300 {
            // A word before keeps the shell from reading a comment.
            let text =
                "x"
                + (0..<Int.random(in: 0...8, using: &random)).map { _ in parts.randomElement(using: &random)! }
                .joined()
            // A line feed ends a command for the shell, and is a blank here; a word with # at its start is a comment.
            guard let words = try? ShellWords(text).words, !text.contains("\n"), !text.contains(/[ \t]#/) else {
                continue
            }
            let shell = try Script.run(
                "/bin/sh", ["-c", "printf '<%s>' \(text)"], folder: FileManager.default.temporaryDirectory)
            #expect(shell.output == words.map { "<\($0)>" }.joined(), "\(text)")
            compared += 1
        }
        #expect(compared > 60)
    }
}
