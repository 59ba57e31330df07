import Testing

@testable import BenchHarness

@Suite struct MarkdownTextTests {
    @Test(arguments: [
        ("fetch@all-cores of managed: cpu +5 %", "fetch@all-cores of managed: cpu +5 %"),
        ("<img src=x onerror=alert(1)> & more", "&lt;img src=x onerror=alert(1)&gt; &amp; more"),
        (
            "[a](javascript:b) `c` *d* _e_ ![f](g) | h",
            "\\[a\\](javascript:b) \\`c\\` \\*d\\* \\_e\\_ \\!\\[f\\](g) \\| h"
        ),
        ("@all #1 (@x) see#2", "&#64;all &#35;1 (&#64;x) see#2"),
        ("https://a.b and www.c.d or WWW.e", "https&#58;//a.b and www&#46;c.d or WWW&#46;e"),
        ("rss_peak ~1.5x _x ~~y~~", "rss_peak ~1.5x \\_x \\~\\~y\\~\\~"),
        ("a\nb\u{1B}[2J\u{202E}c", "a\\\\u{a}b\\\\u{1b}\\[2J\\\\u{202e}c"),
    ])
    func textMeansNothingButItself(text: String, escaped: String) {
        #expect(text.escapedForMarkdown == escaped)
    }

    @Test func aCellMeansNothingButItself() {
        var table = TextTable([.left("name")])
        table.append(TextTable.Row(cells: ["@octocat [x](http://e.com)\u{1B}[31m\n| rss_peak ~2x"]))
        #expect(
            table.markdown.hasSuffix(
                "| &#64;octocat \\[x\\](http&#58;//e.com)\\\\u{1b}\\[31m \\| rss_peak ~2x |\n"),
            "\(table.markdown)")
    }

    @Test(arguments: [
        ("plain\nlines\n", "plain\nlines\n"), ("\u{1B}[31mred\u{1B}[0m\n", "\u{1B}[31mred\u{1B}[0m\n"),
        ("\u{1B}[8mhidden", "\\u{1b}[8mhidden"),
        ("\u{1B}[2J\u{1B}]0;t\u{7}\r", "\\u{1b}[2J\\u{1b}]0;t\\u{7}\\u{d}"),
        ("a\u{9B}31m\u{202E}", "a\\u{9b}31m\\u{202e}"),
        ("\u{1B}", "\\u{1b}"), ("", ""),
    ])
    func aTerminalObeysColoursAlone(text: String, harmless: String) {
        #expect(text.harmless(isColoured: true) == harmless)
        #expect(!text.harmless(isColoured: false).contains("\u{1B}"))
    }
}
