import Testing

@testable import BenchCommand

@Suite(.ownThreads) struct ShellTextTests {
    static let hostile = [
        "", " ", "a b", "'", "''", "it's", "'\u{301}", "\"$(reboot)\"", "`reboot`", "a\nb", "a\r\nb", "\\", "\\'",
        "$$HOME",
        "*", "~", "-n", "#", "!", "a;b", "&", "é", "\u{1F600}", "--set=phases.run.rate=1;rm", "\u{7F}\u{1}", "\u{2028}",
    ]

    @Test(arguments: hostile) func aTextIsOneWordOfAShell(text: String) throws {
        for shell in ["/bin/sh", "/bin/bash"] {
            let outcome = try Script.run(shell, ["-c", "set -- \(ShellText.word(text)); printf '%s|%s' $# \"$1\""])
            #expect(outcome.output.utf8.elementsEqual("1|\(text)".utf8))
        }
    }

    @Test func aPlainWordStaysAsItIs() {
        #expect(ShellText.word("a/b-1_2.json,x:y@z") == "a/b-1_2.json,x:y@z")
    }

    @Test(arguments: hostile + ["END\n", "END\nEND_\n", "$HOME\n\n\n", "a\\\nb\n", "END\r\n"])
    func aDocumentIsWrittenAsItIs(text: String) throws {
        let outcome = try Script.run("/bin/sh", ["-c", ShellText.writing(text, to: "/dev/stdout", mark: "END")])
        let whole = text.isEmpty || text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n"
        #expect(outcome.output.utf8.elementsEqual(whole.utf8) && outcome.errors.isEmpty)
    }
}
